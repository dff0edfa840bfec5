import { and, eq, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { earn } from "#loyalty/ledger/earning.server.ts";
import { giveVoucher } from "#loyalty/ledger/gifts.server.ts";
import { debit, readBalance } from "#loyalty/ledger/ledger.server.ts";
import { valueOfPoints } from "#loyalty/programme/point-value.ts";
import { rewards } from "#loyalty/programme/programme.tables.server.ts";
import { programmeAt } from "#loyalty/programme/programme-at.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme-id.ts";
import { proofEndsAt } from "#office/sign-in/session.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { type Acting, auditAction, forStaff, lockForAction } from "./acting.server.ts";
import { dayLimits } from "./choices.ts";
import { type DaySums, daySums } from "./day-sums.server.ts";
import { requests } from "./requests.tables.server.ts";

type Request = typeof requests.$inferSelect;
/** Points or a voucher, with what they are worth. */
type Gesture = Pick<Request, "kind" | "points" | "cents" | "rewardId" | "customerText">;

/** The rewards in force at a moment. */
const offered = (now: Date) => sql`${rewards.programmeId} = (select id from ${programmeAt(defaultProgrammeId, now)})`;

/** Adds points or takes them; the customer reads the text in their history. */
export async function adjustPoints(
  tx: Queries,
  publicUrl: string,
  asked: { customerId: number; points: number; customerText: string },
  acting: Acting,
) {
  const { customerId, points, customerText } = asked;
  return gesture(tx, publicUrl, customerId, acting, async () => {
    const { points: price, amountCents } = rewards;
    const offer = await tx.select({ points: price, amountCents }).from(rewards).where(offered(acting.now));
    const cents = valueOfPoints({ rewards: offer }).cents(Math.abs(points), Math.ceil);
    return { kind: "points", points, cents, rewardId: null, customerText };
  });
}

/** Gives a voucher that costs no points. */
export async function giveVoucherTo(
  tx: Queries,
  publicUrl: string,
  asked: { customerId: number; rewardId: number },
  acting: Acting,
) {
  const { customerId, rewardId } = asked;
  return gesture(tx, publicUrl, customerId, acting, async () => {
    const [reward] = await tx
      .select({ points: rewards.points, cents: rewards.amountCents })
      .from(rewards)
      .where(and(offered(acting.now), eq(rewards.id, rewardId)));
    if (!reward) throw new Refusal("not_found");
    return { kind: "voucher", ...reward, rewardId, customerText: null };
  });
}

/**
 * Does it at once, or lets it wait for a second person when it is beyond what one person may do in a day. The person's
 * lock and then the customer's make the counting safe: of two gestures at once, the second counts the first.
 */
async function gesture(
  tx: Queries,
  publicUrl: string,
  customerId: number,
  acting: Acting,
  read: () => Promise<Gesture>,
) {
  const { caller, now, reason, note } = acting;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('office:' || ${caller.staffId}::text, 27))`);
  const customer = await lockForAction(tx, customerId);
  const asked = await read();
  const waits = await needsSecondPerson(tx, { ...asked, customerId, staffId: caller.staffId }, now);
  if (waits && proofEndsAt(caller.provedAt) <= now) throw new Refusal("proof_needed");
  if (waits) await refuseTwice(tx, { ...asked, customerId });
  const before = await readBalance(tx, customerId);
  if (before.balance === null) throw new Refusal("no_member");
  const state = waits ? ("waiting" as const) : ("done" as const);
  const request = await insertRequest(tx, {
    ...{ ...asked, customerId, otherId: null, state, reason, note: note ?? null },
    ...{ askedBy: caller.staffId, askedAt: now, decidedBy: null, decidedAt: null },
  });
  const done = waits ? undefined : await applyGesture(tx, request, { publicUrl, locale: customer.language, now });
  const { points, rewardId } = asked;
  await auditAction(tx, acting, {
    action: waits ? "approval_asked" : asked.kind === "points" ? "points_adjusted" : "voucher_given",
    customerId,
    before: { balance: before.balance },
    after: {
      request: request.id,
      points,
      ...(rewardId && { reward: rewardId }),
      ...(done && { balance: done.balance }),
    },
  });
  return {
    IdRequest: request.id,
    Waiting: waits,
    Points: { Available: done?.balance ?? before.balance, Debt: done?.debt ?? before.debt ?? 0 },
  };
}

export async function insertRequest(tx: Queries, row: Omit<Request, "id">): Promise<Request> {
  const [request] = await tx.insert(requests).values(row).returning();
  if (!request) throw new Error("The request was not written.");
  return request;
}

/** Moves what a request asks for. Its number is the cause, so that it happens once. */
export async function applyGesture(
  tx: Queries,
  request: Request,
  context: { publicUrl: string; locale: Locale; now: Date },
): Promise<{ balance: number; debt: number }> {
  const { customerId, points, cents, rewardId, customerText } = request;
  if (request.kind === "voucher" && rewardId !== null) {
    // Worth what the request says: a version of the programme may have begun since.
    const gift = { customerId, programmeId: defaultProgrammeId, rewardId, amountCents: cents };
    await forStaff(giveVoucher(tx, gift, context));
  } else {
    const moved = { customerId, cause: `adjust:${request.id}`, label: { text: customerText ?? "" } };
    if (points > 0)
      await forStaff(earn(tx, defaultProgrammeId, { ...moved, points, kind: "adjust" as const }, context));
    else await forStaff(debit(tx, { ...moved, points: -points, now: context.now }));
  }
  const after = await readBalance(tx, customerId);
  return { balance: after.balance ?? 0, debt: after.debt ?? 0 };
}

/** Beyond a day's limits of the customer or of the person; and always for one's own account. */
async function needsSecondPerson(
  tx: Queries,
  asked: { customerId: number; staffId: number; points: number; cents: number },
  now: Date,
): Promise<boolean> {
  const { customerId, staffId } = asked;
  const sums = daySums({
    customerId: sql`${customerId}::bigint`,
    staffId: sql`${staffId}::integer`,
    now: sql`${now.toISOString()}::timestamptz`,
  });
  const { rows } = await tx.execute<{ today: DaySums; own: boolean }>(sql`
    select ${sums} as today,
      exists (select from ${staff} where id = ${staffId} and own_customer_id = ${customerId}) as own`);
  const { today, own } = rows[0] ?? { today: { points: 0, cents: 0, staffPoints: 0 }, own: false };
  const points = Math.abs(asked.points);
  return (
    own ||
    today.points + points > dayLimits.customerPoints ||
    today.cents + asked.cents > dayLimits.customerCents ||
    today.staffPoints + points > dayLimits.staffPoints
  );
}

/** The same request does not wait twice. */
export async function refuseTwice(
  tx: Queries,
  { customerId, kind, points, rewardId }: Pick<Request, "customerId" | "kind" | "points" | "rewardId">,
): Promise<void> {
  const [same] = await tx
    .select({ id: requests.id })
    .from(requests)
    .where(
      and(
        eq(requests.customerId, customerId),
        eq(requests.kind, kind),
        eq(requests.points, points),
        eq(requests.state, "waiting"),
        rewardId === null ? undefined : eq(requests.rewardId, rewardId),
      ),
    )
    .limit(1);
  if (same) throw new Refusal("already_asked");
}

import { and, eq, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { earn } from "#loyalty/ledger/earning.server.ts";
import { giveVoucher } from "#loyalty/ledger/gifts.server.ts";
import { debit, readBalance } from "#loyalty/ledger/ledger.server.ts";
import { valueOfPoints } from "#loyalty/programme/point-value.ts";
import { defaultProgrammeId, programmeAt } from "#loyalty/programme/programme.server.ts";
import { rewards } from "#loyalty/programme/programme.tables.server.ts";
import { requests } from "#office/customers/server/approvals/requests.tables.server.ts";
import {
  auditAction,
  type CustomerActionContext,
  forStaff,
  lockForAction,
} from "#office/customers/server/customer-action.server.ts";
import { refuseWithoutProof } from "#office/sign-in/session.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { type DaySums, daySums, leftToday } from "./adjustment-limits.server.ts";

type Request = typeof requests.$inferSelect;
/** Points or a voucher, with what they are worth. */
type Adjustment = Pick<Request, "kind" | "points" | "cents" | "rewardId" | "customerText">;

type Offer = Awaited<ReturnType<typeof readOffer>>;

/** The rewards in force at a moment. */
const readOffer = (tx: Queries, now: Date) =>
  tx
    .select({ id: rewards.id, points: rewards.points, amountCents: rewards.amountCents })
    .from(rewards)
    .where(sql`${rewards.programmeId} = (select id from ${programmeAt(defaultProgrammeId, now)})`);

/** Adds points or takes them; the customer reads the text in their history. */
export async function adjustPoints(
  tx: Queries,
  publicUrl: string,
  asked: { customerId: number; points: number; customerText: string },
  action: CustomerActionContext,
) {
  const { customerId, points, customerText } = asked;
  return adjustment(tx, publicUrl, customerId, action, (offer) => {
    const cents = valueOfPoints({ rewards: offer }).cents(Math.abs(points), Math.ceil);
    return { kind: "points", points, cents, rewardId: null, customerText };
  });
}

/** Gives a voucher that costs no points. */
export async function giveVoucherTo(
  tx: Queries,
  publicUrl: string,
  asked: { customerId: number; rewardId: number },
  action: CustomerActionContext,
) {
  const { customerId, rewardId } = asked;
  return adjustment(tx, publicUrl, customerId, action, (offer) => {
    const reward = offer.find(({ id }) => id === rewardId);
    if (!reward) throw new Refusal("not_found");
    return { kind: "voucher", points: reward.points, cents: reward.amountCents, rewardId, customerText: null };
  });
}

/**
 * Does it at once, or lets it wait for a second person when it is beyond what one person may do in a day. The person's
 * lock and then the customer's make the counting safe: of two adjustments at once, the second counts the first.
 */
async function adjustment(
  tx: Queries,
  publicUrl: string,
  customerId: number,
  action: CustomerActionContext,
  describe: (offer: Offer) => Adjustment,
) {
  const { caller, now, reason, note } = action;
  await lockDayOf(tx, caller.staffId);
  const customer = await lockForAction(tx, customerId);
  const offer = await readOffer(tx, now);
  const asked = describe(offer);
  const left = leftToday(await readDaySums(tx, customerId, caller.staffId, now));
  const waits = Math.abs(asked.points) > left.points || asked.cents > left.cents;
  if (waits) await refuseWithoutProof(tx, caller, now);
  if (waits) await refuseTwice(tx, { ...asked, customerId });
  const before = await readBalance(tx, customerId, now);
  if (before.balance === null) throw new Refusal("no_member");
  const state = waits ? ("waiting" as const) : ("done" as const);
  const request = await insertRequest(tx, {
    ...{ ...asked, customerId, otherId: null, choices: null, state, reason, note: note ?? null },
    ...{ askedBy: caller.staffId, askedAt: now, decidedBy: null, decidedAt: null },
  });
  const done = waits ? undefined : await applyAdjustment(tx, request, { publicUrl, locale: customer.language, now });
  const { points, rewardId } = asked;
  await auditAction(tx, action, {
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
export async function applyAdjustment(
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
  const after = await readBalance(tx, customerId, context.now);
  return { balance: after.balance ?? 0, debt: after.debt ?? 0 };
}

/** Of two things that a person gives at once, the second counts the first. */
export async function lockDayOf(tx: Queries, staffId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('office:' || ${staffId}::text, 27))`);
}

/** What points are worth, and how many of them a person may still give a customer today without a second person. */
export async function readGiving(tx: Queries, customerId: number, staffId: number, now: Date) {
  const value = valueOfPoints({ rewards: await readOffer(tx, now) });
  const { points, cents } = leftToday(await readDaySums(tx, customerId, staffId, now));
  return { value, mostPoints: Math.min(points, value.pointsWithin(cents)) };
}

async function readDaySums(tx: Queries, customerId: number, staffId: number, now: Date): Promise<DaySums> {
  const sums = daySums({
    customerId: sql`${customerId}::bigint`,
    staffId: sql`${staffId}::integer`,
    now: sql`${now.toISOString()}::timestamptz`,
  });
  const { rows } = await tx.execute<{ today: DaySums }>(sql`select ${sums} as today`);
  const [row] = rows;
  if (!row) throw new Error("The day's sums were not read.");
  return row.today;
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

import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { maskEmail } from "#identity/customer/email-mask.ts";
import { writtenEmail } from "#identity/customer/punycode.ts";
import { type MergedAccounts, mergeAccounts } from "#loyalty/ledger/merge.server.ts";
import { mergedLetter } from "#loyalty/letters/letters.server.ts";
import { revokePasses } from "#loyalty/wallet/revoke-passes.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import { deleteStoredResponses } from "#platform/api/idempotency.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { type Acting, auditAction } from "./acting.server.ts";
import { requests } from "./requests.tables.server.ts";

/** Two accounts of one person: the survivor takes in the other, which is gone afterwards. */
interface Pair {
  survivorId: number;
  otherId: number;
}

interface When {
  now: Date;
  publicUrl: string;
}

/** Merges two accounts: the club's books, then whatever else was the other's, then its row with every way to sign in. */
export async function mergeCustomers(tx: Queries, pair: Pair, acting: Acting, publicUrl: string) {
  await refuseOwn(tx, pair, acting.caller);
  const { other, merged } = await merge(tx, pair, { now: acting.now, publicUrl });
  await auditAction(tx, acting, {
    action: "customers_merged",
    customerId: pair.survivorId,
    before: { other: pair.otherId },
    after: { ...merged },
    personal: { email: other.email, firstname: other.firstname, lastname: other.lastname },
  });
  return describeMerged(merged);
}

/** A merge moves points and vouchers without a limit: of their own account nobody merges alone. */
async function refuseOwn(queries: Queries, pair: Pair, { staffId }: OfficeCaller): Promise<void> {
  const [person] = await queries.select({ own: staff.ownCustomerId }).from(staff).where(eq(staff.id, staffId));
  if (person?.own === pair.survivorId || person?.own === pair.otherId) throw new Refusal("second_person");
}

/** Ends a transaction that must leave nothing, and carries out what was found in it. */
class RolledBack extends Error {
  readonly value: Awaited<ReturnType<typeof merge>>;

  constructor(value: Awaited<ReturnType<typeof merge>>) {
    super("rolled back");
    this.value = value;
  }
}

/** What a merge would do, found by doing it in a transaction that is rolled back: so the preview cannot differ. */
export async function previewMerge(database: Database, pair: Pair, when: When, caller: OfficeCaller) {
  await refuseOwn(database, pair, caller);
  try {
    return await database.transaction(async (tx): Promise<never> => {
      throw new RolledBack(await merge(tx, pair, when));
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
    const { survivor, other, merged } = error.value;
    const name = ({ firstname, lastname, email }: typeof other) => ({
      Firstname: firstname,
      Lastname: lastname,
      Email: email,
    });
    return { Survivor: name(survivor), Other: name(other), ...describeMerged(merged) };
  }
}

const describeMerged = ({ moved, giftTaken, vouchers, balance, debt }: MergedAccounts) => ({
  Points: { Moved: moved, GiftTaken: giftTaken, Available: balance, Debt: debt },
  Vouchers: vouchers,
});

async function merge(tx: Queries, { survivorId, otherId }: Pair, { now, publicUrl }: When) {
  if (survivorId === otherId) throw new Refusal("cannot_merge");
  // In one order: of two merges at once the second waits, and then finds one of them gone.
  const both = await tx
    .select()
    .from(customers)
    .where(inArray(customers.id, [survivorId, otherId]))
    .orderBy(asc(customers.id))
    .for("update");
  const survivor = both.find(({ id }) => id === survivorId);
  const other = both.find(({ id }) => id === otherId);
  if (!survivor || !other || survivor.guest || other.guest) throw new Refusal("not_found");
  if (survivor.blockedAt || other.blockedAt) throw new Refusal("cannot_merge");
  await refuseHeld(tx, otherId, now);
  await refuseAsked(tx, otherId);
  const context = { now, publicUrl, locale: survivor.language };
  const merged = await mergeAccounts(tx, { survivorId, otherId }, context);
  await moveRecords(tx, { survivorId, otherId }, now);
  await revokePasses(tx, otherId);
  await deleteStoredResponses(tx, otherId);
  await tx.delete(customers).where(eq(customers.id, otherId));
  const content = { points: merged.balance, ...merged };
  await queueMail(tx, {
    cause: `merged:${survivorId}:${otherId}`,
    ...{ customerId: survivorId, to: survivor.email, locale: survivor.language },
    letter: mergedLetter(context, survivor.firstname, content),
  });
  // Its owner hears of it there too, should the two not be one person. Without a customer: this address has none any more.
  await queueMail(tx, {
    cause: `merged:${otherId}`,
    to: other.email,
    locale: other.language,
    letter: mergedLetter({ publicUrl, locale: other.language }, other.firstname, {
      ...content,
      signInAt: maskEmail(writtenEmail(survivor.email)),
    }),
  });
  return { survivor, other, merged };
}

/** A voucher that a till holds is being paid with right now. */
async function refuseHeld(tx: Queries, customerId: number, now: Date): Promise<void> {
  const { rows } = await tx.execute<{ seconds: number }>(sql`
    select ceil(extract(epoch from h.until - ${now.toISOString()}::timestamptz))::integer as seconds
    from loyalty_voucher v join loyalty_voucher_hold h on h.code = v.code
    where v.customer_id = ${customerId} and h.until > ${now.toISOString()}::timestamptz order by h.until desc limit 1`);
  if (rows[0]) throw new Refusal("voucher_held", { retryAfterSeconds: rows[0].seconds });
}

/** What somebody has asked for, an erasure above all, was meant for that account: it is decided first. */
async function refuseAsked(tx: Queries, customerId: number): Promise<void> {
  const waiting = and(eq(requests.customerId, customerId), eq(requests.state, "waiting"));
  const asked = await tx.select({ id: requests.id }).from(requests).where(waiting);
  if (asked.length > 0) throw new Refusal("already_asked");
}

/** What else is kept about the other customer belongs to the survivor: export and erasure find it there. */
async function moveRecords(tx: Queries, { survivorId, otherId }: Pair, now: Date): Promise<void> {
  for (const table of ["mail", "postal_address", "shop_look_up", "audit_personal", "office_request"])
    await tx.execute(
      sql`update ${sql.identifier(table)} set customer_id = ${survivorId} where customer_id = ${otherId}`,
    );
  await tx.execute(sql`update staff set own_customer_id = ${survivorId} where own_customer_id = ${otherId}`);
  // Whoever has had the welcome gift on either account has had it.
  await tx.execute(sql`
    insert into loyalty_welcome (person, given_at)
    select loyalty_person(c.email), ${now.toISOString()}::timestamptz from customer c
    where c.id = ${survivorId} and exists (
      select from loyalty_entry e
      where e.customer_id = c.id and (e.kind = 'welcome' or e.cause ~ '^merged:.*:welcome$'))
    on conflict do nothing`);
}

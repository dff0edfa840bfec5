import { and, asc, eq, inArray, or, sql } from "drizzle-orm";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { maskEmail } from "#identity/customer/email/email-mask.ts";
import { writtenEmail } from "#identity/customer/email/punycode.ts";
import { mergedEmail } from "#loyalty/emails/emails.server.ts";
import { type MergedAccounts, mergeAccounts } from "#loyalty/ledger/merge/merge.server.ts";
import { firstAccount } from "#loyalty/membership/welcome-gift.server.ts";
import { revokePasses } from "#loyalty/wallet/revoke-passes.server.ts";
import { type ActionContext, entryOf } from "#office/audit.server.ts";
import type { MergeChoices } from "#office/customers/choices.ts";
import { insertRequest } from "#office/customers/server/adjustments/adjustments.server.ts";
import { requests } from "#office/customers/server/approvals/requests.tables.server.ts";
import { auditAction, type CustomerActionContext } from "#office/customers/server/customer-action.server.ts";
import { deleteStoredResponses } from "#platform/api/idempotency/idempotency.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { chooseFields, describeAccount, describeFields, keepFields } from "./merge-fields.server.ts";

/** Two accounts of one person: the survivor takes in the other, which is gone afterwards. */
interface Pair {
  survivorId: number;
  otherId: number;
}

interface When {
  now: Date;
  publicUrl: string;
}

/** Asks for a merge, which a second person approves. It is tried first: what cannot be done is refused at once. */
export async function askMerge(
  tx: Queries,
  { chosen, ...pair }: Pair & { chosen: Partial<MergeChoices> },
  action: CustomerActionContext,
  publicUrl: string,
) {
  const { caller, now, reason, note } = action;
  const { survivorId: customerId, otherId } = pair;
  await lockBoth(tx, pair);
  if ((await waitingFor(tx, otherId)).length > 0) throw new Refusal("already_asked");
  const { choices } = await tryMerge(tx, pair, chosen, { now, publicUrl });
  const request = await insertRequest(tx, {
    ...{ customerId, otherId, choices, kind: "merge", state: "waiting", points: 0, cents: 0, rewardId: null },
    ...{ customerText: null, reason, note: note ?? null },
    ...{ askedBy: caller.staffId, askedAt: now, decidedBy: null, decidedAt: null },
  });
  await auditAction(tx, action, {
    action: "approval_asked",
    customerId,
    after: { request: request.id, other: otherId },
  });
  return { IdRequest: request.id };
}

/** What a merge would do. It shows both customers, so that it was read is in the audit log of each. */
export async function previewMerge(
  database: Database,
  { chosen, ...pair }: Pair & { chosen: Partial<MergeChoices> },
  call: ActionContext,
  publicUrl: string,
) {
  const { caller, now, requestId } = call;
  const entry = (customerId: number, otherId: number) =>
    entryOf(caller, { action: "merge_previewed", customerId, after: { other: otherId }, requestId, at: now });
  const { survivor, other, merged, choices } = await database.transaction(async (tx) => {
    const tried = await tryMerge(tx, pair, chosen, { now, publicUrl });
    await writeAudit(tx, entry(pair.survivorId, pair.otherId), entry(pair.otherId, pair.survivorId));
    return tried;
  });
  return {
    Survivor: describeAccount(survivor),
    Other: describeAccount(other),
    Fields: describeFields(survivor, other, choices),
    ...describeMerged(merged),
  };
}

/** A merge that is carried out and rolled back: so what was found cannot differ from what will be done. */
async function tryMerge(tx: Queries, pair: Pair, chosen: Partial<MergeChoices>, when: When) {
  await tx.execute(sql`savepoint merge_tried`);
  const found = await merge(tx, pair, chosen, when);
  await tx.execute(sql`rollback to savepoint merge_tried`);
  return found;
}

const describeMerged = ({ moved, giftTaken, vouchers, balance, debt }: MergedAccounts) => ({
  Points: { Moved: moved, GiftTaken: giftTaken, Available: balance, Debt: debt },
  Vouchers: vouchers,
});

/** In one order: of two merges at once the second waits, and then finds one of them gone. */
export async function lockBoth(tx: Queries, { survivorId, otherId }: Pair) {
  return tx
    .select()
    .from(customers)
    .where(inArray(customers.id, [survivorId, otherId]))
    .orderBy(asc(customers.id))
    .for("update");
}

/**
 * Merges two accounts: the address and the other details that stay, the club's books, then whatever else was the other's,
 * then its row with every way to sign in.
 */
export async function merge(
  tx: Queries,
  { survivorId, otherId }: Pair,
  chosen: Partial<MergeChoices>,
  { now, publicUrl }: When,
) {
  if (survivorId === otherId) throw new Refusal("cannot_merge");
  const both = await lockBoth(tx, { survivorId, otherId });
  const survivor = both.find(({ id }) => id === survivorId);
  const other = both.find(({ id }) => id === otherId);
  if (!survivor || !other || survivor.guest || other.guest) throw new Refusal("not_found");
  if (survivor.blockedAt || other.blockedAt) throw new Refusal("cannot_merge");
  await refuseHeld(tx, otherId, now);
  // What a person has asked for, an erasure above all, was meant for that account: it is decided first.
  const others = (await waitingFor(tx, otherId)).filter(({ customerId }) => customerId !== survivorId);
  if (others.length > 0) throw new Refusal("already_asked");
  const choices = chooseFields(survivor, other, chosen);
  // Before the club's part: its emails, with the codes of vouchers, go to the address that stays.
  await keepFields(tx, survivor, other, choices);
  const [stays, goes] = choices.Email === "other" ? [other, survivor] : [survivor, other];
  const { language: locale } = choices.Language === "other" ? other : survivor;
  const { firstname } = choices.Name === "other" ? other : survivor;
  const context = { now, publicUrl, locale };
  const merged = await mergeAccounts(tx, { survivorId, otherId }, context);
  await moveRecords(tx, { survivorId, otherId }, [survivor.email, other.email], now);
  await revokePasses(tx, otherId);
  await deleteStoredResponses(tx, otherId);
  await tx.delete(customers).where(eq(customers.id, otherId));
  const content = { points: merged.balance, ...merged };
  await queueMail(tx, {
    cause: `merged:${survivorId}:${otherId}`,
    ...{ customerId: survivorId, to: stays.email, locale },
    content: mergedEmail(context, firstname, content),
  });
  // Its owner hears of it there too, should the two not be one person. Without a customer: this address has none any more.
  await queueMail(tx, {
    cause: `merged:${otherId}`,
    to: goes.email,
    locale: goes.language,
    content: mergedEmail({ publicUrl, locale: goes.language }, goes.firstname, {
      ...content,
      signInAt: maskEmail(writtenEmail(stays.email)),
    }),
  });
  return { survivor, other, merged, choices };
}

/** A voucher that a till holds is being paid with right now. */
async function refuseHeld(tx: Queries, customerId: number, now: Date): Promise<void> {
  const { rows } = await tx.execute<{ seconds: number }>(sql`
    select ceil(extract(epoch from h.until - ${now.toISOString()}::timestamptz))::integer as seconds
    from loyalty_voucher v join loyalty_voucher_hold h on h.code = v.code
    where v.customer_id = ${customerId} and h.until > ${now.toISOString()}::timestamptz order by h.until desc limit 1`);
  if (rows[0]) throw new Refusal("voucher_held", { retryAfterSeconds: rows[0].seconds });
}

/** What waits for a second person about an account, also a merge in which it is the other. */
async function waitingFor(tx: Queries, customerId: number) {
  const named = or(eq(requests.customerId, customerId), eq(requests.otherId, customerId));
  return (
    tx
      .select({ customerId: requests.customerId })
      .from(requests)
      // Of an account that is gone nothing is decided any more.
      .innerJoin(customers, eq(customers.id, requests.customerId))
      .where(and(named, eq(requests.state, "waiting")))
  );
}

/** What else is kept about the other customer belongs to the survivor: export and erasure find it there. */
async function moveRecords(
  tx: Queries,
  { survivorId, otherId }: Pair,
  addresses: [string, string],
  now: Date,
): Promise<void> {
  for (const table of ["mail", "postal_address", "shop_look_up", "audit_personal", "office_request"])
    await tx.execute(
      sql`update ${sql.identifier(table)} set customer_id = ${survivorId} where customer_id = ${otherId}`,
    );
  await tx.execute(sql`update staff set own_customer_id = ${survivorId} where own_customer_id = ${otherId}`);
  // Anyone who has had the welcome gift on either account has had it, under both addresses.
  await tx.execute(sql`
    insert into loyalty_welcome (person, given_at)
    select loyalty_person(email), ${now.toISOString()}::timestamptz
    from (values (${addresses[0]}), (${addresses[1]})) both_accounts (email)
    where exists (
      select from loyalty_entry e
      where e.customer_id = ${survivorId} and (e.kind = 'welcome' or e.cause ~ '^merged:.*:welcome$'))
    on conflict do nothing`);
  // In a club without a gift the survivor is the person's first account from now on, if one of them was.
  await tx.execute(sql`
    insert into loyalty_welcome (person, given_at)
    select ${firstAccount(sql`${survivorId}::bigint`)}, given_at from loyalty_welcome
    where person = ${firstAccount(sql`${otherId}::bigint`)}
    on conflict do nothing`);
}

import { and, eq, sql } from "drizzle-orm";
import { lockCustomer } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { queueEmail, tierCause, tierEmail } from "#loyalty/emails/emails.server.ts";
import { voucherCancelledEmail } from "#loyalty/emails/voucher-emails.server.ts";
import { warnAll } from "#loyalty/ledger/warnings/warnings.server.ts";
import { defaultProgrammeId, queryProgramme } from "#loyalty/programme/programme.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Jobs, Scheduled } from "#platform/jobs/jobs.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { debts } from "./account.tables.server.ts";
import { refreshAccount } from "./ledger.server.ts";

const batchSize = 500;

const refreshJob = "loyalty:refresh";
/** Queued by the SQL functions loyalty_arrive and loyalty_cancel_voucher. */
const statusReachedJob = "loyalty:status-reached";
const voucherCancelledJob = "loyalty:voucher-cancelled";
const warnJob = "loyalty:warn";
const waiveJob = "loyalty:waive";

/** Points arrive and expire when the club's day begins; warnings are sent in the morning. */
export const ledgerSchedule: readonly Scheduled[] = [
  { name: refreshJob, clubTime: "00:02", summerToo: true },
  { name: warnJob, clubTime: "09:00" },
  { name: waiveJob, clubTime: "00:20" },
];

export function ledgerJobs({ publicUrl, now }: { publicUrl: string; now: () => Date }): Jobs {
  return {
    [refreshJob]: (_, database) => refreshAll(database, now()),
    [statusReachedJob]: (payload, database) => sendStatusReached(database, payload as StatusReached, publicUrl),
    [voucherCancelledJob]: (payload, database) => sendVoucherCancelled(database, payload as Cancelled, publicUrl),
    [warnJob]: (_, database) => warnAll(database, publicUrl, now()),
    [waiveJob]: (_, database) => waiveDebts(database, now()),
  };
}

/** Writes what the clock has brought to accounts, one customer at a time: no transaction locks two accounts. */
async function refreshAll(database: Database, now: Date): Promise<void> {
  const moment = sql`${now.toISOString()}::timestamptz`;
  for (let last = 0; ; ) {
    const { rows } = await database.execute<{ customer_id: string }>(sql`
      select customer_id from (
        select customer_id from loyalty_lot where remaining > 0 and expires_at <= ${moment}
        union select customer_id from loyalty_pending where arrived_at is null and arrives_at <= ${moment}
        union select customer_id from loyalty_voucher_cancel where cancelled_at is null) due
      where customer_id > ${last} order by customer_id limit ${batchSize}`);
    for (const { customer_id } of rows) await refreshAccount(database, Number(customer_id), now);
    if (rows.length < batchSize) return;
    last = Number(rows.at(-1)?.customer_id ?? last);
  }
}

interface StatusReached {
  customerId: number;
  tierId: number;
  at: string;
}

/** The email about a status that pending points reached when they arrived. */
async function sendStatusReached(database: Database, { customerId, tierId, at }: StatusReached, publicUrl: string) {
  const { tiers } = await queryProgramme(database, defaultProgrammeId, new Date(at));
  const tier = tiers.find(({ id }) => id === tierId);
  const locale = await languageOf(database, customerId);
  if (!tier || !locale) return;
  await queueEmail(database, customerId, tierCause(customerId, tierId, new Date(at)), locale, (firstname) =>
    tierEmail({ locale, publicUrl }, firstname, tier),
  );
}

interface Cancelled {
  customerId: number;
  voucherId: number;
}

/** The email that says why a voucher was cancelled. */
async function sendVoucherCancelled(database: Database, { customerId, voucherId }: Cancelled, publicUrl: string) {
  const { rows } = await database.execute<{ amountCents: number; points: number }>(sql`
    select amount_cents as "amountCents", points from loyalty_voucher
    where customer_id = ${customerId} and id = ${voucherId}`);
  const [voucher] = rows;
  const locale = await languageOf(database, customerId);
  if (!voucher || !locale) return;
  await queueEmail(database, customerId, `voucher-cancelled:${customerId}:${voucherId}`, locale, (firstname) =>
    voucherCancelledEmail({ locale, publicUrl }, firstname, voucher),
  );
}

/** None of a customer who was erased. */
async function languageOf(database: Database, customerId: number) {
  const [found] = await database
    .select({ language: customers.language })
    .from(customers)
    .where(eq(customers.id, customerId));
  return found?.language;
}

/** Debt is waived after twelve months, one customer at a time: no transaction locks two customers. */
async function waiveDebts(database: Database, now: Date): Promise<void> {
  const old = sql`${debts.remaining} > 0 and ${debts.owedAt} < ${now.toISOString()}::timestamptz - interval '12 months'`;
  const due = await database
    .selectDistinct({ customerId: debts.customerId })
    .from(debts)
    .where(old)
    .orderBy(debts.customerId);
  for (const { customerId } of due)
    await database.transaction(async (tx) => {
      // The customer first, as every movement of points does: a sale may be settling the same debt.
      await lockCustomer(tx, customerId);
      const waived = await tx
        .select({ id: debts.id, points: debts.remaining })
        .from(debts)
        .where(and(eq(debts.customerId, customerId), old))
        .orderBy(debts.id);
      for (const { id, points } of waived) {
        await tx
          .update(debts)
          .set({ waived: sql`${debts.waived} + ${debts.remaining}`, remaining: 0 })
          .where(and(eq(debts.customerId, customerId), eq(debts.id, id)));
        await writeAudit(tx, {
          ...{ madeBy: "job", action: "debt_waived", customerId, at: now },
          ...{ before: { debt: points }, after: { debt: 0 }, reason: "older than 12 months" },
        });
      }
    });
}

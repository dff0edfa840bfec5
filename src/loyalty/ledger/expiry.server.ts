import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { lockCustomer } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { expiryLetter, queueLetter } from "#loyalty/letters/letters.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { accounts, debts } from "./account.tables.server.ts";
import { expire } from "./ledger.server.ts";
import { lots } from "./ledger.tables.server.ts";

/** How many days before points expire the member is warned. */
const warningDays = 30;
const batchSize = 500;

const expireJob = "loyalty:expire";
const warnJob = "loyalty:warn";
const waiveJob = "loyalty:waive";

/** In UTC. Points expire at the end of the day in Paris, at 22:00 or 23:00 UTC; the warning is sent in the morning. */
export const loyaltySchedule = [
  { name: expireJob, pattern: "10 23 * * *" },
  { name: warnJob, pattern: "0 8 * * *" },
  { name: waiveJob, pattern: "20 23 * * *" },
];

export function loyaltyJobs({ publicUrl, now }: { publicUrl: string; now: () => Date }): Jobs {
  return {
    [expireJob]: (_, database) => expireAll(database, now()),
    [warnJob]: (_, database) => warnAll(database, publicUrl, now()),
    [waiveJob]: (_, database) => waiveDebts(database, now()),
  };
}

/** Writes the expiry entries, one customer at a time: no transaction locks two accounts. */
async function expireAll(database: Database, now: Date): Promise<void> {
  for (let last = 0; ; ) {
    const due = await database
      .selectDistinct({ customerId: lots.customerId })
      .from(lots)
      .where(sql`${lots.remaining} > 0 and ${lots.expiresAt} <= ${now.toISOString()} and ${lots.customerId} > ${last}`)
      .orderBy(lots.customerId)
      .limit(batchSize);
    for (const { customerId } of due) await expire(database, customerId, now);
    if (due.length < batchSize) return;
    last = due.at(-1)?.customerId ?? last;
  }
}

/** Debt is waived after twelve months, which the audit log says. */
async function waiveDebts(database: Database, now: Date): Promise<void> {
  await database.transaction(async (tx) => {
    const due = await tx
      .select({ customerId: debts.customerId, id: debts.id, points: debts.remaining })
      .from(debts)
      .where(sql`${debts.remaining} > 0 and ${debts.owedAt} < ${now.toISOString()}::timestamptz - interval '12 months'`)
      .orderBy(debts.customerId, debts.id)
      .for("update");
    for (const { customerId, id, points } of due) {
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

/**
 * Queues one letter per member about all points that expire within `warningDays` and were in no letter before. Days are
 * days in Paris (db/functions/club_day.sql).
 */
async function warnAll(database: Database, publicUrl: string, now: Date): Promise<void> {
  const at = now.toISOString();
  for (let last = 0; ; ) {
    const soon = await database
      .select({
        customerId: accounts.customerId,
        locale: customers.language,
        points: sql<number>`sum(${lots.remaining})::integer`,
        until: sql`max(${lots.expiresAt})`.mapWith(lots.expiresAt),
        day: sql<string>`club_day(max(${lots.expiresAt}))`,
      })
      .from(lots)
      .innerJoin(accounts, eq(accounts.customerId, lots.customerId))
      .innerJoin(customers, eq(customers.id, lots.customerId))
      .where(
        sql`${accounts.state} = 'active' and ${lots.remaining} > 0 and ${lots.customerId} > ${last}
          and ${lots.expiresAt} > greatest(${at}::timestamptz, ${accounts.warnedUntil})
          and ${lots.expiresAt} <= ${at}::timestamptz + make_interval(days => ${warningDays})`,
      )
      .groupBy(accounts.customerId, customers.language)
      .orderBy(accounts.customerId)
      .limit(batchSize);
    for (const expiring of soon) await warn(database, expiring, publicUrl);
    if (soon.length < batchSize) return;
    last = soon.at(-1)?.customerId ?? last;
  }
}

type ExpiringPoints = { customerId: number; locale: Locale; points: number; until: Date; day: string };

async function warn(database: Database, { customerId, locale, points, until, day }: ExpiringPoints, publicUrl: string) {
  await database.transaction(async (tx) => {
    if (!(await lockCustomer(tx, customerId))) return;
    // Marked first, so that of two processes that run the job at once only one queues the letter.
    const marked = await tx
      .update(accounts)
      .set({ warnedUntil: until })
      .where(
        and(eq(accounts.customerId, customerId), or(isNull(accounts.warnedUntil), lt(accounts.warnedUntil, until))),
      )
      .returning({ customerId: accounts.customerId });
    if (marked.length === 0) return;
    await queueLetter(tx, customerId, `lapse:${customerId}:${day}`, locale, (firstname) =>
      expiryLetter({ locale, publicUrl }, firstname, { points, day }),
    );
    await tx.execute(
      sql`select webhook_points_expiring(${customerId}::bigint, ${points}::integer, ${until.toISOString()}::timestamptz)`,
    );
  });
}

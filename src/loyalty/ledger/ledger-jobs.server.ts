import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#platform/database/database.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { debts } from "./account.tables.server.ts";
import { expire } from "./ledger.server.ts";
import { lots } from "./ledger.tables.server.ts";
import { warnAll } from "./warnings.server.ts";

const batchSize = 500;

const expireJob = "loyalty:expire";
const warnJob = "loyalty:warn";
const waiveJob = "loyalty:waive";

/** In UTC. Points expire at the end of the day in Paris, at 22:00 or 23:00 UTC; warnings are sent in the morning. */
export const ledgerSchedule = [
  { name: expireJob, pattern: "10 23 * * *" },
  { name: warnJob, pattern: "0 8 * * *" },
  { name: waiveJob, pattern: "20 23 * * *" },
];

export function ledgerJobs({ publicUrl, now }: { publicUrl: string; now: () => Date }): Jobs {
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

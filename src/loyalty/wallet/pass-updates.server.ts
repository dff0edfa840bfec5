import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";

/**
 * The job that updates a member's passes in both wallets; triggers queue it too (db/functions/queue_wallet.sql), also for
 * another name or language (db/functions/wallet_holder_changed.sql).
 */
export const walletJob = "loyalty:wallet";

/** One waiting job per member: another change before it runs needs no second one. */
export async function queueUpdate(queries: Queries, customerId: number, runAt?: Date): Promise<void> {
  await queueJob(queries, walletJob, { customerId }, { key: `wallet:${customerId}`, ...(runAt && { runAt }) });
}

/** Tells whether the content of a pass has changed since it was last sent. */
export function digestOf(content: object): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url");
}

const batchSize = 500;

/** Queues an update for everybody who holds a pass, a batch at a time. What has not changed is not sent again. */
export async function queueAllUpdates(database: Database): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await database.execute<{ id: string }>(sql`
      select id from (
        select customer_id as id from google_pass union select customer_id from apple_pass) holders
      where id > ${after} order by id limit ${batchSize}`);
    for (const { id } of rows) await queueUpdate(database, Number(id));
    if (rows.length < batchSize) return;
    after = Number(rows.at(-1)?.id);
  }
}

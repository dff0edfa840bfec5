import { createHash } from "node:crypto";
import type { Queries } from "#platform/database/database.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";

/** The job that updates a member's passes in both wallets; triggers queue it too (db/functions/queue_wallet.sql). */
export const walletJob = "loyalty:wallet";

/** One waiting job per member: another change before it runs needs no second one. */
export async function queueUpdate(queries: Queries, customerId: number, runAt?: Date): Promise<void> {
  await queueJob(queries, walletJob, { customerId }, { key: `wallet:${customerId}`, ...(runAt && { runAt }) });
}

/** Tells whether the content of a pass has changed since it was last sent. */
export function digestOf(content: object): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url");
}

import { eq } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";
import { appleDevices, applePasses, appleSerials, googlePasses } from "./wallet.tables.server.ts";

/** An update under way has given up by then. */
const lateUpdateMs = 5 * 60_000;

/** The name of the job that tells Google's wallet that a pass is over. */
export const endPassJob = "loyalty:wallet-end";

/**
 * Ends the passes of a customer who stays: whoever holds one learns nothing new by it. Apple's phones are answered that the
 * pass is unknown; at Google's wallet a job empties it. The next pass has a number of its own.
 */
export async function endPasses(tx: Queries, customerId: number): Promise<void> {
  await endApplePass(tx, customerId);
  const ended = await tx
    .delete(googlePasses)
    .where(eq(googlePasses.customerId, customerId))
    .returning({ objectId: googlePasses.objectId });
  for (const { objectId } of ended) {
    await queueJob(tx, endPassJob, { objectId });
    // Once more, after any update that was under way when the pass ended.
    await queueJob(tx, endPassJob, { objectId }, { runAt: new Date(Date.now() + lateUpdateMs) });
  }
}

/** Nothing leads from the pass to anybody, and no phone is told of it again. */
export async function endApplePass(tx: Queries, customerId: number): Promise<void> {
  await tx.delete(appleDevices).where(eq(appleDevices.customerId, customerId));
  await tx.delete(appleSerials).where(eq(appleSerials.customerId, customerId));
  await tx.delete(applePasses).where(eq(applePasses.customerId, customerId));
}

import { eq } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";
import { appleDevices, applePasses, appleSerials, googlePasses } from "./wallet.tables.server.ts";

/** An update that was in flight has revoked by then. */
const inFlightUpdateMs = 5 * 60_000;

/** The name of the job that expires a pass at Google. */
export const revokePassJob = "loyalty:wallet-end";

/**
 * Revokes the passes of a customer who stays, so that a phone that holds one gets no more updates. For Apple the pass is
 * unknown from now on; at Google a job empties it. The next pass has a new id.
 */
export async function revokePasses(tx: Queries, customerId: number): Promise<void> {
  await revokeApplePass(tx, customerId);
  const revoked = await tx
    .delete(googlePasses)
    .where(eq(googlePasses.customerId, customerId))
    .returning({ objectId: googlePasses.objectId });
  for (const { objectId } of revoked) {
    await queueJob(tx, revokePassJob, { objectId });
    // Once more, after any update that was in flight when the pass was revoked.
    await queueJob(tx, revokePassJob, { objectId }, { runAt: new Date(Date.now() + inFlightUpdateMs) });
  }
}

/** Deletes the pass, its serial and its phones, so that no phone is notified or served again. */
export async function revokeApplePass(tx: Queries, customerId: number): Promise<void> {
  await tx.delete(appleDevices).where(eq(appleDevices.customerId, customerId));
  await tx.delete(appleSerials).where(eq(appleSerials.customerId, customerId));
  await tx.delete(applePasses).where(eq(applePasses.customerId, customerId));
}

import { eq, sql } from "drizzle-orm";
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
  await revokeGooglePass(tx, customerId);
}

/**
 * The owner took the account back, and another person's phone may hold a pass: no phone gets updates any more. The owner adds
 * the card again. For Apple the pass keeps its serial number, so that a phone which holds the old one replaces it.
 * Returns whether there was a pass.
 */
export async function endPasses(tx: Queries, customerId: number): Promise<boolean> {
  // The pass before its devices: `registerDevice` locks it, and adds none after this.
  const renewed = await tx
    .update(applePasses)
    .set({ tokenNumber: sql`${applePasses.tokenNumber} + 1` })
    .where(eq(applePasses.customerId, customerId))
    .returning({ serial: applePasses.serial });
  await tx.delete(appleDevices).where(eq(appleDevices.customerId, customerId));
  return (await revokeGooglePass(tx, customerId)) || renewed.length > 0;
}

async function revokeGooglePass(tx: Queries, customerId: number): Promise<boolean> {
  const revoked = await tx
    .delete(googlePasses)
    .where(eq(googlePasses.customerId, customerId))
    .returning({ objectId: googlePasses.objectId });
  for (const { objectId } of revoked) {
    await queueJob(tx, revokePassJob, { objectId });
    // Once more, after any update that was in flight when the pass was revoked.
    await queueJob(tx, revokePassJob, { objectId }, { runAt: new Date(Date.now() + inFlightUpdateMs) });
  }
  return revoked.length > 0;
}

/** Deletes the pass, its serial and its phones, so that no phone is notified or served again. */
export async function revokeApplePass(tx: Queries, customerId: number): Promise<void> {
  await tx.delete(applePasses).where(eq(applePasses.customerId, customerId));
  await tx.delete(appleSerials).where(eq(appleSerials.customerId, customerId));
  await tx.delete(appleDevices).where(eq(appleDevices.customerId, customerId));
}

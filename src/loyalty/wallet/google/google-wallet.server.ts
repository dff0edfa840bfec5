import { and, eq, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import { clubDay } from "#i18n/club-day.ts";
import { readPassContent } from "#loyalty/wallet/pass-content.server.ts";
import { digestOf, queueUpdate } from "#loyalty/wallet/pass-updates.server.ts";
import { googlePasses } from "#loyalty/wallet/wallet.tables.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { GoogleIssuer } from "./google-issuer.server.ts";
import { expiredGoogleObject, googleClass, googleObject } from "./google-pass.server.ts";

/** Google drops notifications beyond this. */
const notificationsPerDay = 3;
/** For so many days after a link was issued, an unsaved pass is tried again. */
const unusedLinkDays = 30;

interface PassContext {
  publicUrl: string;
  now: Date;
}

/**
 * The link that saves the member's card to Google Wallet. The pass's row is stored before the content is read: from then
 * on the trigger `wallet_changed` (db/functions/wallet_changed.sql) queues an update for every change.
 */
export async function googleSaveUrl(
  queries: Queries,
  issuer: GoogleIssuer,
  customerId: number,
  { publicUrl, now }: PassContext,
): Promise<string> {
  const member = await readPassContent(queries, customerId, now);
  if (member?.state !== "active") throw new Refusal("not_a_member");
  await queries.insert(googlePasses).values({ customerId, issuedAt: now }).onConflictDoNothing();
  const [pass] = await queries.select().from(googlePasses).where(eq(googlePasses.customerId, customerId));
  const content = await readPassContent(queries, customerId, now);
  if (!pass || !content) throw new Refusal("not_a_member");
  const passContext = { issuerId: issuer.issuerId, publicUrl };
  const object = googleObject(passContext, pass.objectId, content);
  // For a pass that was sent before, the digest of the last update stays: the link does not change a saved pass.
  await queries
    .update(googlePasses)
    .set({ told: digestOf(object), reviewOn: content.tierUntil })
    .where(and(eq(googlePasses.customerId, customerId), isNull(googlePasses.told)));
  return issuer.saveUrl({ loyaltyClasses: [googleClass(passContext)], loyaltyObjects: [object] });
}

/**
 * Sends the member's pass to Google as it is now. Idempotent: the same content is sent once. Google is called outside
 * any transaction: a call may take seconds, and must not hold a connection of the pool.
 */
export async function updateGooglePass(
  database: Database,
  issuer: GoogleIssuer,
  customerId: number,
  { publicUrl, now }: PassContext,
): Promise<void> {
  const passContext = { issuerId: issuer.issuerId, publicUrl };
  const readState = async () => {
    const [pass] = await database.select().from(googlePasses).where(eq(googlePasses.customerId, customerId));
    if (!pass) return undefined;
    const content = await readPassContent(database, customerId, now);
    const revoked = !content || content.state === "erased";
    const object = revoked ? expiredGoogleObject() : googleObject(passContext, pass.objectId, content);
    return { pass, revoked, object, digest: digestOf(object), reviewOn: content?.tierUntil ?? null };
  };
  const before = await readState();
  if (!before || before.digest === before.pass.told) return;
  const lease = await takeLease(database, customerId);
  // Another job is sending an update, or was killed while it did: retry when its lease has expired.
  if (!lease) return queueUpdate(database, customerId, new Date(Date.now() + leaseSeconds * 1_000));
  const mine = and(eq(googlePasses.customerId, customerId), eq(googlePasses.leasedUntil, lease));
  const release = { leasedUntil: null };
  try {
    // Read again under the lease: of two concurrent jobs, the earlier must not overwrite the later one's update.
    const current = await readState();
    if (!current || current.digest === current.pass.told) {
      await database.update(googlePasses).set(release).where(mine);
      return;
    }
    const { pass, revoked, object, digest, reviewOn } = current;
    // Recorded before anything is sent: after a crash in between, the phone must not be notified twice.
    const notify = !revoked && (await takeNotification(database, customerId, digest, now));
    const saved = await issuer.patch(`${issuer.issuerId}.${pass.objectId}`, {
      ...object,
      ...(notify && { notifyPreference: "NOTIFY_ON_UPDATE" }),
    });
    if (revoked) {
      await database.delete(googlePasses).where(mine);
      return;
    }
    // Not saved yet: retried each night, as long as a person may still follow the link.
    const mayBeSaved = now.getTime() - pass.issuedAt.getTime() < unusedLinkDays * 86_400_000;
    const outcome = saved ? { told: digest, reviewOn } : { reviewOn: mayBeSaved ? dayAfter(now) : null };
    await database
      .update(googlePasses)
      .set({ ...outcome, ...release })
      .where(mine);
    // A job for a change in the meantime found the lease taken: another is queued now, so that it need not expire first.
    const after = await readState();
    if (after && after.digest !== digest) await queueUpdate(database, customerId);
  } catch (error) {
    // As far as we know Google did not take the update: the retry may start at once, and may notify the phone.
    await database
      .update(googlePasses)
      .set({ ...release, notified: null })
      .where(mine);
    throw error;
  }
}

/** Longer than the timeouts for an access token and an update together. */
const leaseSeconds = 30;

/** Takes a lease on the pass, if no one holds one. Returns its end, to the millisecond, which identifies this lease. */
async function takeLease(queries: Queries, customerId: number): Promise<Date | undefined> {
  const [taken] = await queries
    .update(googlePasses)
    .set({ leasedUntil: sql`date_trunc('milliseconds', now() + make_interval(secs => ${leaseSeconds}))` })
    .where(
      and(
        eq(googlePasses.customerId, customerId),
        or(isNull(googlePasses.leasedUntil), lte(googlePasses.leasedUntil, sql`now()`)),
      ),
    )
    .returning({ until: googlePasses.leasedUntil });
  return taken?.until ?? undefined;
}

/** Queues an update for passes whose review day has come: a tier may end without any movement of points. */
export async function reviewGooglePasses(database: Database, now: Date): Promise<void> {
  const due = await database
    .select({ customerId: googlePasses.customerId })
    .from(googlePasses)
    .where(and(isNotNull(googlePasses.reviewOn), lt(googlePasses.reviewOn, clubDay(now))));
  for (const { customerId } of due) await queueUpdate(database, customerId);
}

/** Uses up one of the day's notifications, if one is left and this content was not notified before. */
async function takeNotification(queries: Queries, customerId: number, digest: string, now: Date): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const recent = sql`array(select moment from unnest(${googlePasses.notifiedAt}) moment where moment > ${at} - interval '24 hours')`;
  const taken = await queries
    .update(googlePasses)
    .set({ notifiedAt: sql`${recent} || ${at}`, notified: digest })
    .where(
      and(
        eq(googlePasses.customerId, customerId),
        sql`${googlePasses.notified} is distinct from ${digest}`,
        sql`cardinality(${recent}) < ${notificationsPerDay}`,
      ),
    )
    .returning({ customerId: googlePasses.customerId });
  return taken.length > 0;
}

function dayAfter(now: Date): string {
  return clubDay(new Date(now.getTime() + 86_400_000));
}

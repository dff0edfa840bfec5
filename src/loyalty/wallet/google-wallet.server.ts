import { createHash } from "node:crypto";
import { and, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { GoogleIssuer } from "./google-issuer.server.ts";
import { endedGoogleObject, googleClass, googleObject } from "./google-pass.server.ts";
import { readPassFacts } from "./pass-facts.server.ts";
import { googlePasses } from "./wallet.tables.server.ts";

/** The provider drops what comes beyond this, and so would a customer's patience. */
const noticesADay = 3;
/** How long a link that was given out may still be used for the first time. */
const savedLateDays = 30;

export const walletJob = "loyalty:wallet";

interface Place {
  publicUrl: string;
  now: Date;
}

/**
 * The link that puts the member's card into the wallet. That it was given out is noted first: a change of points
 * that happens from here on is told to the provider, one before is in the link.
 */
export async function googleSaveUrl(
  queries: Queries,
  issuer: GoogleIssuer,
  customerId: number,
  { publicUrl, now }: Place,
): Promise<string> {
  const member = await readPassFacts(queries, customerId, now);
  if (member?.state !== "active") throw new Refusal("not_a_member");
  await queries.insert(googlePasses).values({ customerId, issuedAt: now }).onConflictDoNothing();
  const [pass] = await queries.select().from(googlePasses).where(eq(googlePasses.customerId, customerId));
  const facts = await readPassFacts(queries, customerId, now);
  if (!pass || !facts) throw new Refusal("not_a_member");
  const place = { issuerId: issuer.issuerId, publicUrl };
  const object = googleObject(place, pass.objectId, facts);
  // A pass that is in the wallet already knows what it was told last; the link does not change it.
  await queries
    .update(googlePasses)
    .set({ told: digestOf(object), reviewOn: facts.tierUntil })
    .where(and(eq(googlePasses.customerId, customerId), isNull(googlePasses.told)));
  return issuer.saveUrl({ loyaltyClasses: [googleClass(place)], loyaltyObjects: [object] });
}

/**
 * Tells the provider how the member's pass looks now. May run twice: the same is told once. The provider is called
 * outside any transaction: it may take seconds, and a connection of the pool must not wait for it.
 */
export async function updateGooglePass(
  database: Database,
  issuer: GoogleIssuer,
  customerId: number,
  { publicUrl, now }: Place,
): Promise<void> {
  const place = { issuerId: issuer.issuerId, publicUrl };
  const look = async () => {
    const [pass] = await database.select().from(googlePasses).where(eq(googlePasses.customerId, customerId));
    if (!pass) return undefined;
    const facts = await readPassFacts(database, customerId, now);
    const ended = !facts || facts.state === "erased";
    const object = ended ? endedGoogleObject() : googleObject(place, pass.objectId, facts);
    return { pass, ended, object, digest: digestOf(object), reviewOn: facts?.tierUntil ?? null };
  };
  const before = await look();
  if (!before || before.digest === before.pass.told) return;
  const lease = await takeLease(database, customerId);
  // Another job is telling the provider, or was killed while it did: look again when its lease has ended.
  if (!lease) return queueUpdate(database, customerId, new Date(Date.now() + leaseSeconds * 1_000));
  const mine = and(eq(googlePasses.customerId, customerId), eq(googlePasses.leasedUntil, lease));
  const release = { leasedUntil: null };
  try {
    // Read with the lease in hand: of two jobs at once, the later must not be overtaken by the earlier.
    const current = await look();
    if (!current || current.digest === current.pass.told) {
      await database.update(googlePasses).set(release).where(mine);
      return;
    }
    const { pass, ended, object, digest, reviewOn } = current;
    // Taken for good before anything is sent: a process killed in between must not give it out again.
    const notify = !ended && (await takeNotice(database, customerId, digest, now));
    const saved = await issuer.patch(`${issuer.issuerId}.${pass.objectId}`, {
      ...object,
      ...(notify && { notifyPreference: "NOTIFY_ON_UPDATE" }),
    });
    if (ended) {
      await database.delete(googlePasses).where(mine);
      return;
    }
    // Not in the wallet yet: looked at again each night, as long as somebody may still follow the link.
    const young = now.getTime() - pass.issuedAt.getTime() < savedLateDays * 86_400_000;
    const outcome = saved ? { told: digest, reviewOn } : { reviewOn: young ? dayAfter(now) : null };
    await database
      .update(googlePasses)
      .set({ ...outcome, ...release })
      .where(mine);
    // What changed meanwhile met the lease: its job need not wait for the end of it.
    const after = await look();
    if (after && after.digest !== digest) await queueUpdate(database, customerId);
  } catch (error) {
    // As far as we know nothing was taken: the next try may begin at once, and may make the phone notice.
    await database
      .update(googlePasses)
      .set({ ...release, noticed: null })
      .where(mine);
    throw error;
  }
}

/** Longer than the provider's time limits for a token and an update together. */
const leaseSeconds = 30;

/** The end of a lease on the pass, to the millisecond, if nobody else holds one. It tells this lease from a later one. */
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

async function queueUpdate(queries: Queries, customerId: number, runAt?: Date): Promise<void> {
  await queueJob(queries, walletJob, { customerId }, { key: `wallet:${customerId}`, ...(runAt && { runAt }) });
}

/** Passes whose day to look again has come: a status may lapse with the calendar alone. */
export async function reviewGooglePasses(database: Database, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  const due = await database
    .select({ customerId: googlePasses.customerId })
    .from(googlePasses)
    .where(and(isNotNull(googlePasses.reviewOn), lte(googlePasses.reviewOn, today)));
  for (const { customerId } of due) await queueUpdate(database, customerId);
}

/** One of the day's notices, if any is left and the same was not noticed before. */
async function takeNotice(queries: Queries, customerId: number, digest: string, now: Date): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const recent = sql`array(select moment from unnest(${googlePasses.noticedAt}) moment where moment > ${at} - interval '24 hours')`;
  const taken = await queries
    .update(googlePasses)
    .set({ noticedAt: sql`${recent} || ${at}`, noticed: digest })
    .where(
      and(
        eq(googlePasses.customerId, customerId),
        sql`${googlePasses.noticed} is distinct from ${digest}`,
        sql`cardinality(${recent}) < ${noticesADay}`,
      ),
    )
    .returning({ customerId: googlePasses.customerId });
  return taken.length > 0;
}

function digestOf(object: object): string {
  return createHash("sha256").update(JSON.stringify(object)).digest("base64url");
}

function dayAfter(now: Date): string {
  return new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10);
}

import { createHash } from "node:crypto";
import { and, eq, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Database, Queries } from "#platform/database.server.ts";
import { queueJob } from "#platform/jobs.server.ts";
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

/** Tells the provider how the member's pass looks now. May run twice: the same is told once. */
export async function updateGooglePass(
  database: Database,
  issuer: GoogleIssuer,
  customerId: number,
  { publicUrl, now }: Place,
): Promise<void> {
  const place = { issuerId: issuer.issuerId, publicUrl };
  const look = async (queries: Queries) => {
    const rows = queries.select().from(googlePasses).where(eq(googlePasses.customerId, customerId));
    // Held while the provider is told: of two jobs at once, the later must not be overtaken by the earlier.
    const [pass] = await (queries === database ? rows : rows.for("update"));
    if (!pass) return undefined;
    const facts = await readPassFacts(queries, customerId, now);
    const ended = !facts || facts.state === "erased";
    const object = ended ? endedGoogleObject() : googleObject(place, pass.objectId, facts);
    return { pass, ended, object, reviewOn: facts?.tierUntil ?? null, changed: digestOf(object) !== pass.told };
  };
  const before = await look(database);
  if (!before?.changed) return;
  // Taken for good before anything is sent: a process killed in between must not give it out again.
  const notify = !before.ended && (await takeNotice(database, customerId, now));
  await database.transaction(async (tx) => {
    const current = await look(tx);
    if (!current?.changed) return;
    const { pass, ended, object, reviewOn } = current;
    const saved = await issuer.patch(`${issuer.issuerId}.${pass.objectId}`, {
      ...object,
      ...(notify && !ended && { notifyPreference: "NOTIFY_ON_UPDATE" }),
    });
    if (ended) {
      await tx.delete(googlePasses).where(eq(googlePasses.customerId, customerId));
      return;
    }
    const mine = tx.update(googlePasses);
    // Not in the wallet yet: looked at again each night, as long as somebody may still follow the link.
    const young = now.getTime() - pass.issuedAt.getTime() < savedLateDays * 86_400_000;
    await mine
      .set(saved ? { told: digestOf(object), reviewOn } : { reviewOn: young ? dayAfter(now) : null })
      .where(eq(googlePasses.customerId, customerId));
  });
}

/** Passes whose day to look again has come: a status may lapse with the calendar alone. */
export async function reviewGooglePasses(database: Database, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  const due = await database
    .select({ customerId: googlePasses.customerId })
    .from(googlePasses)
    .where(and(isNotNull(googlePasses.reviewOn), lte(googlePasses.reviewOn, today)));
  for (const { customerId } of due)
    await queueJob(database, walletJob, { customerId }, { key: `wallet:${customerId}` });
}

/** One of the day's notices, if any is left. */
async function takeNotice(queries: Queries, customerId: number, now: Date): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const recent = sql`array(select moment from unnest(${googlePasses.noticedAt}) moment where moment > ${at} - interval '24 hours')`;
  const taken = await queries
    .update(googlePasses)
    .set({ noticedAt: sql`${recent} || ${at}` })
    .where(and(eq(googlePasses.customerId, customerId), sql`cardinality(${recent}) < ${noticesADay}`))
    .returning({ customerId: googlePasses.customerId });
  return taken.length > 0;
}

function digestOf(object: object): string {
  return createHash("sha256").update(JSON.stringify(object)).digest("base64url");
}

function dayAfter(now: Date): string {
  return new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10);
}

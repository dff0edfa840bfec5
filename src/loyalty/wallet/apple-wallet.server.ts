import { createHash } from "node:crypto";
import { and, eq, gt, isNotNull, lte, sql } from "drizzle-orm";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { applePass } from "./apple-pass.server.ts";
import type { ApplePush } from "./apple-push.server.ts";
import type { AppleSigner } from "./apple-signer.server.ts";
import { walletJob } from "./google-wallet.server.ts";
import { endApplePass } from "./pass-end.server.ts";
import { type PassFacts, readPassFacts } from "./pass-facts.server.ts";
import { appleDevices, applePasses, appleSerials } from "./wallet.tables.server.ts";

interface Place {
  publicUrl: string;
  now: Date;
}

/** The member's pass, signed. Noted before it is made: a change from here on reaches the phone. */
export async function issueApplePass(
  queries: Queries,
  signer: AppleSigner,
  customerId: number,
  { publicUrl, now }: Place,
): Promise<Uint8Array<ArrayBuffer>> {
  const member = await readPassFacts(queries, customerId, now);
  if (member?.state !== "active") throw new Refusal("not_a_member");
  // One statement: there is no pass without its serial's way back to it.
  await queries.execute(sql`
    with created as (
      insert into apple_pass (customer_id, issued_at, changed_at)
      values (${customerId}, ${now.toISOString()}, ${wholeSecond(now).toISOString()})
      on conflict do nothing returning serial, customer_id
    )
    insert into apple_serial (serial, customer_id) select serial, customer_id from created`);
  const pass = await findPass(queries, customerId);
  const facts = await readPassFacts(queries, customerId, now);
  if (!pass || !facts) throw new Refusal("not_a_member");
  await queries
    .update(applePasses)
    .set({ shown: digestOf(facts), told: digestOf(facts), reviewOn: facts.tierUntil })
    .where(and(eq(applePasses.customerId, customerId), sql`${applePasses.shown} is null`));
  return applePass(signer, { serial: pass.serial, publicUrl, facts });
}

async function findPass(queries: Queries, customerId: number) {
  const [pass] = await queries.select().from(applePasses).where(eq(applePasses.customerId, customerId));
  return pass;
}

/** The pass of a serial number, with its member; nothing when nobody holds it any more. */
export async function findBySerial(queries: Queries, serial: string) {
  const [found] = await queries
    .select({ pass: applePasses })
    .from(appleSerials)
    .innerJoin(applePasses, eq(applePasses.customerId, appleSerials.customerId))
    .where(eq(appleSerials.serial, serial));
  return found?.pass;
}

/** Says whether the phone is new to this pass. */
export async function registerDevice(
  queries: Queries,
  device: { customerId: number; deviceId: string; pushToken: string; now: Date },
): Promise<boolean> {
  const { customerId, deviceId, pushToken, now } = device;
  const [kept] = await queries
    .insert(appleDevices)
    .values({ customerId, deviceId, pushToken, registeredAt: now })
    .onConflictDoUpdate({ target: [appleDevices.customerId, appleDevices.deviceId], set: { pushToken } })
    .returning({ fresh: sql<boolean>`xmax = 0` });
  return kept?.fresh ?? false;
}

export async function unregisterDevice(queries: Queries, customerId: number, deviceId: string): Promise<void> {
  await queries
    .delete(appleDevices)
    .where(and(eq(appleDevices.customerId, customerId), eq(appleDevices.deviceId, deviceId)));
}

/** The passes of a phone that have changed since it last asked. */
export async function changedPasses(queries: Queries, deviceId: string, since: Date) {
  return queries
    .select({ serial: applePasses.serial, changedAt: applePasses.changedAt })
    .from(appleDevices)
    .innerJoin(applePasses, eq(applePasses.customerId, appleDevices.customerId))
    .where(and(eq(appleDevices.deviceId, deviceId), gt(applePasses.changedAt, since)));
}

/** Notes that a pass shows something new and tells its phones. May run twice: what was told is not told again. */
export async function updateApplePass(
  database: Database,
  push: ApplePush,
  customerId: number,
  now: Date,
): Promise<void> {
  const facts = await readPassFacts(database, customerId, now);
  const pass = await findPass(database, customerId);
  if (!pass) return;
  if (!facts || facts.state === "erased") return database.transaction((tx) => endApplePass(tx, customerId));
  const shown = digestOf(facts);
  if (pass.shown !== shown)
    await database
      .update(applePasses)
      .set({
        shown,
        reviewOn: facts.tierUntil,
        // Phones compare whole seconds: two changes within one must not look like the same.
        changedAt: sql`greatest(${wholeSecond(now).toISOString()}::timestamptz, ${applePasses.changedAt} + interval '1 second')`,
      })
      .where(eq(applePasses.customerId, customerId));
  if (pass.told === shown) return;
  const devices = await database.select().from(appleDevices).where(eq(appleDevices.customerId, customerId));
  const gone = await push(devices.map(({ pushToken }) => pushToken));
  for (const { deviceId, pushToken } of devices)
    if (gone.includes(pushToken)) await unregisterDevice(database, customerId, deviceId);
  await database.update(applePasses).set({ told: shown }).where(eq(applePasses.customerId, customerId));
}

export async function reviewApplePasses(database: Database, now: Date): Promise<void> {
  const due = await database
    .select({ customerId: applePasses.customerId })
    .from(applePasses)
    .where(and(isNotNull(applePasses.reviewOn), lte(applePasses.reviewOn, now.toISOString().slice(0, 10))));
  for (const { customerId } of due)
    await queueJob(database, walletJob, { customerId }, { key: `wallet:${customerId}` });
}

function digestOf(facts: PassFacts): string {
  return createHash("sha256").update(JSON.stringify(facts)).digest("base64url");
}

const wholeSecond = (moment: Date) => new Date(Math.floor(moment.getTime() / 1_000) * 1_000);

import { and, eq, gt, isNotNull, lt, sql } from "drizzle-orm";
import { clubDay } from "#i18n/club-day.ts";
import { readPassContent } from "#loyalty/wallet/pass-content.server.ts";
import { digestOf, queueUpdate } from "#loyalty/wallet/pass-updates.server.ts";
import { revokeApplePass } from "#loyalty/wallet/revoke-passes.server.ts";
import { appleDevices, applePasses, appleSerials } from "#loyalty/wallet/wallet.tables.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { applePass } from "./apple-pass.server.ts";
import type { ApplePush } from "./apple-push.server.ts";
import type { AppleSigner } from "./apple-signer.server.ts";

interface PassContext {
  publicUrl: string;
  now: Date;
}

/**
 * The member's pass, signed. Its row is stored before the content is read: from then on the trigger `wallet_changed`
 * (db/functions/wallet_changed.sql) queues an update for every change.
 */
export async function issueApplePass(
  queries: Queries,
  signer: AppleSigner,
  customerId: number,
  { publicUrl, now }: PassContext,
): Promise<Uint8Array<ArrayBuffer>> {
  const member = await readPassContent(queries, customerId, now);
  if (member?.state !== "active") throw new Refusal("not_a_member");
  // One statement, so that there is no pass without the row that finds it by its serial.
  await queries.execute(sql`
    with created as (
      insert into apple_pass (customer_id, issued_at, changed_at)
      values (${customerId}, ${now.toISOString()}, ${wholeSecond(now).toISOString()})
      on conflict do nothing returning serial, customer_id
    )
    insert into apple_serial (serial, customer_id) select serial, customer_id from created`);
  const pass = await findPass(queries, customerId);
  const content = await readPassContent(queries, customerId, now);
  if (!pass || !content) throw new Refusal("not_a_member");
  await queries
    .update(applePasses)
    .set({ shown: digestOf(content), told: digestOf(content), reviewOn: content.tierUntil })
    .where(and(eq(applePasses.customerId, customerId), sql`${applePasses.shown} is null`));
  return applePass(signer, { ...pass, publicUrl, content });
}

async function findPass(queries: Queries, customerId: number) {
  const [pass] = await queries.select().from(applePasses).where(eq(applePasses.customerId, customerId));
  return pass;
}

/** The pass of a serial number, with its member; undefined once it was revoked. */
export async function findBySerial(queries: Queries, serial: string) {
  const [found] = await queries
    .select({ pass: applePasses })
    .from(appleSerials)
    .innerJoin(applePasses, eq(applePasses.customerId, appleSerials.customerId))
    .where(eq(appleSerials.serial, serial));
  return found?.pass;
}

/** As many devices hold a pass at a time. A customer has a few; without a limit one pass could register any number. */
export const maxDevicesPerPass = 10;

/**
 * Registers a device for a pass; beyond the limit the one whose registration is oldest leaves, so that a customer's new
 * phone is never refused. Returns whether the device is new to the pass, undefined when the token has ended meanwhile.
 */
export async function registerDevice(
  database: Database,
  { customerId, tokenNumber }: { customerId: number; tokenNumber: number },
  device: { deviceId: string; pushToken: string; now: Date },
): Promise<boolean | undefined> {
  const { deviceId, pushToken, now } = device;
  return database.transaction(async (tx) => {
    // Lock the pass: devices that register at once are counted one after the other, and none after the token has ended.
    const [pass] = await tx
      .select({ customerId: applePasses.customerId })
      .from(applePasses)
      .where(and(eq(applePasses.customerId, customerId), eq(applePasses.tokenNumber, tokenNumber)))
      .for("no key update");
    if (!pass) return undefined;
    const [stored] = await tx
      .insert(appleDevices)
      .values({ customerId, deviceId, pushToken, registeredAt: now })
      .onConflictDoUpdate({
        target: [appleDevices.customerId, appleDevices.deviceId],
        set: { pushToken, registeredAt: now },
      })
      .returning({ fresh: sql<boolean>`xmax = 0` });
    await tx.execute(sql`
      delete from apple_device where customer_id = ${customerId} and device_id in (
        select device_id from apple_device where customer_id = ${customerId}
        order by device_id = ${deviceId} desc, registered_at desc offset ${maxDevicesPerPass})`);
    return stored?.fresh ?? false;
  });
}

export async function unregisterDevice(queries: Queries, customerId: number, deviceId: string): Promise<void> {
  await queries
    .delete(appleDevices)
    .where(and(eq(appleDevices.customerId, customerId), eq(appleDevices.deviceId, deviceId)));
}

/** The passes of a phone that have changed since its last request. */
export async function changedPasses(queries: Queries, deviceId: string, since: Date) {
  return queries
    .select({ serial: applePasses.serial, changedAt: applePasses.changedAt })
    .from(appleDevices)
    .innerJoin(applePasses, eq(applePasses.customerId, appleDevices.customerId))
    .where(and(eq(appleDevices.deviceId, deviceId), gt(applePasses.changedAt, since)));
}

/** Stores that a pass's content has changed and notifies its phones. Idempotent: the same content is pushed once. */
export async function updateApplePass(
  database: Database,
  push: ApplePush,
  customerId: number,
  now: Date,
): Promise<void> {
  const content = await readPassContent(database, customerId, now);
  const pass = await findPass(database, customerId);
  if (!pass) return;
  if (!content || content.state === "erased") return database.transaction((tx) => revokeApplePass(tx, customerId));
  const shown = digestOf(content);
  if (pass.shown !== shown)
    await database
      .update(applePasses)
      .set({
        shown,
        reviewOn: content.tierUntil,
        // Phones compare whole seconds: two changes within one second need different times.
        changedAt: sql`greatest(${wholeSecond(now).toISOString()}::timestamptz, ${applePasses.changedAt} + interval '1 second')`,
      })
      .where(eq(applePasses.customerId, customerId));
  if (pass.told === shown) return;
  const devices = await database.select().from(appleDevices).where(eq(appleDevices.customerId, customerId));
  const invalidTokens = await push(devices.map(({ pushToken }) => pushToken));
  for (const { deviceId, pushToken } of devices)
    if (invalidTokens.includes(pushToken)) await unregisterDevice(database, customerId, deviceId);
  await database.update(applePasses).set({ told: shown }).where(eq(applePasses.customerId, customerId));
}

export async function reviewApplePasses(database: Database, now: Date): Promise<void> {
  const due = await database
    .select({ customerId: applePasses.customerId })
    .from(applePasses)
    .where(and(isNotNull(applePasses.reviewOn), lt(applePasses.reviewOn, clubDay(now))));
  for (const { customerId } of due) await queueUpdate(database, customerId);
}

const wholeSecond = (moment: Date) => new Date(Math.floor(moment.getTime() / 1_000) * 1_000);

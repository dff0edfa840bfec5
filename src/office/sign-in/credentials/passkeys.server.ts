import { createHmac } from "node:crypto";
import { and, asc, eq, isNull } from "drizzle-orm";
import { installedBrand } from "#brand/brand.server.ts";
import { maxPasskeys } from "#identity/passkeys/passkeys.server.ts";
import { deviceName } from "#identity/session/device/device-name.server.ts";
import { entryOf } from "#office/audit.server.ts";
import type { OfficeLimits } from "#office/sign-in/limits.server.ts";
import { staffCompanyAccounts, staffPasskeys, staffSessions } from "#office/sign-in/office.tables.server.ts";
import { type OfficeCall, openFor, recordProof, type WaysIn } from "#office/sign-in/sign-in.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import {
  authenticationOptions,
  registrationOptions,
  verifyAuthentication,
  verifyRegistration,
} from "#platform/webauthn/ceremonies.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import { staff } from "#staff/staff.tables.server.ts";

const signInSubject = "office sign-in";
/** Bound to the session in which the fresh proof was given. */
const addingSubject = ({ tokenHash }: OfficeCaller) => `office session ${tokenHash.toString("base64url")}`;
const party = ({ publicUrl }: Settings) => ({ name: installedBrand().Name, publicUrl });

interface PasskeyDependencies {
  database: Database;
  settings: Settings;
  pins: Pins;
  limits: OfficeLimits;
}

/** Options to sign in or to prove oneself, the same for everybody. */
export function signInOptions({ database, settings, limits }: PasskeyDependencies, address: string) {
  return limits.challenge(address, async () => ({
    ...(await authenticationOptions(database, party(settings), signInSubject)),
  }));
}

/** Checks a passkey, and does the work in the transaction that counts its use. Whatever is wrong, the refusal is the same. */
async function withPasskey<T>(
  { database, settings, limits }: PasskeyDependencies,
  response: string,
  { address, now }: OfficeCall,
  work: (tx: Queries, person: Pick<typeof staff.$inferSelect, "id" | "shopId" | "email" | "role">) => Promise<T>,
): Promise<T> {
  return limits.guess(address, async () => {
    const find = (id: string) => findPasskey(database, id);
    const used = await verifyAuthentication(database, party(settings), signInSubject, response, find);
    return database.transaction(async (tx) => {
      // Either may have ended while the passkey was being checked.
      const kept = await tx
        .update(staffPasskeys)
        .set({ counter: used.counter, usedAt: now })
        .where(eq(staffPasskeys.credentialId, Buffer.from(used.id, "base64url")))
        .returning({ staffId: staffPasskeys.staffId });
      const [person] = await tx
        .select({ id: staff.id, shopId: staff.shopId, email: staff.email, role: staff.role })
        .from(staff)
        .where(and(eq(staff.id, kept[0]?.staffId ?? 0), isNull(staff.endedAt)));
      if (!person) throw new Refusal("passkey_invalid");
      return work(tx, person);
    });
  });
}

async function findPasskey(queries: Queries, credentialId: string) {
  const [found] = await queries
    .select()
    .from(staffPasskeys)
    .where(eq(staffPasskeys.credentialId, Buffer.from(credentialId, "base64url")));
  if (!found) return undefined;
  const { publicKey, counter, transports } = found;
  return { id: found.credentialId.toString("base64url"), publicKey, counter, transports };
}

export const signInWithPasskey = (deps: PasskeyDependencies & { waysIn: WaysIn }, response: string, call: OfficeCall) =>
  withPasskey(deps, response, call, (tx, person) => openFor(tx, deps.waysIn, person, call, "passkey"));

/** A fresh proof of the person who is signed in, with a passkey of their own. */
export const proveByPasskey = (deps: PasskeyDependencies, caller: OfficeCaller, response: string, call: OfficeCall) =>
  withPasskey(deps, response, call, async (tx, person) => {
    if (person.id !== caller.staffId) throw new Refusal("passkey_invalid");
    await recordProof(tx, caller, call, "passkey");
  });

/** Options for a new passkey of the person who is signed in. */
export async function newPasskeyOptions({ database, settings, pins }: PasskeyDependencies, caller: OfficeCaller) {
  const [person] = await database.select().from(staff).where(eq(staff.id, caller.staffId));
  if (!person) throw new Refusal("not_signed_in");
  const stored = await database.select().from(staffPasskeys).where(eq(staffPasskeys.staffId, person.id));
  const user = {
    // Opaque, and the same for all passkeys of a person.
    id: new Uint8Array(createHmac("sha256", pins.keyed("passkey users")).update(String(person.id)).digest()),
    name: person.email,
    displayName: `${person.firstname} ${person.lastname}`,
    known: stored.map(({ credentialId, transports }) => ({ id: credentialId.toString("base64url"), transports })),
  };
  return { ...(await registrationOptions(database, party(settings), addingSubject(caller), user)) };
}

/** Adds a passkey. The challenge of its options was issued to this session alone. */
export async function addPasskey(
  { database, settings }: PasskeyDependencies,
  caller: OfficeCaller,
  { Response, Name }: { Response: string; Name?: string | undefined },
  { request, requestId, now }: OfficeCall,
): Promise<void> {
  const credential = await verifyRegistration(database, party(settings), addingSubject(caller), Response);
  const { publicKey, counter, transports } = credential;
  const name = Name ?? deviceName(request.headers.get("user-agent")) ?? installedBrand().Name;
  const { staffId } = caller;
  await database.transaction(async (tx) => {
    // One after the other, so that there are never too many; and no one who has ended meanwhile.
    const [person] = await tx
      .select({ id: staff.id })
      .from(staff)
      .where(and(eq(staff.id, staffId), isNull(staff.endedAt)))
      .for("update");
    // A recovery ends the session while this call waits for the lock.
    const [session] = await tx.select().from(staffSessions).where(eq(staffSessions.tokenHash, caller.tokenHash));
    if (!person || !session) throw new Refusal("not_signed_in");
    const stored = await tx.select().from(staffPasskeys).where(eq(staffPasskeys.staffId, staffId));
    if (stored.length >= maxPasskeys) throw new Refusal("passkey_limit");
    const added = await tx
      .insert(staffPasskeys)
      .values({
        ...{ credentialId: Buffer.from(credential.id, "base64url"), staffId, name },
        ...{ publicKey, counter, transports, createdAt: now },
      })
      .onConflictDoNothing()
      .returning({ staffId: staffPasskeys.staffId });
    if (added.length === 0) throw new Refusal("passkey_known");
    await writeAudit(tx, entryOf(caller, { action: "office_passkey", requestId, at: now }));
  });
}

/** The passkeys of the person who is signed in, the oldest first. */
export async function listPasskeys(database: Database, { staffId }: OfficeCaller) {
  const stored = await database
    .select()
    .from(staffPasskeys)
    .where(eq(staffPasskeys.staffId, staffId))
    .orderBy(asc(staffPasskeys.createdAt));
  const linked = await database
    .select({ staffId: staffCompanyAccounts.staffId })
    .from(staffCompanyAccounts)
    .where(eq(staffCompanyAccounts.staffId, staffId));
  return {
    CompanyLinked: linked.length > 0,
    Passkeys: stored.map(({ credentialId, name, createdAt, usedAt }) => ({
      IdPasskey: credentialId.toString("base64url"),
      Name: name,
      CreatedAt: createdAt.toISOString(),
      UsedAt: usedAt?.toISOString() ?? null,
    })),
  };
}

/** Password and code stay as a way in. */
export async function removePasskey(
  database: Database,
  caller: OfficeCaller,
  id: string,
  { requestId, now }: Pick<OfficeCall, "requestId" | "now">,
): Promise<void> {
  await database.transaction(async (tx) => {
    const removed = await tx
      .delete(staffPasskeys)
      .where(
        and(eq(staffPasskeys.credentialId, Buffer.from(id, "base64url")), eq(staffPasskeys.staffId, caller.staffId)),
      )
      .returning({ staffId: staffPasskeys.staffId });
    if (removed.length === 0) throw new Refusal("not_found");
    await writeAudit(tx, entryOf(caller, { action: "office_passkey_removed", requestId, at: now }));
  });
}

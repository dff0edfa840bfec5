import { createHmac } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { installedBrand } from "#brand/brand.server.ts";
import { lockCustomer } from "#identity/customer/customer.server.ts";
import { writtenEmail } from "#identity/customer/email/punycode.ts";
import { passkeyCredentials, passkeys } from "#identity/customer/passkey.tables.server.ts";
import type { AuthDataResponse } from "#identity/customer/responses.server.ts";
import { countWaysIn } from "#identity/customer/ways-in.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { emails } from "#identity/links/emails.server.ts";
import { deviceName } from "#identity/session/device/device-name.server.ts";
import { openSessionForRequest, signInResponse } from "#identity/session/open-session.server.ts";
import { type SessionKey, withLockedSession } from "#identity/session/reauthentication/locked-session.server.ts";
import { requireReauthentication } from "#identity/session/reauthentication/reauthentication.server.ts";
import { defineRead, isoMoment, readById } from "#platform/api/reads.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import {
  authenticationOptions,
  type Credential,
  registrationOptions,
  verifyAuthentication,
  verifyRegistration,
} from "#platform/webauthn/ceremonies.server.ts";

export const maxPasskeys = 20;

const party = ({ publicUrl }: Settings) => ({ name: installedBrand().Name, publicUrl });
const signInSubject = "customer sign-in";
/** Bound to the session: a challenge that was issued after a proof in one session is no proof in another. */
const addingSubject = ({ customerId, sessionId }: SessionKey) => `customer ${customerId} session ${sessionId}`;

/** What an authenticator stores as the user: the same for all passkeys of a customer, and nothing that says who it is. */
export const createPasskeyUserId =
  (secret: () => Promise<Buffer>) =>
  async (customerId: number): Promise<Uint8Array<ArrayBuffer>> =>
    new Uint8Array(
      createHmac("sha256", await secret())
        .update(String(customerId))
        .digest(),
    );

/** Options for a new passkey. It adds a way to sign in, so it needs the password or a recent sign-in. */
export async function passkeyOptions(
  deps: Dependencies,
  input: { Password?: string | undefined },
  caller: SessionKey & { guest: boolean },
  call: RequestContext,
) {
  // A guest's address is not verified, and a guest has no account to sign in to.
  if (caller.guest) throw new Refusal("forbidden");
  await requireReauthentication(deps, input.Password, caller, call);
  const customer = await deps.readCustomer(caller.customerId);
  if (!customer) throw new Refusal("not_signed_in");
  const id = await deps.passkeyUserId(caller.customerId);
  const user = {
    id,
    name: writtenEmail(customer.Email),
    displayName: `${customer.Firstname} ${customer.Lastname}`.trim(),
  };
  const known = await findCredentials(deps.database, caller.customerId);
  // No lock: nothing is added yet, and a session that ends from now on ends what was issued for it.
  const { database, settings } = deps;
  return { ...(await registrationOptions(database, party(settings), addingSubject(caller), { ...user, known })) };
}

async function findCredentials(queries: Queries, customerId: number) {
  const rows = await queries
    .select({ id: passkeyCredentials.credentialId, transports: passkeys.transports })
    .from(passkeyCredentials)
    .innerJoin(passkeys, ownPasskey)
    .where(eq(passkeyCredentials.customerId, customerId));
  return rows.map(({ id, transports }) => ({ id: id.toString("base64url"), transports }));
}

const ownPasskey = and(
  eq(passkeys.customerId, passkeyCredentials.customerId),
  eq(passkeys.id, passkeyCredentials.passkeyId),
);

/** Adds a passkey. The challenge of its options is the recent proof; the session is checked again under the lock. */
export async function addPasskey(
  deps: Dependencies,
  input: { Response: string; Name?: string | undefined },
  caller: SessionKey & { guest: boolean },
  call: RequestContext,
) {
  if (caller.guest) throw new Refusal("forbidden");
  const { database, limits, settings } = deps;
  const recipient = await deps.readCustomer(caller.customerId);
  if (!recipient) throw new Refusal("not_signed_in");
  const name = input.Name ?? deviceName(call.request.headers.get("user-agent")) ?? installedBrand().Name;
  const add = (credential: Credential) => (maySend: boolean) =>
    withLockedSession(database, caller, async (tx, { customer }) => {
      const id = await insertPasskey(tx, customer.id, name, credential);
      if (!maySend) return;
      await queueMail(tx, {
        cause: `passkey:${customer.id}:${id}`,
        customerId: customer.id,
        to: customer.email,
        locale: call.locale,
        content: emails.passkeyAdded(settings, call.locale, customer.firstname),
      });
    });
  await limits.passkeyAdded(caller.customerId, async () => {
    const credential = await verifyRegistration(database, party(settings), addingSubject(caller), input.Response);
    await limits.emailTo(recipient, add(credential));
  });
  return listPasskeys(deps, caller.customerId);
}

async function insertPasskey(
  tx: Queries,
  customerId: number,
  name: string,
  { id, publicKey, counter, transports }: Credential,
): Promise<number> {
  const stored = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.customerId, customerId));
  if (stored.length >= maxPasskeys) throw new Refusal("passkey_limit");
  const [made] = await tx
    .insert(passkeys)
    .values({ customerId, name, publicKey, counter, transports })
    .returning({ id: passkeys.id });
  if (!made) throw new Error("The passkey was not stored.");
  const claimed = await tx
    .insert(passkeyCredentials)
    .values({ credentialId: Buffer.from(id, "base64url"), customerId, passkeyId: made.id })
    .onConflictDoNothing()
    .returning({ one: sql`1` });
  if (claimed.length === 0) throw new Refusal("passkey_known");
  return made.id;
}

/** Options to sign in with a passkey, for anybody. */
export function passkeySignInOptions({ database, limits, settings }: Dependencies, call: RequestContext) {
  return limits.passkeyOptions(call.address, async () => ({
    ...(await authenticationOptions(database, party(settings), signInSubject)),
  }));
}

/** Signs in with a passkey. Whatever is wrong, the refusal is the same. */
export async function signInWithPasskey(
  deps: Dependencies,
  input: { Response: string },
  call: RequestContext,
): Promise<AuthDataResponse> {
  const { database, limits, settings } = deps;
  const opened = await limits.passkeyGuess(call.address, async () => {
    const find = (id: string) => findPasskey(database, id);
    const used = await verifyAuthentication(database, party(settings), signInSubject, input.Response, find);
    return database.transaction(async (tx) => {
      // It may have been removed while it was being checked, by a reset for example.
      const customer = await lockCustomer(tx, used.customerId);
      const kept = await tx
        .update(passkeys)
        .set({ counter: used.counter, lastUsedAt: sql`now()` })
        .where(and(eq(passkeys.customerId, used.customerId), eq(passkeys.id, used.passkeyId)))
        .returning({ id: passkeys.id });
      if (!customer || kept.length === 0) throw new Refusal("passkey_invalid");
      return openSessionForRequest(tx, customer.id, call, { authenticated: true });
    });
  });
  return signInResponse(deps, call, opened);
}

async function findPasskey(queries: Queries, credentialId: string) {
  const id = Buffer.from(credentialId, "base64url");
  const [found] = await queries
    .select({
      customerId: passkeys.customerId,
      passkeyId: passkeys.id,
      publicKey: passkeys.publicKey,
      counter: passkeys.counter,
      transports: passkeys.transports,
    })
    .from(passkeyCredentials)
    .innerJoin(passkeys, ownPasskey)
    .where(eq(passkeyCredentials.credentialId, id));
  return found && { id: id.toString("base64url"), ...found };
}

export async function renamePasskey(deps: Dependencies, input: { id: number; Name: string }, caller: SessionKey) {
  const { customerId } = caller;
  await withLockedSession(deps.database, caller, async (tx) => {
    const renamed = await tx
      .update(passkeys)
      .set({ name: input.Name })
      .where(and(eq(passkeys.customerId, customerId), eq(passkeys.id, input.id)))
      .returning({ id: passkeys.id });
    if (renamed.length === 0) throw new Refusal("not_found");
  });
  return listPasskeys(deps, customerId);
}

/** Removes a passkey, unless it is the only way to sign in. */
export async function removePasskey(deps: Dependencies, id: number, caller: SessionKey) {
  const { customerId } = caller;
  await withLockedSession(deps.database, caller, async (tx, { customer }) => {
    const ways = await countWaysIn(tx, customer);
    const removed = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.customerId, customerId), eq(passkeys.id, id)))
      .returning({ id: passkeys.id });
    if (removed.length === 0) throw new Refusal("not_found");
    // The refusal rolls the removal back.
    if (ways === 1) throw new Refusal("last_way_in");
  });
  return listPasskeys(deps, customerId);
}

interface PasskeyRow {
  id: number;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** The passkeys of a customer, the newest first. */
export const passkeysRead = defineRead<object, PasskeyRow[]>(
  "passkeys",
  ({ customerId }) => sql`(
    select coalesce(json_agg(json_build_object(
      'id', id, 'name', name, 'createdAt', created_at, 'lastUsedAt', last_used_at) order by id desc), '[]')
    from passkey where customer_id = ${customerId})`,
);

/** The passkeys as the wire spells them. */
export const describePasskeys = (rows: PasskeyRow[]) => ({
  Passkeys: rows.map((row) => ({
    IdPasskey: row.id,
    Name: row.name,
    CreatedAt: isoMoment(row.createdAt),
    LastUsedAt: row.lastUsedAt && isoMoment(row.lastUsedAt),
  })),
});

export async function listPasskeys({ database }: Dependencies, customerId: number) {
  return describePasskeys(await readById(database, passkeysRead, { customerId, now: new Date(), values: {} }));
}

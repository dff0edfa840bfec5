import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import type { DeviceCookies } from "#identity/session/device/device-cookie.server.ts";
import { entryOf } from "#office/audit.server.ts";
import { matchTotp, newTotpSecret } from "#office/sign-in/credentials/totp.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import type { Sealing } from "#platform/database/keys/sealing.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import type { OfficeLimits } from "./limits.server.ts";
import { staffCompanyAccounts } from "./office.tables.server.ts";
import { openOfficeSession, renewProof } from "./session.server.ts";

/** Which ways in are open: with `required`, and for people who are linked, the account of the company alone, but for one owner. */
export interface WaysIn {
  required: boolean;
  /** The company's provider, where there is one. */
  issuer: string | undefined;
  emergencyOwner: string | undefined;
  /** Tells everybody in charge that the emergency owner has signed in. */
  alarm: (tx: Queries, person: { id: number; email: string }, call: OfficeCall) => Promise<void>;
}

interface SignInDependencies {
  waysIn: WaysIn;
  database: Database;
  passwords: PasswordHashes;
  sealing: Sealing;
  limits: OfficeLimits;
  deviceCookies: DeviceCookies;
}

export interface OfficeCall {
  request: Request;
  requestId: string;
  address: string;
  now: Date;
}

type Person = typeof staff.$inferSelect;

/**
 * Checks password and code. Whatever is wrong, the refusal is the same, after the same work. The code is used up in the
 * transaction of what it opens: of two requests with it only one succeeds.
 */
async function withCode<T>(
  { database, passwords, sealing }: SignInDependencies,
  { email, password, code }: { email: string; password: string; code: string },
  now: Date,
  work: (tx: Queries, person: Person) => Promise<T>,
): Promise<T> {
  const [found] = await database
    .select()
    .from(staff)
    .where(and(eq(staff.email, email), isNull(staff.endedAt)));
  const right = await passwords.matches(password, found?.passwordHash);
  const step = matchTotp(found?.totpSecret ? sealing.open(found.totpSecret) : newTotpSecret(), code, now);
  const id = found?.totpSecret && right && step !== undefined ? found.id : 0;
  return database.transaction(async (tx) => {
    const [person] = await tx
      .update(staff)
      .set({ totpStep: step ?? 0 })
      .where(
        and(
          eq(staff.id, id),
          isNull(staff.endedAt),
          // Neither was replaced by an invitation meanwhile.
          eq(staff.passwordHash, found?.passwordHash ?? ""),
          eq(staff.totpSecret, found?.totpSecret ?? Buffer.alloc(0)),
          or(isNull(staff.totpStep), lt(staff.totpStep, step ?? 0)),
        ),
      )
      .returning();
    if (!person) throw new Refusal("wrong_office_login");
    return work(tx, person);
  });
}

/** Signs in to the back office with password and code. */
export async function signIn(
  deps: SignInDependencies,
  asked: { email: string; password: string; code: string },
  call: OfficeCall,
): Promise<{ token: string; staffId: number }> {
  const { database, deviceCookies, limits } = deps;
  const [found] = await database
    .select({ id: staff.id, passwordHash: staff.passwordHash })
    .from(staff)
    .where(and(eq(staff.email, asked.email), isNull(staff.endedAt)));
  const { address, now } = call;
  const attempt = { email: asked.email, address, device: await deviceCookies.verify(call.request, found) };
  return limits.signIn(attempt, () =>
    withCode(deps, asked, now, (tx, person) => openFor(tx, deps.waysIn, person, call, "code")),
  );
}

/** Marks the browser as a known device of a person who has just proved who they are there. */
export async function rememberDevice(
  { database, deviceCookies }: Pick<SignInDependencies, "database" | "deviceCookies">,
  staffId: number,
  call: { request: Request; headers: Headers },
): Promise<void> {
  const [person] = await database
    .select({ id: staff.id, passwordHash: staff.passwordHash })
    .from(staff)
    .where(eq(staff.id, staffId));
  if (person) await deviceCookies.issue(call, person);
}

/**
 * A person whose company account is linked signs in by it alone: a password or a passkey would outlive a lost group. Only the
 * emergency owner gets in without it, which raises an alarm.
 */
export async function refuseUnlessCompany(
  tx: Queries,
  { required, issuer, emergencyOwner, alarm }: WaysIn,
  person: Pick<Person, "id" | "email" | "role">,
  call: OfficeCall,
): Promise<void> {
  if (!required && !(issuer && (await isLinked(tx, issuer, person.id)))) return;
  if (person.email.toLowerCase() !== emergencyOwner || person.role !== "owner")
    throw new Refusal("company_account_required");
  await alarm(tx, person, call);
}

async function isLinked(tx: Queries, issuer: string, staffId: number): Promise<boolean> {
  const { issuer: at, staffId: of } = staffCompanyAccounts;
  const linked = await tx
    .select({ staffId: of })
    .from(staffCompanyAccounts)
    // With or without a slash at its end: the setting is typed, what is stored is the provider's own spelling.
    .where(and(sql`rtrim(${at}, '/') = rtrim(${issuer}, '/')`, eq(of, staffId)));
  return linked.length > 0;
}

/** Opens a session for a person who has proved who they are. */
export async function openFor(
  tx: Queries,
  waysIn: WaysIn,
  person: Pick<Person, "id" | "shopId" | "email" | "role">,
  call: OfficeCall,
  by: "code" | "passkey",
): Promise<{ token: string; staffId: number }> {
  await refuseUnlessCompany(tx, waysIn, person, call);
  const { id: staffId, shopId } = person;
  const { request, requestId, now } = call;
  await writeAudit(tx, entryOf({ staffId, shopId }, { action: "office_sign_in", after: { by }, requestId, at: now }));
  return { token: await openOfficeSession(tx, request, staffId, now), staffId };
}

/** A fresh proof of the person who is signed in, with password and code. */
export async function proveByCode(
  deps: SignInDependencies,
  caller: OfficeCaller,
  asked: { password: string; code: string },
  call: OfficeCall,
): Promise<void> {
  const { database, limits } = deps;
  const [own] = await database.select({ email: staff.email }).from(staff).where(eq(staff.id, caller.staffId));
  const email = own?.email ?? "";
  await limits.proof(caller, () =>
    withCode(deps, { email, ...asked }, call.now, (tx) => recordProof(tx, caller, call, "code")),
  );
}

export async function recordProof(
  tx: Queries,
  caller: OfficeCaller,
  { requestId, now }: OfficeCall,
  by: "code" | "passkey",
): Promise<void> {
  await renewProof(tx, caller, now);
  await writeAudit(tx, entryOf(caller, { action: "office_proof", after: { by }, requestId, at: now }));
}

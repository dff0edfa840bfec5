import { and, eq, ne, sql } from "drizzle-orm";
import { hashToken } from "#identity/session/tokens.server.ts";
import { entryOf } from "#office/audit.server.ts";
import { staffCompanyAccounts, staffSessions } from "#office/sign-in/office.tables.server.ts";
import { endOfficeSessionsOf, openOfficeSession, renewProof } from "#office/sign-in/session.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import type { Sealing } from "#platform/database/keys/sealing.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { addStaff } from "#staff/staff.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { type CompanyPerson, type CompanyProvider, SessionEnded } from "./company-provider.server.ts";

/** From this age on a session is checked at the provider… */
const checkMinutes = 10;
/** …and after this one it ends, should the provider not respond. */
const uncheckedMinutes = 15;
/** As long as one check may take: others go on meanwhile. */
const checkingSeconds = 30;

const before = (now: Date, minutes: number) => new Date(now.getTime() - minutes * 60_000);

interface When {
  request: Request;
  requestId: string;
  now: Date;
}

/** Why a person does not get in; the sign-in page says it. */
export class NoAccess extends Error {
  readonly reason: "no_access" | "not_linked";
  constructor(reason: NoAccess["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Signs a person in whom the provider has named. An account here is found by the provider's subject alone: one with the
 * same address must be linked first (`linkCompanyAccount`). A person without an account gets one with the mapped role.
 */
export async function signInByCompany(
  deps: { database: Database; sealing: Sealing },
  person: CompanyPerson,
  call: When,
): Promise<{ token: string; staffId: number }> {
  const { access } = person;
  if (!access) throw new NoAccess("no_access");
  return deps.database.transaction(async (tx) => {
    const staffId = (await findLinked(tx, person)) ?? (await addPerson(tx, person, access, call));
    if (!(await applyAccess(tx, staffId, access, call))) throw new NoAccess("no_access");
    const { requestId, now } = call;
    const entry = { action: "office_sign_in", after: { by: "company" }, requestId, at: now } as const;
    await writeAudit(tx, entryOf({ staffId, shopId: access.shopId }, entry));
    const token = await openOfficeSession(tx, call.request, staffId, now);
    const refreshToken = sealedToken(deps.sealing, person);
    // A session at the provider may be hours old: then it is no fresh proof.
    const provedAt = person.authenticatedAt ?? new Date(0);
    await tx
      .update(staffSessions)
      .set({ checkedAt: now, refreshToken, provedAt })
      .where(eq(staffSessions.tokenHash, hashToken(token)));
    return { token, staffId };
  });
}

async function findLinked(tx: Queries, { issuer, subject }: CompanyPerson): Promise<number | undefined> {
  const [linked] = await tx
    .select({ staffId: staffCompanyAccounts.staffId })
    .from(staffCompanyAccounts)
    .where(and(eq(staffCompanyAccounts.issuer, issuer), eq(staffCompanyAccounts.subject, subject)));
  return linked?.staffId;
}

async function addPerson(
  tx: Queries,
  person: CompanyPerson,
  access: NonNullable<CompanyPerson["access"]>,
  { now, requestId }: When,
): Promise<number> {
  // Also a namesake under another address: with two accounts one person could approve what they asked for themselves.
  const { rows: known } = await tx.execute(sql`
    select from staff p where p.email = ${person.email} or (
      lower(p.firstname || ' ' || p.lastname) = lower(${`${person.firstname} ${person.lastname}`}) and p.ended_at is null
      and not exists (select from staff_company_account a where a.staff_id = p.id))`);
  if (known.length > 0) throw new NoAccess("not_linked");
  if (!(await shopIsThere(tx, access.shopId))) throw new NoAccess("no_access");
  const { email, firstname, lastname, issuer, subject } = person;
  const staffId = await addStaff(tx, { email, firstname, lastname, ...access });
  await tx.insert(staffCompanyAccounts).values({ issuer, subject, staffId, linkedAt: now });
  const after = { role: access.role, by: "company" };
  await writeAudit(
    tx,
    entryOf({ staffId, shopId: access.shopId }, { action: "staff_added", after, requestId, at: now }),
  );
  return staffId;
}

async function shopIsThere(tx: Queries, shopId: number | null): Promise<boolean> {
  if (shopId === null) return true;
  return (await tx.execute(sql`select from shop where id = ${shopId}`)).rows.length > 0;
}

/** The provider decides about role and shop. False: the person no longer works here, or the shop is unknown. */
async function applyAccess(
  tx: Queries,
  staffId: number,
  { role, shopId }: NonNullable<CompanyPerson["access"]>,
  { now, requestId }: Pick<When, "now" | "requestId">,
): Promise<boolean> {
  const [person] = await tx.select().from(staff).where(eq(staff.id, staffId)).for("update");
  if (!person || person.endedAt || !(await shopIsThere(tx, shopId))) return false;
  if (person.role === role && person.shopId === shopId) return true;
  await tx.update(staff).set({ role, shopId }).where(eq(staff.id, staffId));
  const change = { before: { role: person.role, shop: person.shopId }, after: { role, shop: shopId, by: "company" } };
  await writeAudit(tx, entryOf({ staffId, shopId }, { action: "staff_role", ...change, requestId, at: now }));
  return true;
}

/**
 * Links a company account after a fresh proof on both sides: here (the call is `fresh`), and now at the provider. From then on
 * it decides: this session is checked at the provider, and the person's others, which nobody would check, end.
 */
export async function linkCompanyAccount(
  { database, sealing }: { database: Database; sealing: Sealing },
  { staffId, tokenHash }: { staffId: number; tokenHash: Buffer },
  person: CompanyPerson,
  { now, requestId }: Pick<When, "now" | "requestId">,
): Promise<void> {
  if (!person.access) throw new NoAccess("no_access");
  const { issuer, subject } = person;
  await database.transaction(async (tx) => {
    // The session that asked for it may have been ended meanwhile, because it was stolen.
    const session = and(eq(staffSessions.tokenHash, tokenHash), eq(staffSessions.staffId, staffId));
    const alive = await tx.select({ staffId: staffSessions.staffId }).from(staffSessions).where(session);
    if (alive.length === 0) throw new NoAccess("not_linked");
    const linked = await tx
      .insert(staffCompanyAccounts)
      .values({ issuer, subject, staffId, linkedAt: now })
      .onConflictDoNothing()
      .returning({ staffId: staffCompanyAccounts.staffId });
    // Either side is linked already, perhaps to each other.
    if (linked.length === 0 && (await findLinked(tx, person)) !== staffId) throw new NoAccess("not_linked");
    if (linked.length === 0) return;
    await tx
      .delete(staffSessions)
      .where(and(eq(staffSessions.staffId, staffId), ne(staffSessions.tokenHash, tokenHash)));
    await tx
      .update(staffSessions)
      .set({ checkedAt: now, refreshToken: sealedToken(sealing, person) })
      .where(session);
    await writeAudit(tx, entryOf({ staffId, shopId: null }, { action: "company_linked", requestId, at: now }));
  });
}

/** A fresh proof of the person who is signed in: the same person has authenticated at the provider since it was asked for. */
export async function proveByCompany(
  database: Database,
  { staffId, tokenHash }: { staffId: number; tokenHash: Buffer },
  person: CompanyPerson,
  { now, requestId }: Pick<When, "now" | "requestId">,
): Promise<void> {
  await database.transaction(async (tx) => {
    if ((await findLinked(tx, person)) !== staffId) throw new NoAccess("not_linked");
    await renewProof(tx, { tokenHash }, now);
    const entry = { action: "office_proof", after: { by: "company" }, requestId, at: now } as const;
    await writeAudit(tx, entryOf({ staffId, shopId: null }, entry));
  });
}

interface Checked {
  tokenHash: Buffer;
  staffId: number;
  checkedAt: Date;
}

export const needsCheck = (checkedAt: Date, now: Date) => checkedAt <= before(now, checkMinutes);

/**
 * Asks the provider whether the person still works there, and as what. Of several requests at once one asks. A provider
 * that does not respond is waited for until the session has gone unchecked for too long.
 */
export async function checkCompanySession(
  deps: { database: Database; sealing: Sealing; provider: CompanyProvider },
  { tokenHash, staffId, checkedAt }: Checked,
  { now, requestId }: Pick<When, "now" | "requestId">,
): Promise<void> {
  const { database, sealing, provider } = deps;
  const tooOld = checkedAt <= before(now, uncheckedMinutes);
  const { rows } = await database.execute<{ refresh_token: Buffer | null }>(sql`
    update staff_session set checking_at = ${now.toISOString()}::timestamptz
    where token_hash = ${tokenHash} and checked_at = ${checkedAt.toISOString()}::timestamptz
      and (checking_at is null or checking_at < ${now.toISOString()}::timestamptz - make_interval(secs => ${checkingSeconds}))
    returning refresh_token`);
  const [claimed] = rows;
  if (!claimed) {
    // Another request is asking, or has asked meanwhile.
    if (tooOld) throw new Refusal("unavailable", { retryAfterSeconds: 1 });
    return;
  }
  if (!claimed.refresh_token) {
    // It cannot be asked about: the person signs in again, without typing anything while the provider knows them.
    if (tooOld) await database.delete(staffSessions).where(eq(staffSessions.tokenHash, tokenHash));
    return;
  }
  try {
    const person = await provider.check(openSealed(sealing, claimed.refresh_token));
    await database.transaction(async (tx) => {
      const linked = await findLinked(tx, person);
      const allowed = linked === staffId && person.access;
      if (!allowed || !(await applyAccess(tx, staffId, allowed, { now, requestId }))) throw new SessionEnded();
      const refreshToken = sealedToken(sealing, person);
      await tx
        .update(staffSessions)
        .set({ checkedAt: now, checkingAt: null, refreshToken })
        .where(eq(staffSessions.tokenHash, tokenHash));
    });
  } catch (error) {
    if (error instanceof SessionEnded) return endSessions(database, staffId, { now, requestId });
    if (tooOld) throw new Refusal("unavailable", { retryAfterSeconds: checkingSeconds });
  }
}

const sealedToken = (sealing: Sealing, { refreshToken }: CompanyPerson) =>
  refreshToken === undefined ? null : sealing.seal(refreshToken);

/** Sealed with a key that is gone it is worth nothing. */
function openSealed(sealing: Sealing, sealed: Buffer): string {
  try {
    return sealing.open(sealed);
  } catch {
    throw new SessionEnded();
  }
}

/** Ends every session of a person, also those that were opened before the link. */
async function endSessions(database: Database, staffId: number, { now, requestId }: Pick<When, "now" | "requestId">) {
  await database.transaction(async (tx) => {
    await endOfficeSessionsOf(tx, staffId);
    await writeAudit(tx, entryOf({ staffId, shopId: null }, { action: "company_access_ended", requestId, at: now }));
  });
}

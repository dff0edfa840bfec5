import { and, eq, isNull, sql } from "drizzle-orm";
import { createToken, hashToken, isToken } from "#identity/session/tokens.server.ts";
import type { OfficeCaller, OpenOffice } from "#platform/api/callers.server.ts";
import type { StaffRole } from "#platform/api/endpoint.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { readOfficeToken } from "./cookies.server.ts";
import { staffSessions } from "./office.tables.server.ts";
import { type Waiting, waitingFor } from "./waiting.server.ts";

export const proofMinutes = 5;
/** For more of the kind of act for which it was given. */
export const sameActMinutes = 15;

const after = (moment: Date, minutes: number) => new Date(moment.getTime() + minutes * 60_000);

export const proofEndsAt = (provedAt: Date) => after(provedAt, proofMinutes);

/**
 * Refuses without a fresh proof. The first act after a proof is what it was given for: a quarter of an hour long more of
 * the same kind need no other, so that a person who works through a list is asked once.
 */
export async function refuseWithoutProof(queries: Queries, caller: OfficeCaller, now: Date): Promise<void> {
  const { tokenHash, provedAt, provedFor, act } = caller;
  const minutes = provedFor === act ? sameActMinutes : proofMinutes;
  if (after(provedAt, minutes) <= now) throw new Refusal("proof_needed");
  if (provedFor === null)
    await queries
      .update(staffSessions)
      .set({ provedFor: act })
      .where(and(eq(staffSessions.tokenHash, tokenHash), isNull(staffSessions.provedFor)));
}

interface Found extends Record<string, unknown> {
  staff_id: number;
  role: StaffRole;
  shop_id: number | null;
  proved_at: Date;
  proved_for: string | null;
  checked_at: Date | null;
}

/** Asks the provider of the company whether a person whose session it opened still has access; ends the session if not. */
type CheckSession = (
  session: { tokenHash: Buffer; staffId: number; checkedAt: Date },
  call: { now: Date; requestId: string },
) => Promise<void>;

/** Checks session and role in the database at every call, so that ending one works at once in every process. */
export function createOpenOffice(
  database: Database,
  company?: { needsCheck: (checkedAt: Date, now: Date) => boolean; check: CheckSession },
): OpenOffice {
  async function find(tokenHash: Buffer, now: Date): Promise<Found> {
    // A session ends after 12 hours, and after 30 minutes without a call.
    const { rows } = await database.$client.query<Found>({
      name: "office_call",
      text: `
        with found as (
          select s.token_hash, s.staff_id, s.seen_at, s.proved_at, s.proved_for, s.checked_at, p.role, p.shop_id
          from staff_session s join staff p on p.id = s.staff_id
          where s.token_hash = $1 and s.seen_at > $2::timestamptz - interval '30 minutes'
            and s.opened_at > $2::timestamptz - interval '12 hours' and p.ended_at is null
        ), seen as (
          update staff_session s set seen_at = $2::timestamptz from found
          where s.token_hash = found.token_hash and found.seen_at < $2::timestamptz - interval '5 seconds'
        )
        select staff_id, role, shop_id, proved_at, proved_for, checked_at from found`,
      values: [tokenHash, now.toISOString()],
    });
    const [found] = rows;
    if (!found) throw new Refusal("not_signed_in");
    return found;
  }

  return async (request, { roles, fresh, now }) => {
    const token = readOfficeToken(request) ?? "";
    if (!isToken(token)) throw new Refusal("not_signed_in");
    const tokenHash = hashToken(token);
    let found = await find(tokenHash, now);
    const { checked_at: checkedAt } = found;
    if (company && checkedAt && company.needsCheck(checkedAt, now)) {
      const session = { tokenHash, staffId: found.staff_id, checkedAt };
      await company.check(session, { now, requestId: "session check" });
      // It may have ended the session, or changed the role.
      found = await find(tokenHash, now);
    }
    const { staff_id: staffId, role, shop_id: shopId, proved_at: provedAt } = found;
    if (!roles.includes(role)) throw new Refusal("forbidden");
    const act = new URL(request.url).pathname;
    const caller = { staffId, role, shopId, tokenHash, provedAt, provedFor: found.proved_for, act };
    if (fresh) await refuseWithoutProof(database, caller, now);
    return caller;
  };
}

/** Signs a person in who has proved who they are. The session that this browser had ends. */
export async function openOfficeSession(tx: Queries, request: Request, staffId: number, now: Date): Promise<string> {
  const before = readOfficeToken(request);
  if (before) await tx.delete(staffSessions).where(eq(staffSessions.tokenHash, hashToken(before)));
  const token = createToken();
  const session = { tokenHash: hashToken(token), staffId, openedAt: now, seenAt: now, provedAt: now };
  await tx.insert(staffSessions).values(session);
  return token;
}

/** They have proved again who they are. */
export async function renewProof(
  tx: Queries,
  { tokenHash }: Pick<OfficeCaller, "tokenHash">,
  now: Date,
): Promise<void> {
  await tx.update(staffSessions).set({ provedAt: now, provedFor: null }).where(eq(staffSessions.tokenHash, tokenHash));
}

export async function endOfficeSession(tx: Queries, { tokenHash }: Pick<OfficeCaller, "tokenHash">): Promise<void> {
  await tx.delete(staffSessions).where(eq(staffSessions.tokenHash, tokenHash));
}

/** Signs a person out of the back office everywhere. */
export async function endOfficeSessionsOf(tx: Queries, staffId: number): Promise<void> {
  await tx.delete(staffSessions).where(eq(staffSessions.staffId, staffId));
}

interface SignedIn extends Record<string, unknown> {
  id: number;
  email: string;
  firstname: string;
  lastname: string;
  role: StaffRole;
  shop_id: number | null;
  waiting: Waiting;
}

/** Who is signed in and what waits for them, for the pages of the back office: one round trip. */
export async function describeSession(
  queries: Queries,
  { staffId, provedAt }: Pick<OfficeCaller, "staffId" | "provedAt">,
  now: Date,
) {
  const { rows } = await queries.execute<SignedIn>(sql`
    select p.id, p.email, p.firstname, p.lastname, p.role, p.shop_id, ${waitingFor(now)} as waiting
    from staff p where p.id = ${staffId}`);
  const [person] = rows;
  if (!person) throw new Refusal("not_signed_in");
  return {
    IdStaff: person.id,
    Email: person.email,
    Firstname: person.firstname,
    Lastname: person.lastname,
    Role: person.role,
    IdShop: person.shop_id,
    ProofEndsAt: proofEndsAt(provedAt).toISOString(),
    Waiting: person.waiting,
  };
}

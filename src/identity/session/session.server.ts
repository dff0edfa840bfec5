import { type AnyColumn, and, eq, gt, ne, type SQL, sql } from "drizzle-orm";
import { parse } from "hono/utils/cookie";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { SocialProvider } from "#identity/customer/social-providers.ts";
import { defineRead, isoMoment } from "#platform/api/reads.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { tokenCookieName } from "./cookies.ts";
import { sessions, sessionTokens } from "./session.tables.server.ts";
import { createToken, hashToken, isToken } from "./tokens.server.ts";

/** A session expires this long after its last use… */
const slidingDays = 30;
/** …and this long after the sign-in that began it, however much it is used. */
export const sessionDays = 180;
const maxSessions = 50;

const slidingEnd = sql`now() + make_interval(days => ${slidingDays})`;
const endAfter = (begun: SQL | AnyColumn) =>
  sql`least(${slidingEnd}, ${begun} + make_interval(days => ${sessionDays}))`;

/** What is stored with a new session. */
export interface Opening {
  device: string | null;
  network?: string | null;
  socialProvider?: SocialProvider | undefined;
  /** The customer has just authenticated, with a password or at a provider. */
  authenticated?: boolean;
  /** When the session it was exchanged for began: an exchange does not extend the lifetime. */
  begunAt?: Date | undefined;
}

/**
 * Opens a session; the token is returned once, and only its hash is stored. Call it with the customer locked or newly
 * inserted: a reset must not overlap, and two concurrent calls must not both take the last place. A customer whom the
 * back office has blocked gets none, however they sign in.
 */
export async function openSession(
  queries: Queries,
  customerId: number,
  opening: Opening,
): Promise<{ id: number; token: string; expiresAt: Date }> {
  const token = createToken();
  const begunAt = sql`coalesce(${opening.begunAt?.toISOString() ?? null}::timestamptz, now())`;
  // Expired sessions are deleted as people sign in, and of too many the least recently used. All in one round trip.
  const { rows } = await queries.execute<{ id: string; expires_at: string }>(sql`
    with surplus as (
      delete from session where customer_id = ${customerId} and (expires_at <= now() or id in (
        select id from session where customer_id = ${customerId}
        order by last_seen_at desc, id desc offset ${maxSessions - 1}))
    ), seen as (
      update customer set last_seen_at = now() where id = ${customerId}
    ), opened as (
      insert into session (customer_id, device, network, social_provider, created_at, expires_at, last_seen_at, proved_at)
      select ${customerId}, ${opening.device}, ${opening.network ?? null}, ${opening.socialProvider ?? null},
        ${begunAt}, ${endAfter(begunAt)},
        clock_timestamp(), case when ${opening.authenticated ?? false} then now() end
      where not exists (select from customer where id = ${customerId} and blocked_at is not null)
      returning id, expires_at
    ), named as (
      insert into session_token (token_hash, customer_id, session_id)
      select ${hashToken(token)}, ${customerId}, id from opened
    )
    select id, expires_at from opened`);
  const [opened] = rows;
  if (!opened) throw new Refusal("customer_blocked");
  return { id: Number(opened.id), expiresAt: new Date(opened.expires_at), token };
}

/** The token of a request: from the header, else from the cookie. An invalid header does not fall back to the cookie. */
export function tokenOf(request: Request): { token: string; byCookie: boolean } | undefined {
  const header = request.headers.get("authorization");
  const cookies = request.headers.get("cookie") ?? "";
  const token = header === null ? parse(cookies, tokenCookieName)[tokenCookieName] : bearerToken(header);
  return token && isToken(token) ? { token, byCookie: header === null } : undefined;
}

function bearerToken(header: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header)?.[1];
}

/** The active session of a token, with what decides about a call. */
export function createFindSession(database: Database) {
  const find = database
    .select({
      customerId: sessions.customerId,
      sessionId: sessions.id,
      guest: customers.guest,
      email: customers.email,
      subject: customers.subject,
      provedAt: sessions.provedAt,
      createdAt: sessions.createdAt,
    })
    .from(sessionTokens)
    .innerJoin(
      sessions,
      and(eq(sessions.customerId, sessionTokens.customerId), eq(sessions.id, sessionTokens.sessionId)),
    )
    .innerJoin(customers, eq(customers.id, sessionTokens.customerId))
    .where(and(eq(sessionTokens.tokenHash, sql.placeholder("hash")), gt(sessions.expiresAt, sql`now()`)))
    .prepare("session_of_token");
  return async (token: string) => (await find.execute({ hash: hashToken(token) }))[0];
}

/** Extends a session in use. Most reads write nothing: `sessionQuery` says when. */
export async function extendSession(queries: Queries, customerId: number, sessionId: number): Promise<void> {
  await queries
    .update(sessions)
    .set({
      lastSeenAt: sql`clock_timestamp()`,
      expiresAt: endAfter(sessions.createdAt),
    })
    .where(ownSession(customerId, sessionId));
  await queries.update(customers).set({ lastSeenAt: sql`now()` }).where(eq(customers.id, customerId));
}

const ownSession = (customerId: number, sessionId: number) =>
  and(eq(sessions.customerId, customerId), eq(sessions.id, sessionId));

/** An active session, by its id. */
export async function findActiveSession(queries: Queries, customerId: number, sessionId: number) {
  const [session] = await queries
    .select()
    .from(sessions)
    .where(and(ownSession(customerId, sessionId), gt(sessions.expiresAt, sql`now()`)));
  return session;
}

/** The customer of a session has proved again who they are. */
export async function recordSessionProof(queries: Queries, customerId: number, sessionId: number): Promise<void> {
  await queries.update(sessions).set({ provedAt: sql`now()` }).where(ownSession(customerId, sessionId));
}

/** Ends one session of a customer; false when they have no such session. */
export async function endSession(queries: Queries, customerId: number, sessionId: number): Promise<boolean> {
  const ended = await queries.delete(sessions).where(ownSession(customerId, sessionId)).returning({ id: sessions.id });
  return ended.length > 0;
}

/** Ends every session of a customer, except the one named. */
export async function endSessions(queries: Queries, customerId: number, exceptId = 0): Promise<void> {
  await queries.delete(sessions).where(and(eq(sessions.customerId, customerId), ne(sessions.id, exceptId)));
  // Apps stay signed in without a session (db/functions/oidc_end_grants.sql).
  await queries.execute(sql`select oidc_end_grants(${customerId}, ${exceptId})`);
}

/** Ends the session of a token. */
export async function endSessionOfToken(queries: Queries, token: string): Promise<void> {
  if (!isToken(token)) return;
  const [found] = await queries
    .select({ customerId: sessionTokens.customerId, sessionId: sessionTokens.sessionId })
    .from(sessionTokens)
    .where(eq(sessionTokens.tokenHash, hashToken(token)));
  if (found) await endSession(queries, found.customerId, found.sessionId);
}

interface SessionRow {
  id: number;
  device: string | null;
  network: string | null;
  provider: SocialProvider | null;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  provedAt: string | null;
}

/** The active sessions of a customer, the last used first. */
export const sessionsRead = defineRead<object, SessionRow[]>(
  "sessions",
  ({ customerId }) => sql`(
    select coalesce(json_agg(json_build_object(
      'id', id, 'device', device, 'network', network, 'provider', social_provider,
      'createdAt', created_at, 'lastSeenAt', last_seen_at, 'expiresAt', expires_at, 'provedAt', proved_at)
      order by last_seen_at desc, id desc), '[]')
    from session where customer_id = ${customerId} and expires_at > now())`,
);

/** For staff, who read a customer's sessions: none of them is the caller's own. */
export const noSession = 0;

/** The sessions as the wire spells them. */
export function describeSessions(rows: SessionRow[], currentId: number) {
  return rows.map((row) => ({
    IdSession: row.id,
    Current: row.id === currentId,
    Device: row.device,
    Network: row.network,
    SocialProvider: row.provider,
    CreatedAt: isoMoment(row.createdAt),
    LastSeenAt: isoMoment(row.lastSeenAt),
    ExpiresAt: isoMoment(row.expiresAt),
  }));
}

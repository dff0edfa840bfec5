import { type AnyColumn, and, desc, eq, gt, ne, type SQL, sql } from "drizzle-orm";
import { parse } from "hono/utils/cookie";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { sessions, sessionTokens } from "#identity/customer/identity.tables.server.ts";
import type { SocialProvider } from "#identity/customer/social-providers.ts";
import type { Caller } from "#platform/api/api.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { tokenCookie } from "./cookies.server.ts";
import { createToken, hashToken, isToken } from "./tokens.server.ts";

/** A session lives this long after its last use… */
const slidingDays = 30;
/** …and this long in all, counted from the sign-in that began it. */
export const sessionDays = 180;
const sessionsAtMost = 50;

const slidingEnd = sql`now() + make_interval(days => ${slidingDays})`;
const endAfter = (begun: SQL | AnyColumn) =>
  sql`least(${slidingEnd}, ${begun} + make_interval(days => ${sessionDays}))`;

/** What a new session remembers. */
export interface Opening {
  device: string | null;
  socialProvider?: SocialProvider | undefined;
  /** The customer has just proved who they are, with a password or at a provider. */
  proved?: boolean;
  /** When the session it was exchanged for began: an exchange makes nothing younger. */
  begunAt?: Date | undefined;
}

/**
 * Opens a session; the token is told once and never stored. Call it with the customer locked, or newly made: a reset must
 * not overlap, and two at once must not both take the last place.
 */
export async function openSession(
  queries: Queries,
  customerId: number,
  opening: Opening,
): Promise<{ id: number; token: string; expiresAt: Date }> {
  const token = createToken();
  const begunAt = sql`coalesce(${opening.begunAt?.toISOString() ?? null}::timestamptz, now())`;
  // What has lapsed goes as people come back, and of too many the least recently used. All in one round trip.
  const { rows } = await queries.execute<{ id: string; expires_at: string }>(sql`
    with surplus as (
      delete from session where customer_id = ${customerId} and (expires_at <= now() or id in (
        select id from session where customer_id = ${customerId}
        order by last_seen_at desc, id desc offset ${sessionsAtMost - 1}))
    ), seen as (
      update customer set last_seen_at = now() where id = ${customerId}
    ), opened as (
      insert into session (customer_id, device, social_provider, created_at, expires_at, last_seen_at, proved_at)
      values (${customerId}, ${opening.device}, ${opening.socialProvider ?? null}, ${begunAt}, ${endAfter(begunAt)},
        clock_timestamp(), case when ${opening.proved ?? false} then now() end)
      returning id, expires_at
    ), named as (
      insert into session_token (token_hash, customer_id, session_id)
      select ${hashToken(token)}, ${customerId}, id from opened
    )
    select id, expires_at from opened`);
  const [opened] = rows;
  if (!opened) throw new Error("The session was not kept.");
  return { id: Number(opened.id), expiresAt: new Date(opened.expires_at), token };
}

/** The bearer of a request: the header first, the cookie second. A bad header is not made good by a cookie. */
function bearerOf(request: Request): { token: string; byCookie: boolean } | undefined {
  const header = request.headers.get("authorization");
  const token = header === null ? parse(request.headers.get("cookie") ?? "", tokenCookie)[tokenCookie] : bearer(header);
  return token && isToken(token) ? { token, byCookie: header === null } : undefined;
}

function bearer(header: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header)?.[1];
}

/** Who makes a request. The product's most frequent question: one prepared query answers it. */
export function createAuthenticate(database: Database): (request: Request) => Promise<Caller | undefined> {
  const find = createFindSession(database);
  return async (request) => {
    const carried = bearerOf(request);
    const found = carried && (await find(carried.token));
    if (!found) return undefined;
    if (found.stale) await prolong(database, found.customerId, found.sessionId);
    return {
      customerId: found.customerId,
      guest: found.guest,
      sessionId: found.sessionId,
      byCookie: carried.byCookie,
    };
  };
}

/** The living session of a token, with the little that decides about a call. */
export function createFindSession(database: Database) {
  const find = database
    .select({
      customerId: sessions.customerId,
      sessionId: sessions.id,
      guest: customers.guest,
      email: customers.email,
      stale: sql<boolean>`${sessions.lastSeenAt} < now() - interval '1 hour'`,
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

/** Moves the end of a session in use. At most once an hour where pages are read: reading should write nothing. */
export async function prolong(queries: Queries, customerId: number, sessionId: number): Promise<void> {
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

/** A living session, read by its number. */
export async function findLivingSession(queries: Queries, customerId: number, sessionId: number) {
  const [session] = await queries
    .select()
    .from(sessions)
    .where(and(ownSession(customerId, sessionId), gt(sessions.expiresAt, sql`now()`)));
  return session;
}

/** Ends one session of a customer; false when they have no such session. */
export async function endSession(queries: Queries, customerId: number, sessionId: number): Promise<boolean> {
  const ended = await queries.delete(sessions).where(ownSession(customerId, sessionId)).returning({ id: sessions.id });
  return ended.length > 0;
}

/** Ends every session of a customer, except the one named. */
export async function endSessions(queries: Queries, customerId: number, exceptId = 0): Promise<void> {
  await queries.delete(sessions).where(and(eq(sessions.customerId, customerId), ne(sessions.id, exceptId)));
}

/** Ends the session of a token, whoever's it is. */
export async function endSessionOf(queries: Queries, token: string): Promise<void> {
  if (!isToken(token)) return;
  const [found] = await queries
    .select({ customerId: sessionTokens.customerId, sessionId: sessionTokens.sessionId })
    .from(sessionTokens)
    .where(eq(sessionTokens.tokenHash, hashToken(token)));
  if (found) await endSession(queries, found.customerId, found.sessionId);
}

/** The living sessions of a customer, the last used first, in the wire's words. */
export async function listSessions(queries: Queries, customerId: number, currentId: number) {
  const rows = await queries
    .select()
    .from(sessions)
    .where(and(eq(sessions.customerId, customerId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
  return rows.map((row) => ({
    IdSession: row.id,
    Current: row.id === currentId,
    Device: row.device,
    SocialProvider: row.socialProvider,
    CreatedAt: row.createdAt.toISOString(),
    LastSeenAt: row.lastSeenAt.toISOString(),
    ExpiresAt: row.expiresAt.toISOString(),
  }));
}

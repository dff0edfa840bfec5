import { lockCustomer } from "#identity/customer/customer.server.ts";
import { findActiveSession } from "#identity/session/session.server.ts";
import type { sessions } from "#identity/session/session.tables.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal, type RefusalCode } from "#platform/refusal.ts";

/** The key of a session: the one a call is made with. */
export interface SessionKey {
  customerId: number;
  sessionId: number;
}

/** What was read under the lock: the customer, and the session that authorises acting for them. */
export interface LockedSession {
  customer: NonNullable<Awaited<ReturnType<typeof lockCustomer>>>;
  session: typeof sessions.$inferSelect;
}

/**
 * A transaction that checks the session under a lock: lock the customer, read the session again, then work. Whatever adds
 * a way to sign in (a session, a social login, a password, an address) or ends one runs in it. A reset takes the same lock
 * and ends the sessions, so nothing that began before it survives it. The session is read by a statement of its own: the
 * statement that waited for the lock still sees the snapshot of before.
 */
export async function withLockedSession<T>(
  database: Database,
  { customerId, sessionId }: SessionKey,
  work: (tx: Queries, locked: LockedSession) => Promise<T>,
  refusal: RefusalCode = "not_signed_in",
): Promise<T> {
  return database.transaction(async (tx) => {
    const customer = await lockCustomer(tx, customerId);
    const session = customer && (await findActiveSession(tx, customerId, sessionId));
    if (!session) throw new Refusal(refusal);
    return work(tx, { customer, session });
  });
}

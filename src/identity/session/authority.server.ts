import { lockCustomer } from "#identity/customer/customer.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal, type RefusalCode } from "#platform/refusal.ts";
import { findLivingSession } from "./session.server.ts";
import type { sessions } from "./session.tables.server.ts";

/** The session that a call is made with. */
export interface OwnSession {
  customerId: number;
  sessionId: number;
}

/** What was read under the lock: the customer, and the session that gives the authority to act for them. */
export interface Authority {
  customer: NonNullable<Awaited<ReturnType<typeof lockCustomer>>>;
  session: typeof sessions.$inferSelect;
}

/**
 * Adding a way in (a session, a social login, a password, an address), or ending others, on the authority of a session:
 * lock the customer, read the session again inside the transaction, then act. A reset takes the same lock and ends the
 * sessions, so nothing that began before it survives it. The session is read by a statement of its own: one that waited
 * for the lock would still see what was there before.
 */
export async function actWithAuthority<T>(
  database: Database,
  { customerId, sessionId }: OwnSession,
  act: (tx: Queries, authority: Authority) => Promise<T>,
  otherwise: RefusalCode = "not_signed_in",
): Promise<T> {
  return database.transaction(async (tx) => {
    const customer = await lockCustomer(tx, customerId);
    const session = customer && (await findLivingSession(tx, customerId, sessionId));
    if (!session) throw new Refusal(otherwise);
    return act(tx, { customer, session });
  });
}

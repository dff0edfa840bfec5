import { eq } from "drizzle-orm";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { findActiveSession } from "#identity/session/session.server.ts";
import { type FieldCode, Refusal } from "#platform/refusal.ts";
import type { LockedSession, SessionKey } from "./locked-session.server.ts";

/** For so long after a sign-in no reauthentication is needed. */
export const recentMinutes = 5;

/** Whether this is the time of a sign-in that is recent enough. */
export const isRecent = (provedAt: Date | null) =>
  provedAt !== null && Date.now() - provedAt.getTime() < recentMinutes * 60_000;

/**
 * Reauthentication (step-up): adding a way to sign in needs the password, or a sign-in of the last five minutes; a session
 * that was left open or stolen is not enough. Call it before anything else of the call costs or uses up something, and
 * the function it returns under the lock, to check again.
 */
export async function requireReauthentication(
  deps: Dependencies,
  password: string | undefined,
  caller: SessionKey,
  call: RequestContext,
): Promise<(locked: LockedSession) => void> {
  if (password !== undefined) {
    const verifiedHash = await verifyCurrentPassword(deps, caller.customerId, "Password", password, call);
    if (verifiedHash !== null)
      return ({ customer }) => {
        // The password was changed in between; what was verified is no longer valid.
        if (customer.passwordHash !== verifiedHash) throw reauthenticationNeeded(customer.passwordHash !== null);
      };
  }
  const session = await findActiveSession(deps.database, caller.customerId, caller.sessionId);
  if (!session) throw new Refusal("not_signed_in");
  if (!isRecent(session.provedAt))
    throw reauthenticationNeeded((await deps.readCustomer(caller.customerId))?.HasPassword ?? false);
  // A sign-in that was recent when the call began is recent enough for the whole call.
  return () => {};
}

function reauthenticationNeeded(hasPassword: boolean): Refusal {
  return new Refusal("proof_needed", hasPassword ? { errors: [{ field: "Password", code: "required" }] } : {});
}

/** Checks the password of the signed-in customer and returns its hash; null if they have none. Guesses are rate limited. */
export async function verifyCurrentPassword(
  { database, deviceCookies, limits, passwords }: Dependencies,
  customerId: number,
  field: "CurrentPassword" | "Password",
  password: string | undefined,
  call: Pick<RequestContext, "request" | "address">,
): Promise<string | null> {
  const [customer] = await database
    .select({ email: customers.email, passwordHash: customers.passwordHash })
    .from(customers)
    .where(eq(customers.id, customerId));
  if (!customer) throw new Refusal("not_signed_in");
  const { email, passwordHash } = customer;
  if (passwordHash === null) return null;
  if (password === undefined) throw fieldRefusal(field, "required");
  const device = await deviceCookies.verify(call.request, { id: customerId, passwordHash });
  const guess = { email, address: call.address, device };
  const right = await limits.passwordGuess(guess, () => passwords.matches(password, passwordHash));
  if (!right) throw fieldRefusal(field, "wrong_password");
  return passwordHash;
}

export function fieldRefusal(field: string, code: FieldCode): Refusal {
  return new Refusal("invalid", { errors: [{ field, code }] });
}

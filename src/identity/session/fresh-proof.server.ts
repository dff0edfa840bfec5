import { eq } from "drizzle-orm";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { type FieldCode, Refusal } from "#platform/refusal.ts";
import type { Authority, OwnSession } from "./authority.server.ts";
import { findLivingSession } from "./session.server.ts";

/** How long a sign-in counts as a proof of who sits here. */
const freshMinutes = 5;

type ProvedSession = { provedAt: Date | null };

const isFresh = ({ provedAt }: ProvedSession) =>
  provedAt !== null && Date.now() - provedAt.getTime() < freshMinutes * 60_000;

/**
 * A new way in needs the password, or a sign-in of the last five minutes: a session that was left open, or stolen, is
 * not enough. Judged before anything else of the call costs or uses up something; the answer judges again, under the lock.
 */
export async function proveFreshly(
  deps: Dependencies,
  password: string | undefined,
  caller: OwnSession,
  call: RequestContext,
): Promise<(authority: Authority) => void> {
  if (password !== undefined) {
    const known = await proveByPassword(deps, caller.customerId, "Password", password, call);
    if (known !== null)
      return ({ customer }) => {
        // It was changed in this very moment; what was proved holds no more.
        if (customer.passwordHash !== known) throw needed(customer.passwordHash !== null);
      };
  }
  const session = await findLivingSession(deps.database, caller.customerId, caller.sessionId);
  if (!session) throw new Refusal("not_signed_in");
  if (!isFresh(session)) throw needed((await deps.readCustomer(caller.customerId))?.HasPassword ?? false);
  // A proof that was fresh when the call began is fresh enough for all of it.
  return () => {};
}

function needed(hasPassword: boolean): Refusal {
  return new Refusal("proof_needed", hasPassword ? { errors: [{ field: "Password", code: "required" }] } : {});
}

/** Asks the signed-in customer for their password, if they have one, and answers with its hash. Guesses are limited. */
export async function proveByPassword(
  { database, devices, limits, passwords }: Dependencies,
  customerId: number,
  field: "CurrentPassword" | "Password",
  password: string | undefined,
  call: RequestContext,
): Promise<string | null> {
  const [customer] = await database
    .select({ email: customers.email, passwordHash: customers.passwordHash })
    .from(customers)
    .where(eq(customers.id, customerId));
  if (!customer) throw new Refusal("not_signed_in");
  const { email, passwordHash } = customer;
  if (passwordHash === null) return null;
  if (password === undefined) throw fieldRefusal(field, "required");
  const device = await devices.recognise(call.request, { id: customerId, passwordHash });
  const guess = { email, address: call.address, device };
  const right = await limits.passwordGuess(guess, () => passwords.matches(password, passwordHash));
  if (!right) throw fieldRefusal(field, "wrong_password");
  return passwordHash;
}

export function fieldRefusal(field: string, code: FieldCode): Refusal {
  return new Refusal("invalid", { errors: [{ field, code }] });
}

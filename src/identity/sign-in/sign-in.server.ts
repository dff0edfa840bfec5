import { eq } from "drizzle-orm";
import { findRegistered, lockCustomer } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { AuthDataResponse } from "#identity/customer/responses.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { openSessionForRequest, signInResponse } from "#identity/session/open-session.server.ts";
import { Refusal } from "#platform/refusal.ts";

export async function signInWithPassword(
  deps: Dependencies,
  input: { Email: string; Password: string },
  call: RequestContext,
): Promise<AuthDataResponse> {
  const { database, deviceCookies, hashSamples, limits, passwords } = deps;
  const found = await findRegistered(database, input.Email);
  const guess = { email: input.Email, address: call.address, device: await deviceCookies.verify(call.request, found) };
  const isRight = await limits.passwordGuess(guess, () =>
    passwords.matches(input.Password, found?.passwordHash, hashSamples),
  );
  const { id, passwordHash } = found ?? {};
  if (!isRight || !id || !passwordHash) throw new Refusal("wrong_login");
  // Of another system until now: from here on it is the product's own.
  const newHash = passwords.isOld(passwordHash) ? await passwords.hash(input.Password) : undefined;
  const opened = await database.transaction(async (tx) => {
    // The password may have been reset while it was being checked: the old one must not open a session after that.
    const customer = await lockCustomer(tx, id);
    if (customer?.passwordHash !== passwordHash) throw new Refusal("wrong_login");
    if (newHash) await tx.update(customers).set({ passwordHash: newHash }).where(eq(customers.id, id));
    return openSessionForRequest(tx, id, call, { authenticated: true });
  });
  const response = await signInResponse(deps, call, opened);
  await deviceCookies.issue(call, { id, passwordHash: newHash ?? passwordHash });
  return response;
}

import { findRegistered, lockCustomer } from "#identity/customer/customer.server.ts";
import type { AuthDataResponse } from "#identity/customer/responses.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { admit, openFor } from "#identity/session/open-session.server.ts";
import { Refusal } from "#platform/refusal.ts";

export async function signInWithPassword(
  deps: Dependencies,
  input: { Email: string; Password: string },
  call: RequestContext,
): Promise<AuthDataResponse> {
  const { database, devices, limits, passwords } = deps;
  const found = await findRegistered(database, input.Email);
  const guess = { email: input.Email, address: call.address, device: await devices.recognise(call.request, found) };
  const right = await limits.passwordGuess(guess, () => passwords.matches(input.Password, found?.passwordHash));
  const { id, passwordHash } = found ?? {};
  if (!right || !id || !passwordHash) throw new Refusal("wrong_login");
  const opened = await database.transaction(async (tx) => {
    // While the password was being checked it may have been reset: the old one must not open a session after that.
    const customer = await lockCustomer(tx, id);
    if (customer?.passwordHash !== passwordHash) throw new Refusal("wrong_login");
    return openFor(tx, id, call, { proved: true });
  });
  const answer = await admit(deps, call, opened);
  await devices.remember(call, { id, passwordHash });
  return answer;
}

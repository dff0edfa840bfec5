import { findRegistered, lockCustomer } from "#identity/customer/customer.server.ts";
import type { AuthDataAnswer } from "#identity/customer/responses.server.ts";
import { providerCookie, type SocialProvider } from "#identity/customer/social-providers.ts";
import type { Circumstances, Parts } from "#identity/parts.server.ts";
import {
  clearedLogoutCookie,
  clearedProviderCookie,
  providerCookieOf,
  tokenCookieOf,
} from "#identity/session/cookies.server.ts";
import { deviceOf } from "#identity/session/device.server.ts";
import { endSession, type Opening, openSession, sessionDays } from "#identity/session/session.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";

/** A session that was opened and not yet handed over. */
export interface Opened {
  customerId: number;
  token: string;
  expiresAt: Date;
  socialProvider?: SocialProvider | undefined;
}

/** Every way in opens its session here, in the transaction that decided about it and locked the customer. */
export async function openFor(
  queries: Queries,
  customerId: number,
  call: Circumstances,
  opening: Omit<Opening, "device"> = {},
): Promise<Opened> {
  // The browser's earlier session would stay behind: its cookie is about to be replaced.
  if (call.caller?.byCookie) await endSession(queries, call.caller.customerId, call.caller.sessionId);
  const device = deviceOf(call.request.headers.get("user-agent"));
  const session = await openSession(queries, customerId, { device, ...opening });
  return { customerId, socialProvider: opening.socialProvider, ...session };
}

/** Hands an opened session over, once its transaction holds: the cookies and AuthData. */
export async function admit(parts: Parts, call: Circumstances, opened: Opened): Promise<AuthDataAnswer> {
  const { secureCookies } = parts.settings;
  const customer = await parts.readCustomer(opened.customerId);
  if (!customer) throw new Refusal("not_signed_in");
  call.headers.append("set-cookie", tokenCookieOf(opened.token, sessionDays * 86_400, secureCookies));
  call.headers.append("set-cookie", clearedLogoutCookie(secureCookies));
  if (opened.socialProvider)
    call.headers.append("set-cookie", providerCookieOf(opened.socialProvider, sessionDays * 86_400, secureCookies));
  else if (call.request.headers.get("cookie")?.includes(`${providerCookie}=`))
    call.headers.append("set-cookie", clearedProviderCookie(secureCookies));
  return {
    AuthData: {
      Customer: customer,
      Token: opened.token,
      TokenType: "Bearer",
      ExpiresAt: opened.expiresAt.toISOString(),
    },
  };
}

export async function signInWithPassword(
  parts: Parts,
  input: { Email: string; Password: string },
  call: Circumstances,
): Promise<AuthDataAnswer> {
  const { database, devices, limits, passwords } = parts;
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
  const answer = await admit(parts, call, opened);
  await devices.remember(call, { id, passwordHash });
  return answer;
}

import type { AuthDataResponse } from "#identity/customer/responses.server.ts";
import type { SocialProvider } from "#identity/customer/social-providers.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { clearedLogoutCookie, clearedProviderCookie, providerCookieOf, tokenCookieOf } from "./cookies.server.ts";
import { cookieNames } from "./cookies.ts";
import { deviceOf } from "./device.server.ts";
import { endSession, type Opening, openSession, sessionDays } from "./session.server.ts";

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
  call: RequestContext,
  opening: Omit<Opening, "device"> = {},
): Promise<Opened> {
  // The browser's earlier session would stay behind: its cookie is about to be replaced.
  if (call.caller?.byCookie) await endSession(queries, call.caller.customerId, call.caller.sessionId);
  const device = deviceOf(call.request.headers.get("user-agent"));
  const session = await openSession(queries, customerId, { device, ...opening });
  return { customerId, socialProvider: opening.socialProvider, ...session };
}

/** Hands an opened session over, once its transaction holds: the cookies and AuthData. */
export async function admit(deps: Dependencies, call: RequestContext, opened: Opened): Promise<AuthDataResponse> {
  const { secureCookies } = deps.settings;
  const customer = await deps.readCustomer(opened.customerId);
  if (!customer) throw new Refusal("not_signed_in");
  call.headers.append("set-cookie", tokenCookieOf(opened.token, sessionDays * 86_400, secureCookies));
  call.headers.append("set-cookie", clearedLogoutCookie(secureCookies));
  if (opened.socialProvider)
    call.headers.append("set-cookie", providerCookieOf(opened.socialProvider, sessionDays * 86_400, secureCookies));
  else if (call.request.headers.get("cookie")?.includes(`${cookieNames.provider}=`))
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

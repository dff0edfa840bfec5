import type { AuthDataResponse } from "#identity/customer/responses.server.ts";
import type { SocialProvider } from "#identity/customer/social-providers.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { deviceName } from "#identity/session/device/device-name.server.ts";
import { networkOf } from "#identity/session/device/network.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { clearedLogoutCookie, clearedProviderCookie, providerCookieOf, tokenCookieOf } from "./cookies.server.ts";
import { providerCookieName } from "./cookies.ts";
import { endSession, type Opening, openSession, sessionDays } from "./session.server.ts";

/** A session that is in the database and not yet in a response. */
export interface OpenedSession {
  customerId: number;
  token: string;
  expiresAt: Date;
  socialProvider?: SocialProvider | undefined;
}

/** Opens a session for a request, whatever the sign-in; call it in the transaction that locked the customer. */
export async function openSessionForRequest(
  queries: Queries,
  customerId: number,
  call: RequestContext,
  opening: Omit<Opening, "device" | "network"> = {},
): Promise<OpenedSession> {
  // End the browser's earlier session: its cookie is about to be replaced.
  if (call.caller?.byCookie) await endSession(queries, call.caller.customerId, call.caller.sessionId);
  const device = deviceName(call.request.headers.get("user-agent"));
  const session = await openSession(queries, customerId, { device, network: networkOf(call.address), ...opening });
  return { customerId, socialProvider: opening.socialProvider, ...session };
}

/** The response to a sign-in, once its transaction has committed: sets the cookies and returns AuthData. */
export async function signInResponse(
  deps: Dependencies,
  call: RequestContext,
  opened: OpenedSession,
): Promise<AuthDataResponse> {
  const { secureCookies } = deps.settings;
  const customer = await deps.readCustomer(opened.customerId);
  if (!customer) throw new Refusal("not_signed_in");
  call.headers.append("set-cookie", tokenCookieOf(opened.token, sessionDays * 86_400, secureCookies));
  call.headers.append("set-cookie", clearedLogoutCookie(secureCookies));
  if (opened.socialProvider)
    call.headers.append("set-cookie", providerCookieOf(opened.socialProvider, sessionDays * 86_400, secureCookies));
  else if (call.request.headers.get("cookie")?.includes(`${providerCookieName}=`))
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

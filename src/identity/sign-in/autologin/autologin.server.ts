import { findRegistered } from "#identity/customer/customer.server.ts";
import { normaliseEmail } from "#identity/customer/email/email.server.ts";
import type { AuthDataResponse } from "#identity/customer/responses.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { autologinUrl, consumeLink, createLink } from "#identity/links/links.server.ts";
import { type OpenedSession, openSessionForRequest, signInResponse } from "#identity/session/open-session.server.ts";
import { type SessionKey, withLockedSession } from "#identity/session/reauthentication/locked-session.server.ts";
import { type createFindSession, extendSession } from "#identity/session/session.server.ts";
import { isToken } from "#identity/session/tokens.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import type { ConcurrencyLimit } from "#platform/limits/concurrency-limit.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";

/** Signs in with an address and its token. Whatever is wrong, the refusal is the same. */
export async function signInWithLink(
  deps: Dependencies & { findSession: ReturnType<typeof createFindSession>; exchangeLimit: ConcurrencyLimit },
  input: { Email: string; Token: string; LinkOnly: boolean },
  call: RequestContext,
): Promise<AuthDataResponse> {
  const email = normaliseEmail(input.Email);
  const opened = await deps.limits.linkGuess(call.address, async () => {
    if (!email || !isToken(input.Token)) throw new Refusal("link_expired");
    const session = await deps.findSession(input.Token);
    if (session?.email === email && input.LinkOnly) throw new Refusal("confirmation_needed");
    if (session?.email === email)
      return deps.exchangeLimit(session, () => exchangeSession(deps.database, session, call));
    return deps.database.transaction((tx) => redeemLink(tx, email, input.Token, call));
  });
  return signInResponse(deps, call, opened);
}

/** Exchanges a session that the web shop has: it stays valid, and this browser gets one of its own, of the same age. */
function exchangeSession(database: Database, shopSession: SessionKey, call: RequestContext): Promise<OpenedSession> {
  return withLockedSession(
    database,
    shopSession,
    async (tx, { customer, session }) => {
      // The exchange counts as a use: of too many sessions, the least recently used ends first.
      await extendSession(tx, shopSession.customerId, shopSession.sessionId);
      return openSessionForRequest(tx, customer.id, call, { begunAt: session.createdAt });
    },
    "link_expired",
  );
}

async function redeemLink(tx: Queries, email: string, token: string, call: RequestContext): Promise<OpenedSession> {
  // Consume the link first; for another address the refusal rolls it back.
  const customer = await consumeLink(tx, token, ["autologin"]);
  if (customer.email !== email) throw new Refusal("link_expired");
  return openSessionForRequest(tx, customer.id, call);
}

/** A link that signs its customer in; nothing for an unknown address. Used by the operator's command. */
export async function createAutologinLink(
  database: Database,
  settings: Settings,
  address: string,
): Promise<string | undefined> {
  const email = normaliseEmail(address);
  const customer = email && (await findRegistered(database, email));
  if (!customer) return undefined;
  const link = await database.transaction((tx) => createLink(tx, customer, "autologin"));
  return autologinUrl(settings, customer.language, customer.email, link.token);
}

import { findRegistered } from "#identity/customer/customer.server.ts";
import { normaliseEmail } from "#identity/customer/email.server.ts";
import type { AuthDataResponse } from "#identity/customer/responses.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { autologinUrl, consumeLink, createLink } from "#identity/links/links.server.ts";
import { actWithAuthority, type OwnSession } from "#identity/session/authority.server.ts";
import { admit, type Opened, openFor } from "#identity/session/open-session.server.ts";
import { type createFindSession, prolong } from "#identity/session/session.server.ts";
import { isToken } from "#identity/session/tokens.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import type { ConcurrencyLimit } from "#platform/limits/concurrency-limit.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";

/** Signs in with an address and a token that belong together. Whatever is wrong, the answer is the same. */
export async function signInWithLink(
  deps: Dependencies & { findSession: ReturnType<typeof createFindSession>; inTurn: ConcurrencyLimit },
  input: { Email: string; Token: string },
  call: RequestContext,
): Promise<AuthDataResponse> {
  const email = normaliseEmail(input.Email);
  const opened = await deps.limits.linkGuess(call.address, async () => {
    if (!email || !isToken(input.Token)) throw new Refusal("link_expired");
    const session = await deps.findSession(input.Token);
    if (session?.email === email) return deps.inTurn(session, () => exchangeSession(deps.database, session, call));
    return deps.database.transaction((tx) => followLink(tx, email, input.Token, call));
  });
  return admit(deps, call, opened);
}

/** The shop hands over the session it has; it stays good, and this browser gets one of its own, of the same age. */
function exchangeSession(database: Database, own: OwnSession, call: RequestContext): Promise<Opened> {
  return actWithAuthority(
    database,
    own,
    async (tx, { customer, session }) => {
      // A use like another: of too many sessions, the least recently used ends first.
      await prolong(tx, own.customerId, own.sessionId);
      return openFor(tx, customer.id, call, { begunAt: session.createdAt });
    },
    "link_expired",
  );
}

async function followLink(tx: Queries, email: string, token: string, call: RequestContext): Promise<Opened> {
  // Consume the link first; with another address the refusal gives it back.
  const customer = await consumeLink(tx, token, ["autologin"]);
  if (customer.email !== email) throw new Refusal("link_expired");
  return openFor(tx, customer.id, call);
}

/** A link that signs its customer in, or nothing for an unknown address. For the operator's command. */
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

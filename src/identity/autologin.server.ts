import type { Database, Queries } from "#platform/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import type { AuthDataAnswer } from "./answers.server.ts";
import { findRegistered } from "./customer.server.ts";
import { normaliseEmail } from "./email.server.ts";
import { autologinUrl, consumeLink, createLink } from "./links.server.ts";
import type { Circumstances, Parts } from "./parts.server.ts";
import type { createFindSession } from "./session.server.ts";
import { admit, type Opened, openFor } from "./sign-in.server.ts";
import { isToken } from "./tokens.server.ts";

/** Signs in with an address and a token that belong together. Whatever is wrong, the answer is the same. */
export async function signInWithLink(
  parts: Parts & { findSession: ReturnType<typeof createFindSession> },
  input: { Email: string; Token: string },
  call: Circumstances,
): Promise<AuthDataAnswer> {
  const email = normaliseEmail(input.Email);
  const opened = await parts.limits.linkGuess(call.address, async () => {
    if (!email || !isToken(input.Token)) throw new Refusal("link_expired");
    // The shop hands over the session it has; it stays good, and this browser gets one of its own.
    const session = await parts.findSession(input.Token);
    if (session?.email === email) return openFor(parts.database, session.customerId, call);
    return parts.database.transaction((tx) => followLink(tx, email, input.Token, call));
  });
  return admit(parts, call, opened);
}

async function followLink(tx: Queries, email: string, token: string, call: Circumstances): Promise<Opened> {
  // Consume the link first; with another address the refusal gives it back.
  const link = await consumeLink(tx, token, ["autologin"]);
  if (link.email !== email) throw new Refusal("link_expired");
  return openFor(tx, link.customerId, call);
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

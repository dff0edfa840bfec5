import { and, eq, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { sendConfirmation } from "#identity/address/email-confirmation.server.ts";
import { startClean, welcomeVerifiedCustomer } from "#identity/address/verified-address.server.ts";
import { claimEmail, findRegistered, lockCustomer } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { AuthDataResponse } from "#identity/customer/responses.server.ts";
import { socialAccounts, socialLogins } from "#identity/customer/social-login.tables.server.ts";
import { providerNames, type SocialProvider } from "#identity/customer/social-providers.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { emails } from "#identity/links/emails.server.ts";
import { type OpenedSession, openSessionForRequest, signInResponse } from "#identity/session/open-session.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import type { SocialIdentity } from "./social-identity.server.ts";

/** A concurrent request inserted the same login; a retry finds it. */
export class LostRace extends Error {}

const maxAttempts = 3;

/*
 * How an identity with a valid proof signs in:
 *
 *   its account is linked ───────────────────────────────► that customer
 *   else its address is a customer's
 *        verified by the provider (Google-type) ──────────► linked; an account whose address was never verified first
 *                                                           loses every other way to sign in (clean start)
 *        not verified ────────────────────────────────────► refused: sign in with the password, then link
 *   else ─────────────────────────────────────────────────► a new customer
 */
export async function signInWithSocial(
  deps: Dependencies,
  identity: SocialIdentity,
  call: RequestContext,
): Promise<AuthDataResponse> {
  const { database, limits } = deps;
  const owner = await findOwner(database, identity);
  const sameEmail = !owner && identity.email ? await findRegistered(database, identity.email) : undefined;
  const signIn = async () => signInResponse(deps, call, await openSocialSession(deps, identity, call));
  if (owner || sameEmail) return signIn();
  const unverifiedEmail = identity.emailVerified ? undefined : identity.email;
  return limits.registration({ email: unverifiedEmail, guest: false }, call.address, signIn);
}

async function openSocialSession(
  deps: Dependencies,
  identity: SocialIdentity,
  call: RequestContext,
  attempt = 1,
): Promise<OpenedSession> {
  try {
    return await deps.database.transaction(async (tx) => {
      const customerId =
        (await lockOwner(tx, identity)) ??
        (await linkByEmail(tx, deps, identity, call)) ??
        (await registerSocial(tx, deps, identity, call));
      return openSessionForRequest(tx, customerId, call, { socialProvider: identity.provider, authenticated: true });
    });
  } catch (error) {
    const raced = error instanceof LostRace || (error instanceof Refusal && error.code === "email_taken");
    // Of two concurrent first sign-ins the other one inserted the customer; a retry finds them.
    if (raced && attempt < maxAttempts) return openSocialSession(deps, identity, call, attempt + 1);
    throw error;
  }
}

/** The customer to whom an account at a provider is linked. */
export async function findOwner(
  queries: Queries,
  { provider, id }: Pick<SocialIdentity, "provider" | "id">,
): Promise<number | undefined> {
  const [found] = await queries
    .select({ customerId: socialAccounts.customerId })
    .from(socialAccounts)
    .where(and(eq(socialAccounts.provider, provider), eq(socialAccounts.providerCustomerId, id)));
  return found?.customerId;
}

/** The same customer, locked; read again under the lock, since a removal or a reset may have come in between. */
async function lockOwner(tx: Queries, identity: SocialIdentity): Promise<number | undefined> {
  const owner = await findOwner(tx, identity);
  if (owner === undefined) return undefined;
  await lockCustomer(tx, owner);
  if ((await findOwner(tx, identity)) !== owner) throw new LostRace();
  return owner;
}

/** Links the identity to the customer who has its address, if the provider has verified that address. */
async function linkByEmail(
  tx: Queries,
  deps: Dependencies,
  identity: SocialIdentity,
  call: RequestContext,
): Promise<number | undefined> {
  if (!identity.email) throw new Refusal("email_not_shared");
  const found = await findRegistered(tx, identity.email);
  if (!found) return undefined;
  if (!identity.emailVerified) {
    // A concurrent sign-in with this identity may have inserted that customer since the first check.
    const owner = await lockOwner(tx, identity);
    if (owner !== undefined) return owner;
    throw new Refusal("link_first");
  }
  // Locked against a concurrent confirmation, reset or sign-in with this identity.
  const customer = await lockCustomer(tx, found.id);
  if (!customer) throw new LostRace();
  if (!customer.emailVerifiedAt) {
    const { firstname, lastname, provider } = identity;
    await startClean(tx, deps, customer, { firstname, lastname, source: provider }, call);
  }
  const [other] = await tx
    .select({ id: socialAccounts.providerCustomerId })
    .from(socialAccounts)
    .where(and(eq(socialAccounts.customerId, customer.id), eq(socialAccounts.provider, identity.provider)));
  // The address belongs to another account at the provider by now; signing in with the password decides which is right.
  if (other && other.id !== identity.id) throw new Refusal("link_first");
  if (!other) {
    await insertLogin(tx, customer.id, identity);
    // A clean start mails a welcome; an owner who had the account before is mailed about the new login.
    if (customer.emailVerifiedAt) await mailLinked(tx, deps.settings, customer, identity.provider, call.locale);
  }
  return customer.id;
}

/** A new customer, without a password and with an unknown birthday. */
async function registerSocial(
  tx: Queries,
  deps: Dependencies,
  identity: SocialIdentity,
  call: RequestContext,
): Promise<number> {
  const { provider, email, emailVerified, firstname, lastname } = identity;
  if (!email) throw new Refusal("email_not_shared");
  const [customer] = await tx
    .insert(customers)
    .values({
      email,
      firstname,
      lastname,
      language: call.locale,
      emailVerifiedAt: emailVerified ? sql`now()` : null,
      origin: provider,
    })
    .returning({ id: customers.id, email: customers.email, firstname: customers.firstname });
  if (!customer) throw new Error("The customer was not stored.");
  await claimEmail(tx, customer);
  await insertLogin(tx, customer.id, identity);
  if (emailVerified) await welcomeVerifiedCustomer(tx, deps, customer, call.locale);
  else await sendConfirmation(tx, deps.settings, customer, call.locale);
  return customer.id;
}

export async function insertLogin(
  tx: Queries,
  customerId: number,
  { provider, id }: Pick<SocialIdentity, "provider" | "id">,
): Promise<void> {
  await tx.insert(socialLogins).values({ customerId, provider }).onConflictDoNothing();
  const written = await tx
    .insert(socialAccounts)
    .values({ customerId, provider, providerCustomerId: id })
    .onConflictDoNothing()
    .returning({ one: sql`1` });
  if (written.length === 0) throw new LostRace();
}

/** Mails the customer about a new way to sign in, no matter who added it. */
export async function mailLinked(
  tx: Queries,
  settings: Settings,
  customer: { id: number; email: string; firstname: string },
  provider: SocialProvider,
  locale: Locale,
): Promise<void> {
  await queueMail(tx, {
    cause: `linked:${customer.id}:${provider}:${Date.now()}`,
    customerId: customer.id,
    to: customer.email,
    locale,
    content: emails.linked(settings, locale, customer.firstname, providerNames[provider]),
  });
}

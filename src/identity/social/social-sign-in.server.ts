import { and, eq, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { sendConfirmation } from "#identity/address/email-confirmation.server.ts";
import { greetProven, startClean } from "#identity/address/proven-address.server.ts";
import { claimEmail, findRegistered, lockCustomer } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { AuthDataResponse } from "#identity/customer/responses.server.ts";
import { socialAccounts, socialLogins } from "#identity/customer/social-login.tables.server.ts";
import { providerNames, type SocialProvider } from "#identity/customer/social-providers.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { letters } from "#identity/links/letters.server.ts";
import { admit, type Opened, openFor } from "#identity/session/open-session.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import type { SocialIdentity } from "./social-identity.server.ts";

/** Somebody else wrote the same login in this very moment; a second look finds it. */
export class LostRace extends Error {}

const attempts = 3;

/*
 * A proved identity signs in:
 *
 *   its account is linked ───────────────────────────────► that customer
 *   else its address is a customer's
 *        verified by the provider (Google-type) ──────────► linked; an account whose address was never proved is
 *                                                           first emptied of every other way in
 *        not verified ────────────────────────────────────► refused: sign in with the password, then link
 *   else ─────────────────────────────────────────────────► a new customer
 */
export async function signInWithSocial(
  deps: Dependencies,
  identity: SocialIdentity,
  call: RequestContext,
): Promise<AuthDataResponse> {
  const { database, limits } = deps;
  const known = await ownerOf(database, identity);
  const address = !known && identity.email ? await findRegistered(database, identity.email) : undefined;
  const comeIn = async () => admit(deps, call, await enter(deps, identity, call));
  if (known || address) return comeIn();
  const unproved = identity.emailVerified ? undefined : identity.email;
  return limits.registration({ email: unproved, guest: false }, call.address, comeIn);
}

async function enter(deps: Dependencies, identity: SocialIdentity, call: RequestContext, attempt = 1): Promise<Opened> {
  try {
    return await deps.database.transaction(async (tx) => {
      const customerId =
        (await lockOwner(tx, identity)) ??
        (await adopt(tx, deps, identity, call)) ??
        (await registerSocial(tx, deps, identity, call));
      return openFor(tx, customerId, call, { socialProvider: identity.provider, proved: true });
    });
  } catch (error) {
    const raced = error instanceof LostRace || (error instanceof Refusal && error.code === "email_taken");
    // Two first sign-ins at once: the other one made the customer, so this one finds them.
    if (raced && attempt < attempts) return enter(deps, identity, call, attempt + 1);
    throw error;
  }
}

/** The customer an account at a provider belongs to. */
export async function ownerOf(
  queries: Queries,
  { provider, id }: Pick<SocialIdentity, "provider" | "id">,
): Promise<number | undefined> {
  const [found] = await queries
    .select({ customerId: socialAccounts.customerId })
    .from(socialAccounts)
    .where(and(eq(socialAccounts.provider, provider), eq(socialAccounts.providerCustomerId, id)));
  return found?.customerId;
}

/** The same customer, locked; read again under the lock, since a removal or a reset may have come first. */
async function lockOwner(tx: Queries, identity: SocialIdentity): Promise<number | undefined> {
  const owner = await ownerOf(tx, identity);
  if (owner === undefined) return undefined;
  await lockCustomer(tx, owner);
  if ((await ownerOf(tx, identity)) !== owner) throw new LostRace();
  return owner;
}

/** Links the identity to the customer who has its address, if the provider vouches for it. */
async function adopt(
  tx: Queries,
  deps: Dependencies,
  identity: SocialIdentity,
  call: RequestContext,
): Promise<number | undefined> {
  if (!identity.email) throw new Refusal("email_not_shared");
  const found = await findRegistered(tx, identity.email);
  if (!found) return undefined;
  if (!identity.emailVerified) {
    // A twin of this sign-in may have made that customer since the first look.
    const twin = await lockOwner(tx, identity);
    if (twin !== undefined) return twin;
    throw new Refusal("link_first");
  }
  // Locked: a confirmation, a reset or a twin of this sign-in must not slip in between.
  const customer = await lockCustomer(tx, found.id);
  if (!customer) throw new LostRace();
  if (!customer.emailVerifiedAt) {
    const { firstname, lastname, provider } = identity;
    await startClean(tx, deps, customer, { firstname, lastname, source: provider, locale: call.locale });
  }
  const [other] = await tx
    .select({ id: socialAccounts.providerCustomerId })
    .from(socialAccounts)
    .where(and(eq(socialAccounts.customerId, customer.id), eq(socialAccounts.provider, identity.provider)));
  // The address has moved to another account at the provider; which of the two is right, the password decides.
  if (other && other.id !== identity.id) throw new Refusal("link_first");
  if (!other) {
    await writeLogin(tx, customer.id, identity);
    // Who has just started clean is greeted; who had the account before is told of the new way in.
    if (customer.emailVerifiedAt) await tellLinked(tx, deps.settings, customer, identity.provider, call.locale);
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
  if (!customer) throw new Error("The customer was not kept.");
  await claimEmail(tx, customer);
  await writeLogin(tx, customer.id, identity);
  if (emailVerified) await greetProven(tx, deps, customer, call.locale);
  else await sendConfirmation(tx, deps.settings, customer, call.locale);
  return customer.id;
}

export async function writeLogin(
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

/** A new way in is told by letter, whoever added it. */
export async function tellLinked(
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
    letter: letters.linked(settings, locale, customer.firstname, providerNames[provider]),
  });
}

import { eq, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { recordOptIns } from "#identity/customer/consent/opt-ins.server.ts";
import type { lockCustomer } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { nameFromEmail } from "#identity/customer/names.server.ts";
import { passkeys } from "#identity/customer/passkey.tables.server.ts";
import { socialLogins } from "#identity/customer/social-login.tables.server.ts";
import type { SocialProvider } from "#identity/customer/social-providers.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { mergeGuests, upgradeGuest } from "#identity/guests/guests.server.ts";
import { emails } from "#identity/links/emails.server.ts";
import { endLinks } from "#identity/links/links.server.ts";
import { endSessions } from "#identity/session/session.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import { previousDetails } from "./previous-details.tables.server.ts";
import { endShopRegistration } from "./shop-registration.server.ts";

type Person = { id: number; email: string; firstname: string };
type LockedCustomer = NonNullable<Awaited<ReturnType<typeof lockCustomer>>>;
/** How the owner of an address has proved it. */
type ProofSource = "reset" | "confirmation" | "code" | SocialProvider;

/** The address is now verified: merge the guest records made with it, and mail the welcome once: a member's is the club's. */
export async function welcomeVerifiedCustomer(
  queries: Queries,
  { club, settings }: Pick<Dependencies, "club" | "settings">,
  customer: Person,
  locale: Locale,
): Promise<void> {
  await mergeGuests(queries, club, customer);
  if (await club.mailWelcome(queries, customer.id, locale)) return;
  await queueMail(queries, {
    cause: `welcome:${customer.id}`,
    customerId: customer.id,
    to: customer.email,
    locale,
    content: emails.welcome(settings, locale, customer.firstname),
  });
}

/**
 * A clean start, when the owner of an address comes to an account whose address no one had verified: a stranger may have
 * registered it in advance to keep access. Every way to sign in and every wallet pass ends, and the card gets a new
 * number. Names, birthday, phone and opt-ins are the stranger's or the owner's: they stay in the browser that registered,
 * else the owner is asked. Call it with the customer locked; it returns the first name to use in emails.
 */
export async function startClean(
  tx: Queries,
  deps: Pick<Dependencies, "club" | "settings" | "deviceCookies">,
  customer: { id: number; email: string; firstname: string; passwordHash: string | null },
  /** What the proof of ownership says about the owner. */
  owner: { firstname?: string; lastname?: string; source: ProofSource },
  { request, locale }: Pick<RequestContext, "request" | "locale">,
): Promise<string> {
  const registeredHere = (await deps.deviceCookies.verify(request, customer)) !== undefined;
  const registeredByShop = await endShopRegistration(tx, customer.id);
  const firstname = registeredHere
    ? customer.firstname
    : await putDetailsAside(tx, customer, owner, { offer: !registeredByShop, locale });
  await tx
    .update(customers)
    .set({ passwordHash: null, emailVerifiedAt: sql`now()`, updatedAt: sql`now()` })
    .where(eq(customers.id, customer.id));
  await tx.delete(socialLogins).where(eq(socialLogins.customerId, customer.id));
  await tx.delete(passkeys).where(eq(passkeys.customerId, customer.id));
  await endSessions(tx, customer.id);
  await endLinks(tx, customer.id);
  await deps.club.startClean(tx, customer.id);
  await welcomeVerifiedCustomer(tx, deps, { ...customer, firstname }, locale);
  return firstname;
}

/** Empties the profile. What was in it is offered to the owner, unless they have refused it already. */
async function putDetailsAside(
  tx: Queries,
  customer: { id: number; email: string },
  owner: { firstname?: string; lastname?: string; source: ProofSource },
  { offer, locale }: { offer: boolean; locale: Locale },
): Promise<string> {
  const customerId = customer.id;
  const [before] = await tx
    .select({
      firstname: customers.firstname,
      lastname: customers.lastname,
      civility: customers.civility,
      birthday: customers.birthday,
      mobilePhone: customers.mobilePhone,
      newsletter: customers.newsletter,
      newsletterSms: customers.newsletterSms,
    })
    .from(customers)
    .where(eq(customers.id, customerId));
  if (!before) throw new Error("The locked customer does not exist.");
  if (offer) await tx.insert(previousDetails).values({ customerId, ...before });
  // Until the owner enters a name it is derived from the address, as after a social sign-in without a name.
  const firstname = owner.firstname || nameFromEmail(customer.email);
  await tx
    .update(customers)
    .set({
      firstname,
      lastname: owner.lastname ?? "",
      civility: null,
      birthday: null,
      birthdayChangedAt: null,
      mobilePhone: null,
      newsletter: false,
      newsletterSms: false,
    })
    .where(eq(customers.id, customerId));
  const from = { newsletter: before.newsletter, sms: before.newsletterSms };
  const to = { newsletter: false, sms: false };
  await recordOptIns(tx, { customerId, from, to, source: owner.source, locale });
  return firstname;
}

/**
 * Sets the password with a mailed link, which verifies the address. Call it with the customer locked. Every session and
 * every other link ends, and so do wallet passes; an account whose address no one had verified gets a clean start.
 */
export async function setPasswordByLink(
  tx: Queries,
  deps: Dependencies,
  customer: LockedCustomer,
  { passwordHash, source }: { passwordHash: string; source: "reset" | "confirmation" },
  call: RequestContext,
): Promise<void> {
  const { locale } = call;
  if (customer.guest) await upgradeGuest(tx, customer);
  const isUnverified = !customer.guest && !customer.emailVerifiedAt;
  const firstname = isUnverified ? await startClean(tx, deps, customer, { source }, call) : customer.firstname;
  await tx
    .update(customers)
    .set({
      passwordHash,
      emailVerifiedAt: sql`coalesce(${customers.emailVerifiedAt}, now())`,
      updatedAt: sql`now()`,
    })
    .where(eq(customers.id, customer.id));
  await endSessions(tx, customer.id);
  await endLinks(tx, customer.id);
  const passesEnded = await deps.club.endPasses(tx, customer.id);
  if (customer.guest) await welcomeVerifiedCustomer(tx, deps, customer, locale);
  else await mailPasswordChanged(tx, deps.settings, { ...customer, firstname }, locale, { passesEnded });
}

/**
 * The customer says that the card which a shop gave them is theirs: nothing starts clean. Only the shop had entered
 * anything, and there was no way to sign in before. Call it with the customer locked.
 */
export async function keepShopRegistration(
  tx: Queries,
  deps: Dependencies,
  customer: Person,
  { passwordHash, locale }: { passwordHash: string; locale: Locale },
): Promise<void> {
  await tx
    .update(customers)
    .set({ passwordHash, emailVerifiedAt: sql`now()`, updatedAt: sql`now()` })
    .where(eq(customers.id, customer.id));
  await endLinks(tx, customer.id);
  await welcomeVerifiedCustomer(tx, deps, customer, locale);
}

export async function mailPasswordChanged(
  queries: Queries,
  settings: Settings,
  customer: { id: number; email: string; firstname: string },
  locale: Locale,
  ended: { passesEnded?: boolean } = {},
): Promise<void> {
  await queueMail(queries, {
    // Each change is a cause of its own; the time makes it unique.
    cause: `password:${customer.id}:${Date.now()}`,
    customerId: customer.id,
    to: customer.email,
    locale,
    content: emails.passwordChanged(settings, locale, customer.firstname, ended),
  });
}

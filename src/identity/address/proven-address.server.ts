import { eq, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { claimEmail } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { nameFromEmail } from "#identity/customer/names.server.ts";
import { recordOptIns } from "#identity/customer/opt-ins.server.ts";
import { socialLogins } from "#identity/customer/social-login.tables.server.ts";
import type { SocialProvider } from "#identity/customer/social-providers.ts";
import type { Dependencies } from "#identity/dependencies.server.ts";
import { letters } from "#identity/links/letters.server.ts";
import { endLinks } from "#identity/links/links.server.ts";
import { endSessions } from "#identity/session/session.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import { joinGuests } from "./guests.server.ts";

type Person = { id: number; email: string; firstname: string };

/** The address is now known to be theirs: their guest records join them, and they are welcomed once. */
export async function greetProven(
  queries: Queries,
  { club, settings }: Pick<Dependencies, "club" | "settings">,
  customer: Person,
  locale: Locale,
): Promise<void> {
  await joinGuests(queries, club, customer);
  await queueMail(queries, {
    cause: `welcome:${customer.id}`,
    customerId: customer.id,
    to: customer.email,
    locale,
    letter: letters.welcome(settings, locale, customer.firstname),
  });
}

/**
 * The owner of an address comes to an account that nobody had proved: it may have been planted by a stranger who waits for
 * them. Every way in ends, so do the wallet passes, the card gets another number, and what the stranger wrote about the
 * owner is not believed: names and opt-ins are asked again. Call it with the customer locked; it says what to call the
 * owner until then.
 */
export async function startClean(
  tx: Queries,
  deps: Pick<Dependencies, "club" | "settings">,
  customer: { id: number; email: string },
  /** What is known of the owner by the very proof. */
  owner: { firstname?: string; lastname?: string; source: "reset" | "confirmation" | SocialProvider; locale: Locale },
): Promise<string> {
  const { source, locale } = owner;
  const [planted] = await tx
    .select({ newsletter: customers.newsletter, sms: customers.newsletterSms })
    .from(customers)
    .where(eq(customers.id, customer.id));
  if (!planted) throw new Error("The customer is locked, and gone.");
  // Until they say otherwise they are greeted by their address, as somebody is whose provider knows no name.
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
      passwordHash: null,
      emailVerifiedAt: sql`now()`,
      updatedAt: sql`now()`,
    })
    .where(eq(customers.id, customer.id));
  await recordOptIns(tx, {
    customerId: customer.id,
    from: planted,
    to: { newsletter: false, sms: false },
    source,
    locale,
  });
  await tx.delete(socialLogins).where(eq(socialLogins.customerId, customer.id));
  await endSessions(tx, customer.id);
  await endLinks(tx, customer.id);
  await deps.club.startClean(tx, customer.id);
  await greetProven(tx, deps, { ...customer, firstname }, locale);
  return firstname;
}

/**
 * Whoever follows a mailed link owns the address, and sets the password. Call it with the customer locked. Every session
 * and every other link ends; an account that nobody had proved starts clean.
 */
export async function setProvenPassword(
  tx: Queries,
  deps: Dependencies,
  customer: { id: number; email: string; firstname: string; guest: boolean; emailVerifiedAt: Date | null },
  { passwordHash, source, locale }: { passwordHash: string; source: "reset" | "confirmation"; locale: Locale },
): Promise<void> {
  if (customer.guest) await claimEmail(tx, customer);
  const planted = !customer.guest && !customer.emailVerifiedAt;
  const firstname = planted ? await startClean(tx, deps, customer, { source, locale }) : customer.firstname;
  await tx
    .update(customers)
    .set({
      guest: false,
      passwordHash,
      emailVerifiedAt: sql`coalesce(${customers.emailVerifiedAt}, now())`,
      updatedAt: sql`now()`,
    })
    .where(eq(customers.id, customer.id));
  await endSessions(tx, customer.id);
  await endLinks(tx, customer.id);
  if (customer.guest) await greetProven(tx, deps, customer, locale);
  else await tellPasswordChanged(tx, deps.settings, { ...customer, firstname }, locale);
}

export async function tellPasswordChanged(
  queries: Queries,
  settings: Settings,
  customer: { id: number; email: string; firstname: string },
  locale: Locale,
): Promise<void> {
  await queueMail(queries, {
    // Each change is a cause of its own; the time tells them apart.
    cause: `password:${customer.id}:${Date.now()}`,
    customerId: customer.id,
    to: customer.email,
    locale,
    letter: letters.passwordChanged(settings, locale, customer.firstname),
  });
}

import { and, eq, gt } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { recordConsent } from "#identity/customer/consent/consent.server.ts";
import { claimEmail } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { emails } from "#identity/links/emails.server.ts";
import { createLink } from "#identity/links/links.server.ts";
import { createToken, isToken } from "#identity/session/tokens.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import { shopRegistrations } from "./shop-registration.tables.server.ts";

/** How long the QR code on the till's screen brings the pass. */
const passMs = 60 * 60_000;
/** For so long a till that sends the same fields again gets the same response. */
const repeatMs = 15 * 60_000;

/** What a shop assistant enters for a customer. */
export interface ShopForm {
  email: string;
  firstname: string;
  lastname: string;
  locale: Locale;
}

/**
 * Registers a customer for a shop, without a password. No one has verified the address: anyone who opens the email says
 * whether the card is theirs. Throws `email_taken`.
 */
export async function registerInShop(
  tx: Queries,
  settings: Settings,
  form: ShopForm,
  { id: shopId, name: shopName }: { id: number; name: string },
  now: Date,
): Promise<{ customerId: number; passToken: string }> {
  const { locale, ...person } = form;
  const [customer] = await tx
    .insert(customers)
    .values({ ...person, language: locale, origin: "store" })
    .returning({ id: customers.id, email: customers.email, firstname: customers.firstname });
  if (!customer) throw new Error("The customer was not stored.");
  await claimEmail(tx, customer);
  const registration = { customerId: customer.id, shopId, shopName, registeredAt: now, passToken: createToken() };
  await tx.insert(shopRegistrations).values(registration);
  await recordConsent(tx, { customerId: customer.id, subject: "loyalty", given: true, source: "store", locale });
  await sendShopConfirmation(tx, settings, customer, registration, locale);
  return registration;
}

/** The registration that the same shop made of the same fields a moment ago. */
export async function findRepeated(queries: Queries, form: ShopForm, shopId: number, now: Date) {
  const [found] = await queries
    .select({ customerId: shopRegistrations.customerId, passToken: shopRegistrations.passToken })
    .from(shopRegistrations)
    .innerJoin(customers, eq(customers.id, shopRegistrations.customerId))
    .where(
      and(
        eq(customers.email, form.email),
        eq(customers.firstname, form.firstname),
        eq(customers.lastname, form.lastname),
        eq(customers.language, form.locale),
        eq(shopRegistrations.shopId, shopId),
        gt(shopRegistrations.registeredAt, new Date(now.getTime() - repeatMs)),
      ),
    );
  return found;
}

/** The registration of a customer whom a shop registered and who has not confirmed yet. */
export async function findShopRegistration(queries: Queries, customer: { id: number; emailVerifiedAt: Date | null }) {
  if (customer.emailVerifiedAt) return undefined;
  const [found] = await queries.select().from(shopRegistrations).where(eq(shopRegistrations.customerId, customer.id));
  return found;
}

/** The customer whose pass a QR code brings; undefined when it is too old. */
export async function findByPassToken(queries: Queries, token: string, now: Date): Promise<number | undefined> {
  const [found] = isToken(token)
    ? await queries
        .select({ customerId: shopRegistrations.customerId })
        .from(shopRegistrations)
        .where(
          and(
            eq(shopRegistrations.passToken, token),
            gt(shopRegistrations.registeredAt, new Date(now.getTime() - passMs)),
          ),
        )
    : [];
  return found?.customerId;
}

/** After a clean start the QR code brings nothing, and nothing reminds of whom the shop registered. True: it was a shop. */
export async function endShopRegistration(queries: Queries, customerId: number): Promise<boolean> {
  const ended = await queries
    .delete(shopRegistrations)
    .where(eq(shopRegistrations.customerId, customerId))
    .returning({ customerId: shopRegistrations.customerId });
  return ended.length > 0;
}

export async function sendShopConfirmation(
  queries: Queries,
  settings: Settings,
  customer: { id: number; email: string; firstname: string },
  { shopName, registeredAt }: { shopName: string; registeredAt: Date },
  locale: Locale,
): Promise<void> {
  const link = await createLink(queries, customer, "verify");
  const place = { shop: shopName, day: registeredAt };
  await queueMail(queries, {
    cause: `verify:${customer.id}:${link.id}`,
    customerId: customer.id,
    to: customer.email,
    locale,
    content: emails.confirmFromShop(settings, locale, customer.firstname, link.token, place),
  });
}

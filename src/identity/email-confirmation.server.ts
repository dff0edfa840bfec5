import { and, eq, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Queries } from "#platform/database.server.ts";
import { queueMail } from "#platform/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import type { CustomerAnswer } from "./answers.server.ts";
import { addressee, customers } from "./customer.tables.server.ts";
import { joinGuests, sendGuestLink } from "./guest.server.ts";
import { letters } from "./letters.server.ts";
import { consumeLink, createLink } from "./links.server.ts";
import type { Circumstances, Parts } from "./parts.server.ts";

type Person = { id: number; email: string; firstname: string };

export async function sendConfirmation(
  queries: Queries,
  settings: Settings,
  customer: Person,
  locale: Locale,
): Promise<void> {
  const link = await createLink(queries, customer, "verify");
  await queueMail(queries, {
    cause: `verify:${customer.id}:${link.id}`,
    customerId: customer.id,
    to: customer.email,
    locale,
    letter: letters.confirm(settings, locale, customer.firstname, link.token),
  });
}

/** The address is now known to be theirs: their guest records join them, and they are welcomed once. */
export async function greetProven(
  queries: Queries,
  { club, settings }: Pick<Parts, "club" | "settings">,
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

export async function verifyEmail(parts: Parts, token: string, call: Circumstances): Promise<CustomerAnswer> {
  const { database, limits } = parts;
  const customerId = await limits.linkGuess(call.address, () =>
    database.transaction(async (tx) => {
      const link = await consumeLink(tx, token, ["verify"]);
      const [customer] = await tx
        .update(customers)
        .set({ emailVerifiedAt: sql`coalesce(${customers.emailVerifiedAt}, now())`, updatedAt: sql`now()` })
        .where(and(eq(customers.id, link.customerId), eq(customers.email, link.email)))
        .returning({ id: customers.id, email: customers.email, firstname: customers.firstname });
      if (!customer) throw new Refusal("link_expired");
      await greetProven(tx, parts, customer, call.locale);
      return customer.id;
    }),
  );
  const customer = await parts.readCustomer(customerId);
  if (!customer) throw new Refusal("link_expired");
  return customer;
}

/** Sends the confirmation again, if there is anything left to confirm. A guest proves the address by setting a password. */
export async function resendConfirmation(parts: Parts, customerId: number, locale: Locale): Promise<void> {
  const { database, limits, settings } = parts;
  const [customer] = await database.select(addressee).from(customers).where(eq(customers.id, customerId));
  if (!customer || customer.emailVerifiedAt) return;
  const send = customer.guest ? sendGuestLink : sendConfirmation;
  await limits.resend(customer.email, () => database.transaction((tx) => send(tx, settings, customer, locale)));
}

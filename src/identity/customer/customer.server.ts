import { and, eq, gt, ne, sql } from "drizzle-orm";
import { installedBrand } from "#brand/brand.server.ts";
import { defineRead, readById } from "#platform/api/reads.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { ClubHooks } from "./club-hooks.server.ts";
import { addressee, customerEmails, customers, emailHolds } from "./customer.tables.server.ts";
import type { CustomerResponse } from "./responses.server.ts";

/** A customer as the wire spells it; null when erased. */
export const customerRead = (club: ClubHooks) =>
  defineRead<object, CustomerResponse | null>(
    "customer",
    ({ customerId }) => sql`(
      select json_build_object(
        'IdCustomer', customer.id,
        'Email', customer.email,
        'Firstname', customer.firstname,
        'Lastname', customer.lastname,
        'Civility', customer.civility,
        'Birthday', customer.birthday,
        'MobilePhone', customer.mobile_phone,
        'LanguageIsoCode', customer.language,
        'CurrencyIsoCode', ${installedBrand().Currency}::text,
        'Guest', customer.guest,
        -- A closed account is erased, so every stored one is active unless the back office has blocked it.
        'Active', customer.blocked_at is null,
        'EmailVerified', customer.email_verified_at is not null,
        'HasPassword', customer.password_hash is not null,
        'NewsletterSubscribe', customer.newsletter,
        'NewsletterSmsSubscribe', customer.newsletter_sms,
        'LoyaltySubscribe', ${club.isMember},
        'SocialLogins', array(
          select provider from social_login where social_login.customer_id = customer.id order by provider desc))
      from customer where customer.id = ${customerId})`,
  );

/** The same by the customer's id, for a call that has changed them; undefined when erased. */
export type ReadCustomer = (customerId: number) => Promise<CustomerResponse | undefined>;

export function createReadCustomer(database: Database, club: ClubHooks): ReadCustomer {
  const read = customerRead(club);
  return async (customerId) =>
    (await readById(database, read, { customerId, now: new Date(), values: {} })) ?? undefined;
}

/**
 * Locks the customer until the transaction ends, and reads the current row. The product's lock order:
 * receipt (of shops), customer, account, vouchers by code. Whatever changes how a customer signs in, joins, leaves or moves points takes it first.
 */
export async function lockCustomer(tx: Queries, customerId: number) {
  const [customer] = await tx
    .select({ ...addressee, passwordHash: customers.passwordHash })
    .from(customers)
    .where(eq(customers.id, customerId))
    .for("no key update");
  return customer;
}

/** The registered customer of a normalised address; guests are not found here. */
export async function findRegistered(queries: Queries, email: string) {
  const [found] = await queries
    .select({
      id: customers.id,
      email: customers.email,
      firstname: customers.firstname,
      language: customers.language,
      passwordHash: customers.passwordHash,
      emailVerifiedAt: customers.emailVerifiedAt,
    })
    .from(customerEmails)
    .innerJoin(customers, eq(customers.id, customerEmails.customerId))
    .where(eq(customerEmails.email, email))
    .prepare("customer_by_email")
    .execute();
  return found;
}

/** Whether an address cannot be registered: a customer has it, or had it a few days ago and may still take it back. */
export async function isEmailTaken(queries: Queries, email: string): Promise<boolean> {
  return Boolean(await findRegistered(queries, email)) || isHeld(queries, { id: 0, email });
}

async function isHeld(queries: Queries, { id, email }: { id: number; email: string }): Promise<boolean> {
  const held = await queries
    .select({ one: sql`1` })
    .from(emailHolds)
    .where(and(eq(emailHolds.email, email), ne(emailHolds.customerId, id), gt(emailHolds.until, sql`now()`)));
  return held.length > 0;
}

/** Makes an address unique to this customer. Of concurrent claims one wins; the others are refused and roll back. */
export async function claimEmail(queries: Queries, customer: { id: number; email: string }): Promise<void> {
  const claimed = await queries
    .insert(customerEmails)
    .values({ email: customer.email, customerId: customer.id })
    .onConflictDoNothing()
    .returning({ one: sql`1` });
  // After the insert, which waited for a customer who is giving the address up: only now is their hold visible.
  if (claimed.length === 0 || (await isHeld(queries, customer))) throw new Refusal("email_taken");
}

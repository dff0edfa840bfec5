import { eq, sql } from "drizzle-orm";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { ClubHooks } from "./club-hooks.server.ts";
import { addressee, customerEmails, customers } from "./customer.tables.server.ts";
import type { CustomerResponse } from "./responses.server.ts";
import type { SocialProvider } from "./social-providers.ts";

const columns = {
  id: customers.id,
  email: customers.email,
  firstname: customers.firstname,
  lastname: customers.lastname,
  civility: customers.civility,
  birthday: customers.birthday,
  mobilePhone: customers.mobilePhone,
  language: customers.language,
  guest: customers.guest,
  emailVerifiedAt: customers.emailVerifiedAt,
  hasPassword: sql<boolean>`${customers.passwordHash} is not null`,
  newsletter: customers.newsletter,
  newsletterSms: customers.newsletterSms,
  // Qualified by hand: in a column list Drizzle omits the table's name, and both tables have a customer.
  socialLogins: sql<SocialProvider[]>`array(
    select provider from social_login where social_login.customer_id = customer.id order by provider desc)`,
};

/** A customer as the wire spells it; nothing when erased. */
export type ReadCustomer = (customerId: number) => Promise<CustomerResponse | undefined>;

/** Every page of an account reads the customer, so the statement is prepared once. */
export function createReadCustomer(database: Database, club: ClubHooks): ReadCustomer {
  const find = database
    .select({ ...columns, member: club.isMember })
    .from(customers)
    .where(eq(customers.id, sql.placeholder("id")))
    .prepare("customer_by_id");
  return async (customerId) => {
    const [row] = await find.execute({ id: customerId });
    return (
      row && {
        IdCustomer: row.id,
        Email: row.email,
        Firstname: row.firstname,
        Lastname: row.lastname,
        Civility: row.civility,
        Birthday: row.birthday,
        MobilePhone: row.mobilePhone,
        LanguageIsoCode: row.language,
        CurrencyIsoCode: "EUR",
        Guest: row.guest,
        // A closed account is erased, so every stored one is active.
        Active: true,
        EmailVerified: row.emailVerifiedAt !== null,
        HasPassword: row.hasPassword,
        NewsletterSubscribe: row.newsletter,
        NewsletterSmsSubscribe: row.newsletterSms,
        LoyaltySubscribe: row.member,
        SocialLogins: row.socialLogins,
      }
    );
  };
}

/**
 * Locks the customer until the transaction ends, and reads the current row. The product's lock order begins here:
 * customer, then account, then the rest. Whatever changes how a customer signs in, joins, leaves or moves points takes it first.
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

/** Makes an address unique to this customer. Of concurrent claims one wins; the others are refused and roll back. */
export async function claimEmail(queries: Queries, customer: { id: number; email: string }): Promise<void> {
  const claimed = await queries
    .insert(customerEmails)
    .values({ email: customer.email, customerId: customer.id })
    .onConflictDoNothing()
    .returning({ one: sql`1` });
  if (claimed.length === 0) throw new Refusal("email_taken");
}

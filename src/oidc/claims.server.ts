import { and, eq, isNull, sql } from "drizzle-orm";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { readLoyaltyAccount } from "#loyalty/ledger/loyalty-customer.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { Database } from "#platform/database/database.server.ts";

/** Which claims each scope reads. */
export const claimsOfScopes = {
  openid: ["sub"],
  email: ["email", "email_verified"],
  profile: ["name", "given_name", "family_name", "locale"],
  loyalty: ["loyalty_card", "loyalty_status", "loyalty_points"],
};

/** Finds a customer who may sign in, also by the subject of an account that was merged into theirs; undefined for a guest, a blocked and an unknown one. */
export function createFindSubject(database: Database) {
  const { id, subject, email, emailVerifiedAt, firstname, lastname, language } = customers;
  const find = database
    .select({ id, subject, email, emailVerifiedAt, firstname, lastname, language })
    .from(customers)
    .where(
      and(
        eq(id, sql`customer_of_subject(${sql.placeholder("given")}::uuid)`),
        isNull(customers.blockedAt),
        eq(customers.guest, false),
      ),
    )
    .prepare("oidc_subject");
  return async (given: string) => (await find.execute({ given }))[0];
}

type Subject = NonNullable<Awaited<ReturnType<ReturnType<typeof createFindSubject>>>>;

/** The claims about a customer, those of the club only where they are asked for. */
export async function claimsOf(
  database: Database,
  customer: Subject,
  { withLoyalty, now }: { withLoyalty: boolean; now: Date },
) {
  const { id, subject, email, emailVerifiedAt, firstname, lastname, language } = customer;
  const account = withLoyalty ? await readLoyaltyAccount(database, id, defaultProgrammeId, now) : undefined;
  return {
    sub: subject,
    email,
    email_verified: emailVerifiedAt !== null,
    name: `${firstname} ${lastname}`,
    given_name: firstname,
    family_name: lastname,
    locale: language,
    ...(account?.state === "active" && {
      loyalty_card: account.cardNumber,
      loyalty_status: account.rank?.tier.name[language] ?? null,
      loyalty_points: account.available,
    }),
  };
}

import { eq } from "drizzle-orm";
import { defaultLocale, type Locale } from "#i18n/locale.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { readLoyaltyAccount } from "#loyalty/ledger/loyalty-customer.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { Queries } from "#platform/database/database.server.ts";

/** What a pass shows of a member, in both wallets. */
export interface PassContent {
  state: "active" | "left" | "erased";
  name: string;
  language: Locale;
  cardNumber: string;
  points: number;
  tier: Record<Locale, string>;
  rank: number;
  /** The last day of the tier if nothing more is earned. */
  tierUntil: string | null;
}

/** Undefined for a customer who never was a member; an erased one has the state "erased" and no name. */
export async function readPassContent(
  queries: Queries,
  customerId: number,
  now: Date,
): Promise<PassContent | undefined> {
  const account = await readLoyaltyAccount(queries, customerId, defaultProgrammeId, now);
  if (!account.state || !account.rank) return undefined;
  const [customer] = await queries
    .select({ firstname: customers.firstname, lastname: customers.lastname, language: customers.language })
    .from(customers)
    .where(eq(customers.id, customerId));
  return {
    state: customer ? account.state : "erased",
    name: customer ? `${customer.firstname} ${customer.lastname}` : "",
    language: customer?.language ?? defaultLocale(),
    cardNumber: account.cardNumber ?? "",
    points: account.available,
    tier: account.rank.tier.name,
    rank: account.rank.tier.rank,
    tierUntil: account.rank.until,
  };
}

import { eq } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { readStanding } from "#loyalty/ledger/standing.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { Queries } from "#platform/database/database.server.ts";

/** What a pass shows of a member, in whatever wallet. */
export interface PassFacts {
  state: "active" | "asleep" | "erased";
  name: string;
  language: Locale;
  cardNumber: string;
  points: number;
  tier: Record<Locale, string>;
  rank: number;
  /** The last day of the status if nothing more is earned. */
  tierUntil: string | null;
}

/** Nothing for who never was a member; somebody erased is a state without a name. */
export async function readPassFacts(queries: Queries, customerId: number, now: Date): Promise<PassFacts | undefined> {
  const standing = await readStanding(queries, customerId, defaultProgrammeId, now);
  if (!standing.state || !standing.rank) return undefined;
  const [customer] = await queries
    .select({ firstname: customers.firstname, lastname: customers.lastname, language: customers.language })
    .from(customers)
    .where(eq(customers.id, customerId));
  return {
    state: customer ? standing.state : "erased",
    name: customer ? `${customer.firstname} ${customer.lastname}` : "",
    language: customer?.language ?? "fr",
    cardNumber: standing.cardNumber ?? "",
    points: standing.available,
    tier: standing.rank.tier.name,
    rank: standing.rank.tier.rank,
    tierUntil: standing.rank.until,
  };
}

import type { SQL } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Queries } from "#platform/database/database.server.ts";

/**
 * What identity needs of the club without knowing it; server.ts hands it in.
 * Every function that is given queries runs in the caller's transaction.
 */
export interface ClubHooks {
  /** Joins the club: at registration with the opt-in, or later. Joining twice changes nothing. */
  join(queries: Queries, customerId: number, locale: Locale): Promise<void>;
  /** Whether the customer is a member, as a column of a query from `customer`: asked along, without a round trip. */
  isMember: SQL<boolean>;
  /** Has this customer's card earned or spent anything since? The till shows who never signs in. */
  isUsedSince(queries: Queries, customerId: number, since: Date): Promise<boolean>;
  /** Everything the club holds about a customer, for the export. */
  exportOf(queries: Queries, customerId: number): Promise<object>;
  /** The account starts clean: another card number, and no wallet pass of before shows or earns anything any more. */
  startClean(queries: Queries, customerId: number): Promise<void>;
  /**
   * The person leaves for good; the ledger stays, tied to nobody. The normalised address is told so that a keyed hash
   * of it can remember that the welcome gift was given.
   */
  erase(queries: Queries, customerId: number, email: string): Promise<void>;
}

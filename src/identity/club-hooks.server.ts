import type { Locale } from "#i18n/locale.ts";
import type { Queries } from "#platform/database.server.ts";

/**
 * What identity needs of the club without knowing it; server.ts hands it in.
 * Every function runs in the caller's transaction.
 */
export interface ClubHooks {
  /** Joins the club: at registration with the opt-in, or later. Joining twice changes nothing. */
  join(queries: Queries, customerId: number, locale: Locale): Promise<void>;
  isMember(queries: Queries, customerId: number): Promise<boolean>;
  /** Everything the club holds about a customer, for the export. */
  exportOf(queries: Queries, customerId: number): Promise<object>;
  /** The person leaves for good; the ledger stays, tied to nobody. */
  erase(queries: Queries, customerId: number): Promise<void>;
}

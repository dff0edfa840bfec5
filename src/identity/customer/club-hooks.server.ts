import type { SQL } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Queries } from "#platform/database/database.server.ts";

/** Who erases an account: the customer, staff on request, or the job that erases idle accounts. */
export type ErasedBy = "customer" | "staff" | "job";

/**
 * What identity needs of the club, injected by the app so that identity does not import loyalty.
 * Every function that takes queries runs in the caller's transaction.
 */
export interface ClubHooks {
  /** Joins the club: at registration with the opt-in, or later. Joining twice changes nothing. */
  join(
    queries: Queries,
    customerId: number,
    from: { locale: Locale; address: string; referredBy?: number | undefined },
  ): Promise<void>;
  /** The member whose link for friends has this code, unless this is a device of that member. */
  findReferrer(
    queries: Queries,
    code: string | undefined,
    isDeviceOf: (account: { id: number; passwordHash: string | null }) => Promise<boolean>,
  ): Promise<number | undefined>;
  /** The address is confirmed: queues the club's welcome, once. False: not a member, and no email. */
  mailWelcome(queries: Queries, customerId: number, locale: Locale): Promise<boolean>;
  /** Whether the customer is a member, as a column of a query on `customer`: it saves a round trip. */
  isMember: SQL<boolean>;
  /** Whether the card has earned or spent points since: a customer who uses it in shops may never sign in. */
  isUsedSince(queries: Queries, customerId: number, since: Date): Promise<boolean>;
  /** Everything the club holds about a customer, for the export. */
  exportOf(queries: Queries, customerId: number): Promise<object>;
  /** The club's part of a clean start: a new card number; earlier wallet passes show and earn nothing any more. */
  startClean(queries: Queries, customerId: number): Promise<void>;
  /** Whether the card is in a phone's wallet, as a column of a query on `customer`. */
  hasPass: SQL<boolean>;
  /** The owner took the account back: wallet passes show and get nothing any more. Returns whether there was one. */
  endPasses(queries: Queries, customerId: number): Promise<boolean>;
  /**
   * The customer has another address: what the club remembers of a person by the address also holds for this one. `unconfirmed`
   * is the former address where no one had confirmed it: anyone can invent one.
   */
  emailChanged(queries: Queries, customerId: number, unconfirmed: string | undefined): Promise<void>;
  /** Erases the customer; the ledger stays, anonymous, and its points are forfeited. `by` is the customer when absent. */
  erase(queries: Queries, customerId: number, by?: ErasedBy): Promise<void>;
}

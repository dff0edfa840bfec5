import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import type { KeyCaller } from "#platform/api/api.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import type { ConcurrencyLimit } from "#platform/limits/concurrency-limit.server.ts";
import type { CustomerTokens } from "#shop/keys/customer-token.server.ts";

/** What the rules of sales need of the product. */
export interface ShopParts {
  database: Database;
  findProgramme: FindProgramme;
  tokens: CustomerTokens;
  limitSales: ConcurrencyLimit;
  publicUrl: string;
}

/** Two use two cores to the full: with more, as many are sold in a second, and a look-up takes three times as long. */
export const salesAtOnce = 2;

/**
 * The transaction of a sale or a return. A process runs a few at once and serves the shops in turn: what is left of its
 * connections and its time is for look-ups.
 */
export function inSale<T>(parts: ShopParts, { shopId }: KeyCaller, work: (tx: Queries) => Promise<T>): Promise<T> {
  return parts.limitSales({ customerId: "sales", sessionId: shopId }, () => parts.database.transaction(work));
}

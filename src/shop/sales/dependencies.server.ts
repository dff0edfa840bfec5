import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import type { ConcurrencyLimit } from "#platform/limits/concurrency-limit.server.ts";
import type { CustomerTokens } from "#shop/keys/customer-token.server.ts";

/** What the rules of sales need of the product. */
export interface ShopDependencies {
  database: Database;
  findProgramme: FindProgramme;
  tokens: CustomerTokens;
  limitSales: ConcurrencyLimit;
  publicUrl: string;
}

/**
 * The transaction of a sale or a return. A process runs a few at once and serves the shops in turn. Eight at once sell no
 * more in a second, and what is left of the connections and the time is for look-ups.
 */
export function inSale<T>(
  deps: Pick<ShopDependencies, "database" | "limitSales">,
  { shopId }: Pick<KeyCaller, "shopId">,
  work: (tx: Queries) => Promise<T>,
): Promise<T> {
  return deps.limitSales({ customerId: "sales", sessionId: shopId }, () => deps.database.transaction(work));
}

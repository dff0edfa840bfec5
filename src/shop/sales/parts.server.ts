import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { CustomerTokens } from "#shop/keys/customer-token.server.ts";

/** What the rules of sales need of the product. */
export interface ShopParts {
  database: Database;
  findProgramme: FindProgramme;
  tokens: CustomerTokens;
  publicUrl: string;
}

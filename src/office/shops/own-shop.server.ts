import { eq } from "drizzle-orm";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { shops } from "#shop/keys/shops.tables.server.ts";

/** The role shop acts for its own shop alone. */
export function refuseOtherShop({ shopId: own }: OfficeCaller, shopId: number): void {
  if (own !== null && own !== shopId) throw new Refusal("forbidden");
}

/** The shop, if there is one and the caller may act for it. */
export async function findShop(queries: Queries, caller: OfficeCaller, shopId: number) {
  refuseOtherShop(caller, shopId);
  const [shop] = await queries.select().from(shops).where(eq(shops.id, shopId));
  if (!shop) throw new Refusal("not_found");
  return shop;
}

/** A shop that may get tills, keys and people. */
export async function findOpenShop(queries: Queries, caller: OfficeCaller, shopId: number) {
  const shop = await findShop(queries, caller, shopId);
  if (shop.closedAt) throw new Refusal("shop_closed");
  return shop;
}

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
export async function findShop(queries: Queries, caller: OfficeCaller, shopId: number, { locks = false } = {}) {
  refuseOtherShop(caller, shopId);
  const query = queries.select().from(shops).where(eq(shops.id, shopId));
  const [shop] = await (locks ? query.for("share") : query);
  if (!shop) throw new Refusal("not_found");
  return shop;
}

/** A shop that may get tills, keys and people. Locked: one that is being closed must not get another key meanwhile. */
export async function findOpenShop(queries: Queries, caller: OfficeCaller, shopId: number) {
  const shop = await findShop(queries, caller, shopId, { locks: true });
  if (shop.closedAt) throw new Refusal("shop_closed");
  return shop;
}

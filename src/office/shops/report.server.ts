import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { readClose, readReport as readDay } from "#shop/sales/report.server.ts";
import { findShop } from "./own-shop.server.ts";

/** A shop's day, with what its till counted otherwise. */
export async function readReport(
  queries: Queries,
  caller: OfficeCaller,
  { IdShop: shopId, Day: day }: { IdShop: number; Day: string },
) {
  await findShop(queries, caller, shopId);
  return { ...(await readDay(queries, shopId, day)), Close: await readClose(queries, shopId, day) };
}

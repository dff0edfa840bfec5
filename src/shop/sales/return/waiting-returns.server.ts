import { and, asc, eq } from "drizzle-orm";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { ShopDependencies } from "#shop/sales/dependencies.server.ts";
import { frozenRule } from "#shop/sales/purchase/basket.server.ts";
import { returns, type sales } from "#shop/sales/sales.tables.server.ts";
import { refuseStaffOwnCard } from "#staff/own-card.server.ts";
import { applyReturn, type OriginalSale } from "./take-back.server.ts";

type SaleRow = Omit<typeof sales.$inferSelect, "writtenIn">;

type Balance = Pick<SaleRow, "available" | "debt" | "pending" | "nextPending">;

/** What the customer has once something was taken back. */
export const balanceAfter = (sale: Balance, taken: Balance): Balance => {
  const { available, debt, pending, nextPending } = taken.available === null ? sale : taken;
  return { available, debt, pending, nextPending };
};

/**
 * Returns that arrived before their sale. One that does not fit, or that its own customer made at the till, becomes a conflict
 * for a person; the sale stands.
 */
export async function applyWaiting(
  tx: Queries,
  deps: Pick<ShopDependencies, "publicUrl">,
  caller: KeyCaller,
  sale: SaleRow,
  now: Date,
) {
  const waiting = await tx
    .select()
    .from(returns)
    .where(and(eq(returns.saleShopId, sale.shopId), eq(returns.saleNumber, sale.number), eq(returns.state, "waiting")))
    .orderBy(asc(returns.returnedAt));
  const original: OriginalSale = { ...originalOf(sale), returned: [] };
  let balance = balanceAfter(sale, sale);
  for (const row of waiting) {
    const key = and(eq(returns.shopId, row.shopId), eq(returns.number, row.number), eq(returns.kind, row.kind));
    try {
      await refuseStaffOwnCard(tx, [row.staffId], sale.customerId);
      const applied = await applyReturn(tx, deps, caller, original, row, now);
      original.returned.push(...applied.refunds);
      balance = balanceAfter(sale, applied);
      await tx
        .update(returns)
        .set({ state: "applied", ...applied })
        .where(key);
    } catch (error) {
      // It is refused before it writes anything.
      if (!(error instanceof Refusal)) throw error;
      await tx.update(returns).set({ state: "conflict" }).where(key);
    }
  }
  return balance;
}

function originalOf(sale: SaleRow): Omit<OriginalSale, "returned"> {
  return { ...sale, rule: frozenRule(sale), credited: sale.earned > 0 };
}

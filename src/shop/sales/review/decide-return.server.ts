import { and, eq } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { shops } from "#shop/keys/shops.tables.server.ts";
import { findAdditions, wholeOf } from "#shop/sales/amend/amended-sale.server.ts";
import type { ShopDependencies } from "#shop/sales/dependencies.server.ts";
import { linesLeft, spread } from "#shop/sales/purchase/basket.server.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";
import { isProved, type ReceiptProof } from "#shop/sales/return/receipt-proof.server.ts";
import { applyParts } from "#shop/sales/return/returns.server.ts";
import { amountsByLine, lockSale, type OriginalSale } from "#shop/sales/return/take-back.server.ts";
import { type Asked, returns } from "#shop/sales/sales.tables.server.ts";
import { type Decider, decideOnce, refuseOwn, refuseUnopened } from "./decisions.server.ts";

/** "apply" takes back of its sale what is left of what it asks; "attach" names another sale; "dismiss" takes nothing. */
export type ReturnDecision =
  | { outcome: "applied" }
  | { outcome: "attached"; to: ReceiptKey; proof: ReceiptProof | undefined }
  | { outcome: "dismissed" };

/**
 * What a person decides about a return that does not fit its sale, or has none. The receipts are locked first, as in a sale:
 * the sale that the return waits for may arrive at the same moment.
 */
export async function decideReturn(
  tx: Queries,
  deps: Pick<ShopDependencies, "publicUrl">,
  key: ReceiptKey & { kind: "return" | "exchange" },
  decision: ReturnDecision,
  by: Decider,
) {
  const { outcome } = decision;
  const found = await findReturn(tx, key);
  if (!found) throw new Refusal("not_found");
  const original = { shopId: found.saleShopId, number: found.saleNumber };
  const sales = await lockSales(tx, decision.outcome === "attached" ? [original, decision.to] : [original]);
  const waiting = await findReturn(tx, key, { locks: true });
  if (!waiting || waiting.state === "applied") return refuseUnopened(tx, key, key.kind);
  await decideOnce(tx, key, key.kind, outcome, by);
  const target = decision.outcome === "attached" ? decision.to : original;
  if (decision.outcome === "attached" && target.shopId !== key.shopId && !(await isProved(tx, target, decision.proof)))
    throw new Refusal("receipt_not_found");
  const sale = sales.get(nameOf(target));
  await refuseOwn(tx, by, sale?.customerId);
  // Attached to another's receipt, a return of their own would be taken from the other's points.
  await refuseOwn(tx, by, sales.get(nameOf(original))?.customerId);
  const written = and(eq(returns.shopId, key.shopId), eq(returns.number, key.number), eq(returns.kind, key.kind));
  if (outcome === "dismissed") {
    // No longer "waiting": its sale, should it come, leaves it alone.
    await tx.update(returns).set({ state: "conflict" }).where(written);
    return { customerId: sale?.customerId ?? null, taken: 0, reissued: 0, target };
  }
  // A sale is not given back by its own receipt.
  if (!sale || nameOf(target) === nameOf(key)) throw new Refusal("not_found");
  const whole = wholeOf(sale, await findAdditions(tx, sale));
  const asked = outcome === "applied" ? whatFits(whole, waiting.asked) : waiting.asked;
  const shopName = await nameOfShop(tx, key.shopId);
  const parts = await applyParts(tx, deps, { shopName }, sale, { ...key, asked }, by.now);
  const { writtenIn: _, ...row } = waiting;
  for (const [place, { own, part, done }] of parts.entries()) {
    const applied = { ...{ state: "applied" as const, saleShopId: part.shopId, saleNumber: part.number }, ...done };
    if (place === 0) await tx.update(returns).set(applied).where(written);
    else await tx.insert(returns).values({ ...row, ...own, ...applied });
  }
  const taken = parts.reduce((sum, { done }) => sum + done.taken, 0);
  const reissued = parts.reduce((sum, { done }) => sum + done.reissued.length, 0);
  return { customerId: sale.customerId, taken, reissued, target };
}

const nameOf = ({ shopId, number }: ReceiptKey) => `${shopId}:${number}`;

/** Locks receipts in one order, so that two people cannot wait for each other. */
async function lockSales(tx: Queries, keys: readonly ReceiptKey[]) {
  const sales = new Map<string, OriginalSale>();
  for (const key of [...keys].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))) {
    const sale = await lockSale(tx, key);
    if (sale) sales.set(nameOf(key), sale);
  }
  return sales;
}

/** Of what a return asks, as much as is left of the sale. An amount is spread over the lines. */
function whatFits(sale: OriginalSale, asked: Asked): Asked {
  if ("all" in asked) return asked;
  const returned = amountsByLine(sale.returned);
  const open = linesLeft(sale.lines, returned).filter(
    ({ line }) => returned.get(line) !== sale.lines.find((one) => one.line === line)?.paidCents,
  );
  if ("lines" in asked) {
    const lines = open.flatMap(({ line, paidCents }) => {
      const wanted = asked.lines.find((one) => one.line === line);
      return wanted ? [{ line, cents: Math.min(wanted.cents ?? paidCents, paidCents) }] : [];
    });
    if (lines.length === 0) throw new Refusal("more_than_bought");
    return { lines };
  }
  const weights = open.map(({ paidCents }) => paidCents);
  const total = weights.reduce((sum, cents) => sum + cents, 0);
  if (asked.cents >= total) return { all: true };
  const shares = spread(asked.cents, weights);
  return { lines: open.flatMap(({ line }, index) => (shares[index] ? [{ line, cents: shares[index] }] : [])) };
}

async function findReturn(
  tx: Queries,
  { shopId, number, kind }: ReceiptKey & { kind: "return" | "exchange" },
  { locks = false } = {},
) {
  const query = tx
    .select()
    .from(returns)
    .where(and(eq(returns.shopId, shopId), eq(returns.number, number), eq(returns.kind, kind)));
  const [row] = await (locks ? query.for("update") : query);
  return row;
}

async function nameOfShop(tx: Queries, shopId: number): Promise<string> {
  const [shop] = await tx.select({ name: shops.name }).from(shops).where(eq(shops.id, shopId));
  return shop?.name ?? "";
}

import { eq } from "drizzle-orm";
import { cards } from "#loyalty/ledger/account.tables.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { countFailedAttempt, type KeyLimits, refuseGuessing } from "#shop/keys/keys.server.ts";
import type { Purchase } from "#shop/sales/purchase/purchase.server.ts";
import { countReceiptGuesses, type ReceiptLimits } from "#shop/sales/return/receipt-proof.server.ts";
import { receiptOf } from "#shop/sales/return/returns.server.ts";

/** What a sale names that could be a guess. */
interface Named {
  voucherCodes: readonly string[];
  CardNumber?: string | undefined;
}

/**
 * Unknown codes of a sale with vouchers count against the key, like unknown cards: they may be guesses. A card does only where
 * the sale is refused. One that is kept leaves its trace; a refused one leaves none, and its reason tells whether there is
 * such a card.
 */
export async function countGuesses<T>(
  { database, limits }: { database: Database; limits: KeyLimits },
  caller: KeyCaller,
  named: Named,
  now: Date,
  work: () => Promise<T>,
): Promise<T> {
  if (named.voucherCodes.length === 0) return work();
  refuseGuessing(caller, limits, now);
  return work().catch(async (error: unknown) => {
    const refused = error instanceof Refusal && error.status < 429;
    if (refused && (error.code === "voucher_unknown" || (await isUnknownCard(database, named))))
      await countFailedAttempt(database, caller);
    throw error;
  });
}

/** The same for a whole sale, which may name a receipt of another shop too. Every way to record a sale is counted by it. */
export function countSaleGuesses<T>(
  deps: { database: Database; limits: KeyLimits; receiptLimits: ReceiptLimits },
  caller: KeyCaller,
  purchase: Pick<Purchase, "voucherCodes" | "CardNumber" | "returnOf">,
  now: Date,
  work: () => Promise<T>,
): Promise<T> {
  const original = purchase.returnOf && receiptOf(caller, purchase.returnOf);
  return countGuesses(deps, caller, purchase, now, () => countReceiptGuesses(deps, caller, original, now, work));
}

/** Vouchers name their owner where the card names no customer, so the answer alone does not say that a card is unknown. */
export async function isUnknownCard(database: Database, { CardNumber, voucherCodes }: Named): Promise<boolean> {
  if (CardNumber === undefined || voucherCodes.length === 0) return false;
  const [known] = await database.select({ number: cards.number }).from(cards).where(eq(cards.number, CardNumber));
  return known === undefined;
}

import type { HandlerContext } from "#platform/api/api.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import { refusalOf } from "#platform/api/requests.server.ts";
import type { Limit } from "#platform/limits/limits.server.ts";
import type { Log } from "#platform/log.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import * as calls from "#shop/calls.ts";
import { joinInShop } from "#shop/join.server.ts";
import { countMiss, type KeyLimits, refuseGuessing } from "#shop/keys/keys.server.ts";
import { postBatch, refuseScope } from "./batch.server.ts";
import type { sellingContract } from "./contract.server.ts";
import { goodsOf, purchaseOf, refuseTwoCustomers, returnOf } from "./fields.server.ts";
import { countGuesses, isUnknownCard } from "./guesses.server.ts";
import { holdVouchers, releaseVouchers } from "./holds.server.ts";
import type { ShopParts } from "./parts.server.ts";
import { postPurchase } from "./purchase.server.ts";
import { quote } from "./quote.server.ts";
import { postReturn, voidSale } from "./returns.server.ts";

export interface SellingParts extends ShopParts {
  settings: Settings;
  limits: KeyLimits;
  /** Registrations of one key. */
  joinLimit: Limit;
  log: Log;
}

/** A call of a till, whoever opened it: a key, or a person at a paired device. */
type Selling<Line extends keyof typeof sellingContract> = Omit<
  HandlerContext<(typeof sellingContract)[Line]>,
  "caller"
> & { caller: KeyCaller };

/** The handlers of what a till does, by the shop's lines; identify is not among them, as a key is checked in its query. */
export function sellingHandlers(parts: SellingParts) {
  const { database, log, limits } = parts;

  return {
    async [calls.quote]({ input, caller, now, locale }: Selling<typeof calls.quote>) {
      refuseTwoCustomers(input);
      const { CardNumber, CustomerToken, ReceiptNumber: receiptNumber, VoucherCodes: voucherCodes = [] } = input;
      // A quote leaves no trace, so a card is a guess here too.
      if (voucherCodes.length > 0 || CardNumber !== undefined) refuseGuessing(caller, limits, now);
      const asked = { CardNumber, CustomerToken, goods: goodsOf(input), voucherCodes, receiptNumber };
      const quoted = await quote(parts, caller, asked, { now, locale });
      const unknownVoucher = quoted.Vouchers.some(({ Reason }) => Reason === "voucher_unknown");
      if (unknownVoucher || quoted.Customer === "unknown" || (await isUnknownCard(database, asked)))
        await countMiss(database, caller);
      return quoted;
    },

    async [calls.holdVouchers]({
      input: { VoucherCodes, ReceiptNumber },
      caller,
      now,
    }: Selling<typeof calls.holdVouchers>) {
      return countGuesses(parts, caller, { voucherCodes: VoucherCodes }, now, () =>
        holdVouchers(parts, caller, VoucherCodes, ReceiptNumber, now),
      );
    },

    async [calls.releaseVouchers]({
      input: { VoucherCodes, ReceiptNumber },
      caller,
      now,
    }: Selling<typeof calls.releaseVouchers>) {
      return releaseVouchers(parts, caller, VoucherCodes, ReceiptNumber, now);
    },

    async [calls.postPurchase]({ input, caller, now, locale }: Selling<typeof calls.postPurchase>) {
      const purchase = purchaseOf(input);
      if (purchase.returnOf) refuseScope(caller, "return");
      return countGuesses(parts, caller, purchase, now, () => postPurchase(parts, caller, purchase, { now, locale }));
    },

    async [calls.postBatch]({ input, caller, now, locale, requestId }: Selling<typeof calls.postBatch>) {
      const refusal = (error: unknown) => refusalOf(error, log, requestId);
      return postBatch(parts, caller, input, { now, locale, requestId }, refusal);
    },

    async [calls.postReturn]({ input, caller, now }: Selling<typeof calls.postReturn>) {
      return postReturn(parts, caller, returnOf(input), now);
    },

    async [calls.voidSale]({ input, caller, now }: Selling<typeof calls.voidSale>) {
      return voidSale(parts, caller, input.ReceiptNumber, now);
    },

    async [calls.joinInShop]({ input, caller, now, locale }: Selling<typeof calls.joinInShop>) {
      const { Email: email, Firstname: firstname, Lastname: lastname } = input;
      return joinInShop(parts, caller, { email, firstname, lastname, locale }, now);
    },
  };
}

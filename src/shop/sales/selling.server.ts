import type { HandlerContext } from "#platform/api/api-module.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import { refusalOf } from "#platform/api/requests.server.ts";
import type { Limit } from "#platform/limits/limits.server.ts";
import type { Log } from "#platform/log.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import * as calls from "#shop/calls.ts";
import { joinInShop } from "#shop/join.server.ts";
import { countFailedAttempt, type KeyLimits, refuseGuessing, refuseScope } from "#shop/keys/keys.server.ts";
import { countGuesses, countSaleGuesses, isUnknownCard } from "#shop/sales/claim/guesses.server.ts";
import { postPurchase } from "#shop/sales/purchase/purchase.server.ts";
import { quote } from "#shop/sales/purchase/quote.server.ts";
import { countReceiptGuesses, type ReceiptLimits } from "#shop/sales/return/receipt-proof.server.ts";
import { postReturn, receiptOf } from "#shop/sales/return/returns.server.ts";
import { voidSale } from "#shop/sales/return/void.server.ts";
import { holderOf, holdVouchers, releaseVouchers } from "#shop/sales/voucher/holds.server.ts";
import { codesOf, openVouchers, withVouchers } from "#shop/sales/voucher/named-vouchers.server.ts";
import { postBatch } from "./batch.server.ts";
import type { sellingContract } from "./contract.server.ts";
import type { ShopDependencies } from "./dependencies.server.ts";
import { goodsOf, purchaseOf, refuseTwoCustomers, returnOf } from "./fields.server.ts";
import { refuseCurrency } from "./strict-web.server.ts";

export interface SellingDependencies extends ShopDependencies {
  settings: Settings;
  limits: KeyLimits;
  receiptLimits: ReceiptLimits;
  /** Registrations of one key. */
  joinLimit: Limit;
  log: Log;
}

/** A call of a till, no matter who opened it: a key, or a person at a paired device. */
type Selling<Line extends keyof typeof sellingContract> = Omit<
  HandlerContext<(typeof sellingContract)[Line]>,
  "caller"
> & { caller: KeyCaller };

/** The handlers of what a till does, by the shop's lines; identify is not among them, as a key is checked in its query. */
export function sellingHandlers(deps: SellingDependencies) {
  const { database, log, limits } = deps;
  const open = (sent: readonly string[] = [], { shopId }: KeyCaller, now: Date) =>
    openVouchers(deps.tokens, sent, shopId, now);

  return {
    async [calls.quote]({ input, caller, now, locale }: Selling<typeof calls.quote>) {
      refuseTwoCustomers(input, caller);
      refuseCurrency(caller, input.Currency);
      const { CardNumber, CustomerToken, Sub, ReceiptNumber: receiptNumber, Reference: reference } = input;
      const vouchers = await open(input.VoucherCodes, caller, now);
      const voucherCodes = codesOf(vouchers);
      // A quote leaves no trace, so a card is a guess here too.
      if (voucherCodes.length > 0 || CardNumber !== undefined) refuseGuessing(caller, limits, now);
      const asked = { CardNumber, CustomerToken, Sub, goods: goodsOf(input), vouchers, receiptNumber, reference };
      const quoted = await quote(deps, caller, asked, { now, locale });
      const unknownVoucher = quoted.Vouchers.some(({ Reason }) => Reason === "voucher_unknown");
      if (
        unknownVoucher ||
        quoted.Customer === "unknown" ||
        (await isUnknownCard(database, { CardNumber, voucherCodes }))
      )
        await countFailedAttempt(database, caller);
      return quoted;
    },

    async [calls.holdVouchers]({ input, caller, now }: Selling<typeof calls.holdVouchers>) {
      const holder = holderOf(caller, input);
      const vouchers = await open(input.VoucherCodes, caller, now);
      return countGuesses(deps, caller, { voucherCodes: codesOf(vouchers) }, now, () =>
        holdVouchers(deps, caller, vouchers, holder, { minutes: input.HoldMinutes, now }),
      );
    },

    async [calls.releaseVouchers]({ input, caller, now }: Selling<typeof calls.releaseVouchers>) {
      const holder = holderOf(caller, input);
      const vouchers = await open(input.VoucherCodes, caller, now);
      return releaseVouchers(deps, caller, codesOf(vouchers), holder, now);
    },

    async [calls.postPurchase]({ input, caller, now, locale }: Selling<typeof calls.postPurchase>) {
      const purchase = await withVouchers(deps.tokens, purchaseOf(input, caller), caller.shopId, now);
      if (purchase.returnOf) refuseScope(caller, "return");
      return countSaleGuesses(deps, caller, purchase, now, () => postPurchase(deps, caller, purchase, { now, locale }));
    },

    async [calls.postBatch]({ input, caller, now, locale, requestId }: Selling<typeof calls.postBatch>) {
      const refusal = (error: unknown) => refusalOf(error, log, requestId);
      return postBatch(deps, caller, input, { now, locale, requestId }, refusal);
    },

    async [calls.postReturn]({ input, caller, now }: Selling<typeof calls.postReturn>) {
      const asked = returnOf(input, caller);
      const original = receiptOf(caller, asked.returnOf);
      return countReceiptGuesses(deps, caller, original, now, () => postReturn(deps, caller, asked, now));
    },

    async [calls.voidSale]({ input, caller, now }: Selling<typeof calls.voidSale>) {
      return voidSale(deps, caller, input.ReceiptNumber, now);
    },

    async [calls.joinInShop]({ input, caller, now, locale }: Selling<typeof calls.joinInShop>) {
      const { Email: email, Firstname: firstname, Lastname: lastname } = input;
      const contact = {
        ...(input.MobilePhone && { mobilePhone: input.MobilePhone }),
        ...(input.NewsletterSubscribe && { newsletter: true }),
        ...(input.NewsletterSmsSubscribe && { newsletterSms: true }),
      };
      return joinInShop(deps, caller, { email, firstname, lastname, locale }, contact, now);
    },
  };
}

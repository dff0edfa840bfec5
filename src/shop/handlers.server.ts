import { eq } from "drizzle-orm";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { normaliseEmail } from "#identity/customer/email.server.ts";
import { updateContact } from "#identity/profile/profile.server.ts";
import { claimReceipt as claimReceiptCall } from "#loyalty/calls.ts";
import { readLoyaltyCustomer } from "#loyalty/ledger/loyalty-customer.server.ts";
import { setMembership } from "#loyalty/membership/membership.server.ts";
import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import { type KeyCaller, room } from "#platform/api/api.server.ts";
import type { Caller } from "#platform/api/reads.server.ts";
import { refusalOf } from "#platform/api/requests.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { createConcurrencyLimit } from "#platform/limits/concurrency-limit.server.ts";
import type { CreateLimit } from "#platform/limits/limits.server.ts";
import type { Log } from "#platform/log.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { createCustomerTokens } from "#shop/keys/customer-token.server.ts";
import { identify } from "#shop/keys/identify.server.ts";
import { countMiss, type KeyLimits, refuseGuessing } from "#shop/keys/keys.server.ts";
import { postBatch, refuseScope } from "#shop/sales/batch.server.ts";
import { claimReceipt } from "#shop/sales/claim.server.ts";
import { goodsOf, purchaseOf, refuseField, refuseTwoCustomers, returnOf } from "#shop/sales/fields.server.ts";
import { holdVouchers, releaseVouchers } from "#shop/sales/holds.server.ts";
import { postPurchase } from "#shop/sales/purchase.server.ts";
import { quote } from "#shop/sales/quote.server.ts";
import { closeDay, readReport } from "#shop/sales/report.server.ts";
import { postReturn, voidSale } from "#shop/sales/returns.server.ts";
import { readEvents } from "#shop/webhooks/events.server.ts";
import * as calls from "./calls.ts";
import { shopContract } from "./contract.server.ts";
import { joinInShop } from "./join.server.ts";
import { posterOf } from "./poster.server.ts";

export function shopRoom(options: {
  database: Database;
  settings: Settings;
  findProgramme: FindProgramme;
  limits: KeyLimits;
  createLimit: CreateLimit;
  log: Log;
}) {
  const { database, log } = options;
  const claimLimit = options.createLimit("claim", { points: 5, seconds: 24 * 3_600 });
  const joinLimit = options.createLimit("shop-join", { points: 30, seconds: 3_600 });
  const publicUrl = options.settings.publicUrl.origin;
  const parts = {
    ...options,
    publicUrl,
    tokens: createCustomerTokens(database),
    limitSales: createConcurrencyLimit(),
    claimLimit,
    joinLimit,
  };

  /** Unknown voucher codes count against the key, like unknown cards: they may be guesses. */
  async function countGuesses<T>(caller: KeyCaller, codes: readonly string[], now: Date, work: () => Promise<T>) {
    if (codes.length === 0) return work();
    refuseGuessing(caller, options.limits, now);
    return work().catch(async (error: unknown) => {
      if (error instanceof Refusal && error.code === "voucher_unknown") await countMiss(database, caller);
      throw error;
    });
  }

  return room(shopContract, {
    async [calls.readPoster]({ locale }) {
      return posterOf(parts.publicUrl, locale);
    },
    async [calls.updateInShop]({ input, caller, locale, now }) {
      const { customerId } = caller;
      const { IdLoyaltyProgram, LoyaltySubscribe } = input;
      const context = { now, locale, publicUrl: parts.publicUrl };
      return database.transaction(async (tx) => {
        await refuseOtherCustomer(tx, caller, input);
        if (LoyaltySubscribe && caller.guest) throw new Refusal("forbidden");
        const change = {
          ...(input.MobilePhone !== undefined && { mobilePhone: input.MobilePhone }),
          ...(input.NewsletterSubscribe !== undefined && { newsletter: input.NewsletterSubscribe }),
          ...(input.NewsletterSmsSubscribe !== undefined && { newsletterSms: input.NewsletterSmsSubscribe }),
        };
        if (Object.keys(change).length > 0) await updateContact(tx, customerId, change, locale);
        if (LoyaltySubscribe !== undefined)
          await setMembership(tx, customerId, LoyaltySubscribe, {
            ...context,
            programmeId: IdLoyaltyProgram,
            source: "store",
          });
        return readLoyaltyCustomer(tx, customerId, IdLoyaltyProgram, context);
      });
    },

    async [calls.identify]({ input, request, now, locale }) {
      const { CardNumber, VoucherCode, Email, MobilePhone } = input;
      const named = [CardNumber, VoucherCode, Email, MobilePhone].filter((value) => value !== undefined);
      if (named.length === 0) refuseField("CardNumber", "required");
      if (named.length > 1) refuseField("CardNumber", "twice");
      return identify(parts, request, input, { now, locale });
    },

    async [calls.quote]({ input, caller, now, locale }) {
      refuseTwoCustomers(input);
      const { CardNumber, CustomerToken, ReceiptNumber: receiptNumber, VoucherCodes: voucherCodes = [] } = input;
      if (voucherCodes.length > 0) refuseGuessing(caller, options.limits, now);
      const asked = { CardNumber, CustomerToken, goods: goodsOf(input), voucherCodes, receiptNumber };
      const quoted = await quote(parts, caller, asked, { now, locale });
      if (quoted.Vouchers.some(({ Reason }) => Reason === "voucher_unknown")) await countMiss(database, caller);
      return quoted;
    },

    async [calls.holdVouchers]({ input: { VoucherCodes, ReceiptNumber }, caller, now }) {
      return countGuesses(caller, VoucherCodes, now, () =>
        holdVouchers(parts, caller, VoucherCodes, ReceiptNumber, now),
      );
    },

    async [calls.releaseVouchers]({ input: { VoucherCodes, ReceiptNumber }, caller }) {
      return releaseVouchers(parts, caller, VoucherCodes, ReceiptNumber);
    },

    async [calls.postPurchase]({ input, caller, now, locale }) {
      const purchase = purchaseOf(input);
      if (purchase.returnOf) refuseScope(caller, "return");
      return countGuesses(caller, purchase.voucherCodes, now, () =>
        postPurchase(parts, caller, purchase, { now, locale }),
      );
    },

    async [calls.postBatch]({ input, caller, now, locale, requestId }) {
      const refusal = (error: unknown) => refusalOf(error, log, requestId);
      return postBatch(parts, caller, input, { now, locale, requestId }, refusal);
    },

    async [calls.postReturn]({ input, caller, now }) {
      return postReturn(parts, caller, returnOf(input), now);
    },

    async [calls.voidSale]({ input, caller, now }) {
      return voidSale(parts, caller, input.ReceiptNumber, now);
    },

    async [calls.joinInShop]({ input, caller, now, locale }) {
      const { Email: email, Firstname: firstname, Lastname: lastname } = input;
      return joinInShop(parts, caller, { email, firstname, lastname, locale }, now);
    },

    async [calls.readReport]({ input, caller }) {
      return readReport(database, caller.shopId, input.Day);
    },

    async [calls.closeDay]({ input, caller, now }) {
      return closeDay(database, caller.shopId, input, now);
    },

    async [calls.readEvents]({ input, caller }) {
      return readEvents(database, caller.shopId, input.After);
    },

    async [claimReceiptCall]({ input, caller, now }) {
      return claimReceipt(parts, caller.customerId, input, now);
    },
  });
}

/** The bearer token decides whose data changes; an email address or id beside it must be the same customer's. */
async function refuseOtherCustomer(
  queries: Queries,
  { customerId }: Caller,
  named: { Email?: string | undefined; IdCustomer?: number | undefined },
): Promise<void> {
  if (named.IdCustomer !== undefined && named.IdCustomer !== customerId) throw new Refusal("forbidden");
  if (named.Email === undefined) return;
  const [customer] = await queries
    .select({ email: customers.email })
    .from(customers)
    .where(eq(customers.id, customerId));
  if (customer?.email !== normaliseEmail(named.Email)) throw new Refusal("forbidden");
}

import { eq } from "drizzle-orm";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { normaliseEmail } from "#identity/customer/email/email.server.ts";
import { updateContact } from "#identity/profile/profile.server.ts";
import { claimReceipt as claimReceiptCall } from "#loyalty/calls.ts";
import { readLoyaltyCustomer } from "#loyalty/ledger/loyalty-customer.server.ts";
import { setMembership } from "#loyalty/membership/membership.server.ts";
import { apiModule } from "#platform/api/api-module.server.ts";
import type { Caller } from "#platform/api/reads.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import type { CreateLimit } from "#platform/limits/limits.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { openEmbed, readEmbed } from "#shop/embed/embed.server.ts";
import { identify } from "#shop/keys/identify.server.ts";
import { amendPurchase } from "#shop/sales/amend/amend.server.ts";
import { readPurchase } from "#shop/sales/amend/read-purchase.server.ts";
import { readCatalogue } from "#shop/sales/catalogue/catalogue.server.ts";
import { claimReceipt } from "#shop/sales/claim/claim.server.ts";
import { goodsOf } from "#shop/sales/fields.server.ts";
import { closeDay, readReport } from "#shop/sales/report/report.server.ts";
import { type SellingDependencies, sellingHandlers } from "#shop/sales/selling.server.ts";
import { refuseCurrency } from "#shop/sales/strict-web.server.ts";
import { readEvents } from "#shop/webhooks/events.server.ts";
import * as calls from "./calls.ts";
import { withdrawConsent } from "./consent.server.ts";
import { shopContract } from "./contract.server.ts";
import { posterOf } from "./poster.server.ts";

export function shopModule(options: SellingDependencies & { createLimit: CreateLimit }) {
  const { database } = options;
  const claimLimit = options.createLimit("claim", { points: 5, seconds: 24 * 3_600 });
  const deps = { ...options, claimLimit };

  return apiModule(shopContract, {
    async [calls.readPoster]({ locale }) {
      return posterOf(deps.publicUrl, locale);
    },
    async [calls.updateInShop]({ input, caller, locale, now, address }) {
      const { customerId } = caller;
      const { IdLoyaltyProgram, LoyaltySubscribe } = input;
      const context = { now, locale, publicUrl: deps.publicUrl };
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
            ...(deps.settings.rateLimits && { address }),
            programmeId: IdLoyaltyProgram,
            source: "store",
          });
        return readLoyaltyCustomer(tx, customerId, IdLoyaltyProgram, context);
      });
    },

    async [calls.identify]({ input, request, unknownFields, now, locale }) {
      return identify(deps, request, input, { unknownFields, now, locale });
    },

    ...sellingHandlers(deps),

    async [calls.readCatalogue]({ now, locale }) {
      return readCatalogue(deps.findProgramme, now, locale);
    },

    async [calls.readPurchase]({ input, caller }) {
      return readPurchase(deps, caller, input.ReceiptNumber);
    },

    async [calls.amendPurchase]({ input, caller, now }) {
      refuseCurrency(caller, input.Currency);
      const { ReceiptNumber: receiptNumber, AmendNumber: amendNumber } = input;
      return amendPurchase(deps, caller, { receiptNumber, amendNumber, goods: goodsOf(input) }, now);
    },

    async [calls.withdrawConsent]({ input, locale }) {
      await withdrawConsent(database, input, locale);
      return {};
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

    async [calls.readEmbed]({ input, request, now, locale }) {
      return readEmbed(deps, request, input.Amounts ?? [], { now, locale });
    },

    async [calls.openEmbed]({ input, caller, now }) {
      return openEmbed(deps, caller, input.Sub, now);
    },

    async [claimReceiptCall]({ input, caller, now }) {
      return claimReceipt(deps, caller.customerId, input, now);
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

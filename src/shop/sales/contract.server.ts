import { z } from "zod";
import { fields } from "#identity/fields/fields.server.ts";
import { claimReceipt } from "#loyalty/calls.ts";
import { channels } from "#loyalty/segments/segment.ts";
import { endpoint, fieldTypes, refusedAs } from "#platform/api/endpoint.server.ts";
import type { Problem } from "#platform/refusal.ts";
import * as calls from "#shop/calls.ts";
import * as answers from "./answers.server.ts";
import { customerFields, goodsFields, purchaseInput, returnInput, saleFields } from "./fields.server.ts";

/** Every edit and return of an order reads all that its edits have added. */
const mostAmendments = 100;

const day = () => fieldTypes.date().describe("A day of the club, in its time zone");

/** Vouchers, and what they are held for: exactly one of both. */
const holdFields = {
  VoucherCodes: saleFields.voucherCodes(),
  ReceiptNumber: saleFields.receiptNumber().optional().describe("Or Reference: what they are held for"),
  Reference: saleFields.reference().optional(),
};

/** What a till does, with a key or at the till's own screen (src/till/contract.server.ts). */
export const sellingContract = {
  [calls.identify]: endpoint({
    summary:
      "Finds members by one of card, voucher, address, phone, a code of a shape that the till does not know or, with the scope sub, the sub of their sign-in.",
    access: "unchecked key",
    scopes: ["identify"],
    input: z.object({
      CardNumber: saleFields.cardNumber().optional(),
      VoucherCode: fieldTypes.text(64).optional(),
      Code: fieldTypes
        .text(64)
        .optional()
        .describe("A card number, else a voucher's code, else a receipt of this shop; FoundBy says which"),
      Email: fieldTypes.text().optional(),
      MobilePhone: fieldTypes.text(32).optional(),
      Sub: saleFields.sub().optional(),
      EntryMode: z
        .enum(["scanned", "typed"], { error: () => "invalid" })
        .optional()
        .describe("scanned or typed"),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: answers.identified,
    refusals: ["not_found", "card_blocked"],
  }),
  [calls.quote]: endpoint({
    summary:
      "What a sale would earn, and what each voucher would take off. Changes nothing; a card is logged as looked up.",
    access: "key",
    scopes: ["identify"],
    input: z.object({
      ...customerFields,
      ...goodsFields,
      ReceiptNumber: saleFields.receiptNumber().optional().describe("If vouchers are held for it"),
      Reference: saleFields.reference().optional().describe("If vouchers are held for it"),
      VoucherCodes: saleFields.voucherCodes().optional(),
      Currency: saleFields.currency().optional(),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: answers.quoteAnswer,
    refusals: ["currency_mismatch"],
  }),
  [calls.holdVouchers]: endpoint({
    summary:
      "Keeps vouchers for one receipt or one basket, all or none: 15 minutes; from a web shop up to 72 hours. Again: renews, unless their owner has a debt.",
    access: "key",
    scopes: ["sell"],
    input: z.object({
      ...holdFields,
      HoldMinutes: fieldTypes
        .text(4)
        .regex(/^[1-9]\d*$/, "invalid")
        .transform(Number)
        .optional()
        .describe("15 when absent, and at most; of a web shop's key at most 4320"),
    }),
    response: answers.holdAnswer,
    refusals: [
      "voucher_unknown",
      "voucher_held",
      "voucher_used",
      "voucher_expired",
      "voucher_cancelled",
      "card_blocked",
      "email_unconfirmed",
    ],
  }),
  [calls.releaseVouchers]: endpoint({
    summary: "Lets vouchers go that are held for this receipt or basket, and says how many were.",
    access: "key",
    scopes: ["sell"],
    input: z.object(holdFields),
    response: answers.releaseAnswer,
    refusals: [],
  }),
  [calls.postPurchase]: endpoint({
    summary: "A sale: credits its points and uses its vouchers, once per shop and receipt number, for good.",
    access: "key",
    scopes: ["sell"],
    input: purchaseInput,
    response: answers.purchaseAnswer,
    refusals: [
      ...(["receipt_not_found", "voucher_unknown", "voucher_of_another", "voucher_held", "voucher_used"] as const),
      ...([
        "voucher_expired",
        "voucher_cancelled",
        "currency_mismatch",
        "card_blocked",
        "email_unconfirmed",
        "basket_too_small",
        "receipt_known",
        "more_than_bought",
        "too_old",
      ] as const),
    ],
  }),
  [calls.postBatch]: endpoint({
    summary: "Up to 100 sales and returns in their order, each in a transaction of its own.",
    access: "key",
    bodyLimitBytes: 1024 * 1024,
    input: z.object({
      Items: z
        .string(refusedAs("invalid"))
        .max(1024 * 1024, "too_long")
        .describe('JSON: [{ "Kind": "purchase", "ReceiptNumber": "4711", … }, { "Kind": "return", … }]'),
      SentAt: saleFields.sentAt(),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: z.object({
      Outcomes: z
        .array(
          z.object({
            ReceiptNumber: z.string().describe("Of the item; empty when it has none"),
            Status: z.int().describe("As of a call of its own: 200, or that of the refusal"),
            Answer: z
              .union([answers.purchaseAnswer, answers.returnAnswer])
              .optional()
              .describe("With Status 200: as shop/purchase or shop/return answers"),
            Problem: z.custom<Problem>().optional().describe("Otherwise: as a refused call of its own answers"),
          }),
        )
        .describe("One for each item, in their order"),
    }),
    refusals: [],
  }),
  [calls.postReturn]: endpoint({
    summary:
      "Goods given back: takes back the points, once per shop and receipt number. Waits for a sale still on its way.",
    access: "key",
    scopes: ["return"],
    input: returnInput,
    response: answers.returnAnswer,
    refusals: ["receipt_not_found", "receipt_known", "more_than_bought", "too_old", "currency_mismatch"],
  }),
  [calls.voidSale]: endpoint({
    summary: "Cancels a sale of the same day as a whole. Counts as a return; no item of a batch.",
    access: "key",
    scopes: ["return"],
    input: z.object({ ReceiptNumber: saleFields.receiptNumber(), LanguageIsoCode: fieldTypes.language() }),
    response: answers.returnAnswer,
    refusals: ["not_found", "not_same_day", "more_than_bought"],
  }),
  [calls.joinInShop]: endpoint({
    summary:
      "Registers a customer, a member with a card at once. A letter asks them to confirm the address and whether the card is theirs. The same fields again within 15 minutes get the same response.",
    access: "key",
    scopes: ["join"],
    input: z.object({
      Email: fields.email(),
      Firstname: fields.name(),
      Lastname: fields.name(),
      MobilePhone: fieldTypes.text(32).optional(),
      NewsletterSubscribe: fieldTypes.flag().optional().describe("The customer agrees to the newsletter"),
      NewsletterSmsSubscribe: fieldTypes
        .flag()
        .optional()
        .describe("The customer agrees to text messages; with a phone"),
      LanguageIsoCode: fieldTypes.language().describe("The customer's: fr, en or de"),
    }),
    response: answers.joinAnswer,
    refusals: ["email_taken"],
  }),
};

export const salesContract = {
  ...sellingContract,
  [calls.readCatalogue]: endpoint({
    summary: "What a line may say of itself: its price type and its codes, with their names.",
    access: "key",
    scopes: ["identify"],
    input: z.object({ LanguageIsoCode: fieldTypes.language() }),
    response: answers.catalogueAnswer,
    refusals: [],
  }),
  [calls.readPurchase]: endpoint({
    summary: "A sale of the shop as it is recorded now: its lines, what was returned and how it was amended.",
    access: "key",
    scopes: ["sell"],
    input: z.object({ ReceiptNumber: saleFields.receiptNumber(), LanguageIsoCode: fieldTypes.language() }),
    response: answers.recordedPurchase,
    refusals: ["receipt_not_found"],
  }),
  [calls.amendPurchase]: endpoint({
    summary:
      "An order that was edited: its new lines. What is more is an additional sale under the same number, what is less is given back, both by the rule of the sale.",
    access: "key",
    scopes: ["sell", "return"],
    input: z.object({
      ReceiptNumber: saleFields.receiptNumber().describe("Of the sale"),
      AmendNumber: fieldTypes
        .text(4)
        .regex(/^[1-9]\d*$/, "invalid")
        .transform(Number)
        .refine((number) => number <= mostAmendments, "invalid")
        .describe(
          `1 for the first amendment of the sale, then 2: the same number and lines again get the same answer; ${mostAmendments} at most`,
        ),
      ...goodsFields,
      Currency: saleFields.currency().optional(),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: answers.amendAnswer,
    refusals: ["receipt_not_found", "receipt_known", "amendment_missing", "more_than_bought", "currency_mismatch"],
  }),
  [calls.withdrawConsent]: endpoint({
    summary:
      "A customer has unsubscribed elsewhere: withdraws the consent of a channel. It can never give one, and does not tell whether there is such a customer.",
    access: "key",
    scopes: ["consent"],
    input: z.object({
      Email: fieldTypes.text().optional(),
      MobilePhone: fieldTypes.text(32).optional(),
      IdCustomer: z.uuid(refusedAs("invalid")).optional().describe("The customer's public id"),
      Channel: z.enum(channels, { error: () => "invalid" }).describe("email: the newsletter; sms: text messages"),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: z.object({}),
    refusals: [],
  }),
  [calls.readReport]: endpoint({
    summary: "A shop's day: sales, returns, points and vouchers, and what needs a person.",
    access: "key",
    scopes: ["report"],
    input: z.object({ Day: day(), LanguageIsoCode: fieldTypes.language() }),
    response: answers.reportAnswer,
    refusals: [],
  }),
  [calls.closeDay]: endpoint({
    summary: "Compares a shop's own totals of a day, of all its tills, with ours. Closing again replaces.",
    access: "key",
    scopes: ["report"],
    input: z.object({
      Day: day(),
      Count: fieldTypes.text(9).regex(/^\d+$/, "invalid").describe("Sales, those cancelled later too"),
      Amount: fieldTypes
        .text(16)
        .regex(/^\d{1,12}(\.\d{2})?$/, "invalid")
        .describe("What was paid on all lines after vouchers"),
      VoucherAmount: fieldTypes.text(16).regex(/^\d{1,12}(\.\d{2})?$/, "invalid"),
      ReturnCount: fieldTypes
        .text(9)
        .regex(/^\d+$/, "invalid")
        .optional()
        .describe("Returns, exchanges and voids; absent, not compared"),
      ReturnAmount: fieldTypes
        .text(16)
        .regex(/^\d{1,12}(\.\d{2})?$/, "invalid")
        .optional()
        .describe("Money given back; absent, not compared"),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: z.object({ Differences: answers.differences }),
    refusals: [],
  }),
  [claimReceipt]: endpoint({
    summary: "Points for a receipt that named nobody, by the code printed on it or by what it says.",
    access: "customer",
    input: z.object({
      ClaimCode: fieldTypes.text(32).optional(),
      IdShop: saleFields.shopId().optional(),
      ReceiptNumber: saleFields.receiptNumber().optional(),
      Day: day().optional(),
      Amount: saleFields.amount().optional().describe("What was paid"),
      LanguageIsoCode: fieldTypes.language(),
    }),
    response: answers.claimAnswer,
    refusals: ["not_found", "not_a_member", "own_card", "receipt_yours"],
  }),
};

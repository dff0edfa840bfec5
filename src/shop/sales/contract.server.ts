import { z } from "zod";
import { fields } from "#identity/fields/fields.server.ts";
import { claimReceipt } from "#loyalty/calls.ts";
import { endpoint, wire } from "#platform/api/endpoint.server.ts";
import type { Problem } from "#platform/refusal.ts";
import * as calls from "#shop/calls.ts";
import { conflictReasons } from "./conflicts.server.ts";
import { customerFields, goodsFields, purchaseInput, returnInput, saleFields } from "./fields.server.ts";

export const amount = z.string().regex(/^\d+\.\d\d$/);

const tier = z.object({
  IdLoyaltyTier: z.int(),
  Name: z.string(),
  Multiplier: z.number().describe("Points for each point of the rate: 1.25"),
});

export const nextReward = z
  .object({ Points: z.int().describe("What it costs"), Missing: z.int(), Value: amount })
  .nullable()
  .describe("How far it is to the next reward, after those that the points cover already");

const customer = z.object({
  CustomerToken: z.string().describe("Opaque, 15 minutes, good for this shop"),
  Name: z.string(),
  Tier: tier,
  Points: z.int(),
  Debt: z.int().describe("Points taken back that the balance did not have; the next points settle them"),
  NextReward: nextReward,
  BirthdayToday: z.boolean().describe("False for an address or a phone"),
  Vouchers: z
    .array(
      z.object({
        Code: z.string(),
        Value: amount,
        ExpiresAt: z.iso.datetime(),
        State: z.enum(["available", "held", "used", "expired"]),
      }),
    )
    .describe("Empty for an address or a phone"),
});

export const usedVoucher = z.object({ Code: z.string(), Value: amount, Taken: amount });
export const pricedLine = z.object({
  Line: z.string(),
  Paid: amount,
  VoucherShare: amount.describe("For the VAT of the line"),
});
export const refunds = z.array(z.object({ Line: z.string(), Amount: amount }));
const reissuedVouchers = z.array(z.object({ Code: z.string(), Value: amount, ExpiresAt: z.iso.datetime() }));
const waiting = z.literal(true).optional();
const unknownCustomer = z.literal("unknown").optional().describe("A customer was named who is no member");

const campaign = z
  .object({ Name: z.string(), Points: z.int().describe("Of the points earned, those it added") })
  .optional()
  .describe("The campaign that counts for this sale");

export const purchaseAnswer = z.object({
  Points: z.object({ Earned: z.int(), Taken: z.int().optional(), Available: z.int(), Debt: z.int() }),
  Vouchers: z.array(usedVoucher),
  Lines: z.array(pricedLine),
  Tier: tier.nullable(),
  Campaign: campaign,
  Refunds: refunds.optional().describe("Of an exchange"),
  ReissuedVouchers: reissuedVouchers.optional(),
  Waiting: waiting.describe("So many purchases in a day: a person releases the points"),
  ClaimCode: z.string().optional().describe("For the receipt, when no member was named"),
  ClaimUrl: z.string().optional().describe("For the QR code on the receipt"),
  Customer: unknownCustomer,
});

const returnAnswer = z.object({
  Points: z.object({ Taken: z.int(), Available: z.int(), Debt: z.int() }),
  Refunds: refunds,
  ReissuedVouchers: reissuedVouchers,
  Waiting: waiting.describe("Its sale has not arrived yet"),
});

const day = () => wire.date().describe("A day of the club, which is that of Paris");

/** What a till does, with a key or at the till's own screen (src/till/contract.server.ts). */
export const sellingContract = {
  [calls.identify]: endpoint({
    summary: "Finds members by one of card, voucher, address or phone.",
    access: "unchecked key",
    scopes: ["identify"],
    input: z.object({
      CardNumber: saleFields.cardNumber().optional(),
      VoucherCode: wire.text(64).optional(),
      Email: wire.text().optional(),
      MobilePhone: wire.text(32).optional(),
      EntryMode: z
        .enum(["scanned", "typed"], { error: () => "invalid" })
        .optional()
        .describe("scanned or typed"),
      LanguageIsoCode: wire.language(),
    }),
    response: z.object({ Customers: z.array(customer) }),
    refusals: ["not_found", "card_blocked"],
  }),
  [calls.quote]: endpoint({
    summary: "What a sale would earn, and what each voucher would take off. Writes nothing.",
    access: "key",
    scopes: ["identify"],
    input: z.object({
      ...customerFields,
      ...goodsFields,
      ReceiptNumber: saleFields.receiptNumber().optional().describe("If vouchers are held for it"),
      VoucherCodes: saleFields.voucherCodes().optional(),
      LanguageIsoCode: wire.language(),
    }),
    response: z.object({
      Points: z.object({ Earned: z.int(), Available: z.int(), Debt: z.int() }),
      Vouchers: z.array(usedVoucher.extend({ Reason: z.string().nullable().describe("Why it cannot be used") })),
      Lines: z.array(pricedLine),
      Tier: tier.nullable(),
      Campaign: campaign,
      Customer: unknownCustomer,
    }),
    refusals: [],
  }),
  [calls.holdVouchers]: endpoint({
    summary: "Keeps vouchers for one receipt for 15 minutes, all or none.",
    access: "key",
    scopes: ["sell"],
    input: z.object({ VoucherCodes: saleFields.voucherCodes(), ReceiptNumber: saleFields.receiptNumber() }),
    response: z.object({ Holds: z.array(z.object({ Code: z.string(), Until: z.iso.datetime() })) }),
    refusals: ["voucher_unknown", "voucher_held", "voucher_used", "voucher_expired", "card_blocked"],
  }),
  [calls.releaseVouchers]: endpoint({
    summary: "Lets vouchers go that this receipt holds.",
    access: "key",
    scopes: ["sell"],
    input: z.object({ VoucherCodes: saleFields.voucherCodes(), ReceiptNumber: saleFields.receiptNumber() }),
    response: z.object({}),
    refusals: [],
  }),
  [calls.postPurchase]: endpoint({
    summary: "A sale: credits its points and uses its vouchers, once per shop and receipt number, for good.",
    access: "key",
    scopes: ["sell"],
    input: purchaseInput,
    response: purchaseAnswer,
    refusals: [
      ...(["not_found", "voucher_unknown", "voucher_of_another", "voucher_held", "voucher_used"] as const),
      ...([
        "voucher_expired",
        "card_blocked",
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
        .string()
        .max(1024 * 1024, "too_long")
        .describe('JSON: [{ "Kind": "purchase", "ReceiptNumber": "4711", … }, { "Kind": "return", … }]'),
      SentAt: saleFields.sentAt(),
      LanguageIsoCode: wire.language(),
    }),
    response: z.object({
      Outcomes: z.array(
        z.object({
          ReceiptNumber: z.string(),
          Status: z.int(),
          Answer: z.union([purchaseAnswer, returnAnswer]).optional(),
          Problem: z.custom<Problem>().optional().describe("As a refused call of its own would answer"),
        }),
      ),
    }),
    refusals: [],
  }),
  [calls.postReturn]: endpoint({
    summary:
      "Goods given back: takes back the points, once per shop and receipt number. Waits for a sale still on its way.",
    access: "key",
    scopes: ["return"],
    input: returnInput,
    response: returnAnswer,
    refusals: ["not_found", "receipt_known", "more_than_bought", "too_old"],
  }),
  [calls.voidSale]: endpoint({
    summary: "Cancels a sale of the same day as a whole. Counts as a return; no item of a batch.",
    access: "key",
    scopes: ["return"],
    input: z.object({ ReceiptNumber: saleFields.receiptNumber(), LanguageIsoCode: wire.language() }),
    response: returnAnswer,
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
      LanguageIsoCode: wire.language().describe("The customer's: fr, en or de"),
    }),
    response: z.object({
      CardNumber: z.string(),
      Name: z.string(),
      PassUrl: z.url().describe("For the customer's phone, an hour: shows the card and puts it into the wallet"),
      PassQrSvg: z.string(),
    }),
    refusals: ["email_taken"],
  }),
};

export const salesContract = {
  ...sellingContract,
  [calls.readReport]: endpoint({
    summary: "A shop's day: sales, returns, points and vouchers, and what needs a person.",
    access: "key",
    scopes: ["report"],
    input: z.object({ Day: day(), LanguageIsoCode: wire.language() }),
    response: z.object({
      Day: z.iso.date(),
      Sales: z.object({ Count: z.int(), Amount: amount }),
      Returns: z.object({ Count: z.int(), Amount: amount }),
      Points: z.object({ Earned: z.int(), Taken: z.int() }),
      Vouchers: z.object({ Count: z.int(), Amount: amount }),
      Conflicts: z.array(
        z.object({
          ReceiptNumber: z.string(),
          Reason: z.enum(conflictReasons),
          OriginalReceiptNumber: z.string().nullable(),
        }),
      ),
      ArrivedAfterClose: z.array(z.string()).describe("Sales of the day that came after it was closed"),
    }),
    refusals: [],
  }),
  [calls.closeDay]: endpoint({
    summary: "Compares a shop's own totals of a day, of all its tills, with ours. Closing again replaces.",
    access: "key",
    scopes: ["report"],
    input: z.object({
      Day: day(),
      Count: wire.text(9).regex(/^\d+$/, "invalid").describe("Sales, those cancelled later too"),
      Amount: wire
        .text(16)
        .regex(/^\d{1,12}(\.\d{2})?$/, "invalid")
        .describe("What was paid on all lines after vouchers"),
      VoucherAmount: wire.text(16).regex(/^\d{1,12}(\.\d{2})?$/, "invalid"),
      ReturnCount: wire
        .text(9)
        .regex(/^\d+$/, "invalid")
        .optional()
        .describe("Returns, exchanges and voids; absent, not compared"),
      ReturnAmount: wire
        .text(16)
        .regex(/^\d{1,12}(\.\d{2})?$/, "invalid")
        .optional()
        .describe("Money given back; absent, not compared"),
      LanguageIsoCode: wire.language(),
    }),
    response: z.object({
      Differences: z.array(z.object({ Total: z.string(), Till: z.string(), Cercle: z.string() })),
    }),
    refusals: [],
  }),
  [claimReceipt]: endpoint({
    summary: "Points for a receipt that named nobody, by the code printed on it or by what it says.",
    access: "customer",
    input: z.object({
      ClaimCode: wire.text(32).optional(),
      IdShop: saleFields.shopId().optional(),
      ReceiptNumber: saleFields.receiptNumber().optional(),
      Day: day().optional(),
      Amount: saleFields.amount().optional().describe("What was paid"),
      LanguageIsoCode: wire.language(),
    }),
    response: z.object({ Points: z.object({ Earned: z.int(), Available: z.int(), Debt: z.int() }), Waiting: waiting }),
    refusals: ["not_found", "not_a_member", "own_card"],
  }),
};

import { z } from "zod";
import { pendingFields } from "#loyalty/ledger/contract.server.ts";
import { lineReasons, priceTypes } from "#loyalty/programme/line-rule.ts";
import { amount } from "#platform/api/endpoint.server.ts";
import { conflictReasons } from "#shop/sales/review/conflicts.server.ts";

/** What the calls of shops answer. Partners read each description on /api/docs. */

const sum = (meaning: string) => amount.describe(`${meaning}, in the currency of the club`);
const moment = (meaning: string) => z.iso.datetime().describe(meaning);
const count = (meaning: string) => z.int().describe(meaning);

const arrivesAt = z.iso.datetime().nullable().describe("When the points of this sale arrive; null: at once, or none");
const waitingPoints = z.int().optional().describe("How many points the review is about");
const waitingReason = z
  .enum(["large_sale", "many_sales", "staff"])
  .optional()
  .describe("Why: over the programme's amount; many sales of one customer in a day; sold by new staff to a new member");
const voucherTotal = sum("What the vouchers took off together");
const cancelledVouchers = z
  .array(z.object({ Value: sum("What it was worth") }))
  .describe("Unused vouchers that were cancelled because their points were needed; the customer gets an email");
const available = count("The customer's points afterwards; 0 when no member was named");
const debt = count("Points taken back that the balance did not have; the next points settle them");
const position = z.string().describe("The line's number on the receipt, as sent");
const voucherCode = z.string().describe("What the voucher's barcode says");
const receiptNumber = z.string().describe("The till's own number, as sent");

const tier = z.object({
  IdLoyaltyTier: count("Stays the same when the name changes"),
  Name: z.string().describe("In the language of the answer"),
  Multiplier: z.number().describe("Points for each point of the rate: 1.25"),
});
const tierOfSale = tier.nullable().describe("The customer's status; null when no member was named");

export const nextReward = z
  .object({
    Points: count("What it costs"),
    Missing: count("How many points the customer lacks"),
    Value: sum("What it takes off"),
  })
  .nullable()
  .describe("How far it is to the next reward, after those that the points cover already");

const customer = z.object({
  CustomerToken: z.string().describe("Opaque, 15 minutes, good for this shop"),
  IdCustomer: z.uuid().describe("Public id, which events carry too; the sub of a sign-in at a web shop"),
  Name: z.string().describe("First name and initial: Camille L."),
  Confirmed: z.boolean().describe("They have confirmed their email address. Confirmed members come first"),
  JoinedMonth: z.string().describe("When they joined, 2026-03: tells apart those who share a phone"),
  CardEnding: z.string().nullable().describe("The last two digits of the card"),
  Tier: tier.describe("The status"),
  Points: count("What the customer can spend"),
  ...pendingFields,
  Debt: debt,
  NextReward: nextReward,
  BirthdayToday: z.boolean().describe("False for an address or a phone"),
  Vouchers: z
    .array(
      z.object({
        Code: z.string().describe("Its last four characters: ••••••••RNSN"),
        VoucherToken: z
          .string()
          .describe("Stands for the voucher in VoucherCodes: opaque, 15 minutes, good for this shop"),
        Value: sum("What it takes off"),
        ExpiresAt: moment("The end of its last day"),
        State: z.enum(["available", "held", "used", "cancelled", "expired"]).describe("held: a receipt has it for now"),
      }),
    )
    .describe("Empty for an address or a phone"),
});
export const identified = z.object({
  FoundBy: z
    .enum(["card", "voucher", "receipt"])
    .optional()
    .describe("What a Code was; it is sent on as CardNumber, in VoucherCodes or as a receipt's number"),
  Customers: z.array(customer).describe("At most three, of one phone; none of a receipt"),
});

const voucherAsSent = z.string().describe("As sent: the voucher's code, or its token");

export const usedVoucher = z.object({
  Code: voucherCode,
  Value: sum("What it is worth"),
  Taken: amount.describe("What it took off; no change is given"),
});

export const pricedLine = z.object({
  Line: position,
  Paid: sum("What is paid after vouchers"),
  VoucherShare: sum("What vouchers took off the line, for its VAT"),
});
const pricedLines = z.array(pricedLine).describe("An Amount is line 1");

export const refunds = z.array(z.object({ Line: position, Amount: sum("Money to give back") }));
const refundsOf = refunds.describe("By line");
const reissuedVouchers = z
  .array(z.object({ Value: sum("What it takes off"), ExpiresAt: moment("The end of its last day") }))
  .describe("New vouchers for used ones, when everything that those paid was given back; the customer has the codes");
const waiting = z.literal(true).optional();
const pointsWait = waiting.describe(
  "A large sale, or many of a customer in a day: a person who did not ring it up releases the points",
);
const unknownCustomer = z.literal("unknown").optional().describe("A customer was named who is no member");

const campaign = z
  .object({
    Name: z.string().describe("In the language of the answer"),
    Points: count("Of the points earned, those it added"),
  })
  .optional()
  .describe("The campaign that counts for this sale");

export const quoteAnswer = z.object({
  Points: z.object({
    Earned: count("What the sale would earn; 0 when no member was named"),
    Available: count("The customer's points now"),
    ...pendingFields,
    ArrivesAt: arrivesAt,
    Debt: debt,
  }),
  Vouchers: z.array(
    usedVoucher.extend({
      Code: voucherAsSent,
      Reason: z.string().nullable().describe("Why it cannot be used: a code of a refusal"),
      Lines: z
        .array(z.object({ Line: position, Reason: z.enum(lineReasons).describe("Why it may not pay this line") }))
        .optional()
        .describe("Of basket_too_small: the lines that it may not pay"),
    }),
  ),
  VoucherTotal: voucherTotal,
  Lines: pricedLines,
  Tier: tierOfSale,
  Campaign: campaign,
  Waiting: pointsWait,
  WaitingPoints: waitingPoints,
  WaitingReason: waitingReason,
  Customer: unknownCustomer,
});

const inLanguage = z.string().describe("In the language of the answer");

export const catalogueAnswer = z.object({
  PriceTypes: z
    .array(z.object({ PriceType: z.enum(priceTypes).describe("As a line sends it"), Name: inLanguage }))
    .describe("All that there are"),
  Codes: z
    .array(z.object({ Code: z.string().describe("As a line sends it"), Name: inLanguage }))
    .describe("Those that head office has declared; others are stored, and reported to head office once a day"),
  UsedByRules: z.boolean().describe("A rule of the programme asks for them: lines should be sent with both"),
});

export const holdAnswer = z.object({
  Holds: z.array(z.object({ Code: voucherAsSent, Until: moment("Until then no other receipt can take it") })),
});

export const releaseAnswer = z.object({
  Released: count("How many of them were held for it; 0 says that the number is another's"),
});

export const purchaseAnswer = z.object({
  Points: z.object({
    Earned: count("What the sale brings, pending or not; 0 while points need a review or no member was named"),
    Taken: z.int().optional().describe("What was taken for the returned part of an exchange, pending points included"),
    Available: available,
    ...pendingFields,
    ArrivesAt: arrivesAt,
    Debt: debt,
  }),
  Vouchers: z.array(usedVoucher),
  VoucherTotal: voucherTotal,
  LostVouchers: z
    .array(
      z.object({
        Code: z.string().describe("Its last four characters"),
        Value: sum("What it is worth"),
        Taken: sum("What it took off the price that the customer paid; the club does not bear it"),
        Reason: z.string().describe("Why it could not be used any more: a code of a refusal"),
      }),
    )
    .optional()
    .describe("With OnVoucherLost accept: vouchers that were lost before the sale arrived"),
  Lines: pricedLines,
  Tier: tierOfSale,
  Campaign: campaign,
  Refunds: refunds.optional().describe("Of an exchange, by line"),
  ReissuedVouchers: reissuedVouchers.optional(),
  CancelledVouchers: cancelledVouchers.optional(),
  Waiting: waiting.describe(
    "A large sale, or many of a customer in a day: a person who did not ring it up releases the points. Of an exchange: the sale that is given back has not arrived yet",
  ),
  WaitingPoints: waitingPoints,
  WaitingReason: waitingReason,
  ClaimCode: z.string().optional().describe("For the receipt, when no member was named"),
  ClaimUrl: z.string().optional().describe("For the QR code on the receipt"),
  Customer: unknownCustomer,
});

export const returnAnswer = z.object({
  Points: z.object({
    Taken: count("What was taken, pending points included"),
    Available: available,
    ...pendingFields,
    Debt: debt,
  }),
  Refunds: refundsOf,
  ReissuedVouchers: reissuedVouchers,
  CancelledVouchers: cancelledVouchers,
  Waiting: waiting.describe("Its sale has not arrived yet; nothing was taken back"),
});

export const amendAnswer = z.object({
  Points: z.object({
    Earned: count("What the addition brings, pending from now; 0 while its points need a review"),
    Taken: count("What was taken for what was given back, pending points included"),
    Available: available,
    ...pendingFields,
    ArrivesAt: arrivesAt,
    Debt: debt,
  }),
  Added: z.array(z.object({ Line: position, Amount: sum("To be paid more") })).describe("By line"),
  Refunds: refundsOf,
  ReissuedVouchers: reissuedVouchers,
  CancelledVouchers: cancelledVouchers,
  Waiting: pointsWait,
  WaitingPoints: waitingPoints,
  WaitingReason: waitingReason,
});

export const recordedPurchase = z.object({
  ReceiptNumber: receiptNumber,
  SoldAt: moment("When it was sold, corrected by the shop's clock"),
  IdCustomer: z.uuid().nullable().describe("The customer's public id; null when no member was named"),
  Lines: z
    .array(
      pricedLine.extend({
        Earns: z.boolean().describe("Whether it earns points"),
        Left: sum("What can still be given back"),
      }),
    )
    .describe("With what amendments added"),
  VoucherTotal: voucherTotal,
  Earned: count("Points of the sale when it arrived"),
  Waiting: pointsWait,
  WaitingPoints: waitingPoints,
  Returns: z
    .array(
      z.object({
        ReceiptNumber: receiptNumber,
        Kind: z.enum(["return", "exchange", "void", "amend"]).describe("What it is"),
        State: z.enum(["applied", "waiting", "conflict", "undone"]).describe("Whether it took effect"),
        ReturnedAt: moment("When"),
        Amount: sum("Money given back"),
      }),
    )
    .describe("In their order; of an amended sale a return may have a part for each amendment"),
  Amendments: z
    .array(z.object({ AmendNumber: count("As sent"), AmendedAt: moment("When it arrived") }))
    .describe("In their order"),
});

export const claimAnswer = z.object({
  Points: z.object({
    Earned: count("What the receipt brings, pending or not"),
    Available: available,
    ...pendingFields,
    ArrivesAt: arrivesAt,
    Debt: debt,
  }),
  Waiting: pointsWait,
  WaitingPoints: waitingPoints,
  WaitingReason: waitingReason,
});

export const joinAnswer = z.object({
  CardNumber: z.string().describe("Thirteen digits, an EAN-13"),
  Name: z.string().describe("First name and initial: Camille L."),
  PassUrl: z.url().describe("For the customer's phone, an hour: shows the card and puts it into the wallet"),
  PassQrSvg: z.string().describe("PassUrl as a QR code, an SVG image"),
});

const sums = (of: string, money: string) => z.object({ Count: count(of), Amount: sum(money) });

export const reportAnswer = z.object({
  Day: z.iso.date().describe("As asked"),
  Sales: sums("Those cancelled later too", "What was paid after vouchers"),
  Returns: sums("Returns, exchanges and voids that took effect", "Money given back"),
  Points: z.object({
    Earned: count("By the day's sales, also those of receipts that were claimed later"),
    Taken: count("By the day's returns"),
  }),
  Vouchers: sums("Vouchers used", "What they took off"),
  Conflicts: z
    .array(
      z.object({
        ReceiptNumber: receiptNumber,
        Reason: z
          .enum(conflictReasons)
          .describe(
            "A return asks for more than its sale has, or has none; points wait for a person; the till's clock was ahead",
          ),
        OriginalReceiptNumber: z.string().nullable().describe("Of a return: the sale it names"),
      }),
    )
    .describe("Receipts that need a person"),
  LostVouchers: z
    .array(
      z.object({
        ReceiptNumber: receiptNumber,
        Taken: sum("What it took off the price; the shop bears it"),
        Reason: z.string().describe("Why it could not be used any more: a code of a refusal"),
      }),
    )
    .describe("Of sales sent with OnVoucherLost accept"),
  ArrivedAfterClose: z.array(z.string()).describe("Numbers of the day's sales that came after it was closed"),
  ReturnsAfterClose: z
    .array(
      z.object({
        ReceiptNumber: receiptNumber.describe("Of a void the sale's number, of an exchange that of both halves"),
        Kind: z.enum(["return", "exchange", "void", "amend"]).describe("What it is"),
      }),
    )
    .describe("The day's returns that took effect after it was closed"),
});

export const differences = z
  .array(
    z.object({
      Total: z.string().describe("The field that differs"),
      Till: z.string().describe("As sent"),
      Cercle: z.string().describe("As we see it"),
    }),
  )
  .describe("Empty when all agree");

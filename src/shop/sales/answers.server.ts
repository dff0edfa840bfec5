import { z } from "zod";
import { pendingFields } from "#loyalty/ledger/contract.server.ts";
import { amount } from "#platform/api/endpoint.server.ts";
import { conflictReasons } from "#shop/sales/review/conflicts.server.ts";

/** What the calls of shops answer. Partners read each description on /api/docs. */

const sum = (meaning: string) => amount.describe(`${meaning}, in the currency of the club`);
const moment = (meaning: string) => z.iso.datetime().describe(meaning);
const count = (meaning: string) => z.int().describe(meaning);

const arrivesAt = z.iso.datetime().nullable().describe("When the points of this sale arrive; null: at once, or none");
const waitingPoints = z.int().optional().describe("How many points the review is about");
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
export const identified = z.object({ Customers: z.array(customer).describe("At most three, of one phone") });

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
    }),
  ),
  Lines: pricedLines,
  Tier: tierOfSale,
  Campaign: campaign,
  Waiting: pointsWait,
  WaitingPoints: waitingPoints,
  Customer: unknownCustomer,
});

export const holdAnswer = z.object({
  Holds: z.array(z.object({ Code: voucherAsSent, Until: moment("Until then no other receipt can take it") })),
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
  Points: z.object({ Earned: count("By the day's sales"), Taken: count("By the day's returns") }),
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
  ArrivedAfterClose: z.array(z.string()).describe("Numbers of the day's sales that came after it was closed"),
  ReturnsAfterClose: z
    .array(
      z.object({
        ReceiptNumber: receiptNumber.describe("Of a void the sale's number, of an exchange that of both halves"),
        Kind: z.enum(["return", "exchange", "void"]).describe("What it is"),
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

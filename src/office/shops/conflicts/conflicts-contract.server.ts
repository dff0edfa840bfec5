import { z } from "zod";
import { fields } from "#identity/fields/fields.server.ts";
import { integerId, language, moment } from "#office/fields.server.ts";
import * as calls from "#office/shops/calls.ts";
import { amount, endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";
import { differences, reportAnswer } from "#shop/sales/answers.server.ts";
import { saleFields } from "#shop/sales/fields.server.ts";
import { keptDays } from "#shop/sales/receipts.server.ts";
import { proofFields } from "#shop/sales/return/receipt-proof.server.ts";
import { conflictReasons } from "#shop/sales/review/conflicts.server.ts";

const receipt = { IdShop: integerId(), ReceiptNumber: saleFields.recordedNumber() };
const reason = { Reason: fields.line(200).describe("For the audit log") };
const decided = z.object({ Taken: z.int().describe("Points that left the balance"), Reissued: z.int() });

/** The day's report, and receipts that wait for a person. The role shop: of its own shop. */
export const conflictsContract = {
  [calls.readReport]: endpoint({
    summary: "A shop's day, with what its till counted otherwise when it was closed.",
    access: "staff",
    roles: ["owner", "shop"],
    input: z.object({ IdShop: integerId(), Day: fieldTypes.date().describe("A day of the club"), ...language }),
    response: reportAnswer.extend({
      Close: z
        .object({
          ClosedAt: moment,
          Differences: differences,
        })
        .nullable()
        .describe("Null: the day was not closed"),
    }),
    refusals: ["not_found"],
  }),
  [calls.reportCsv]: endpoint({
    summary: "The sales and returns of a shop's day as CSV, sent while it is read.",
    access: "staff",
    roles: ["owner", "shop"],
    input: z.object({ IdShop: integerId(), Day: fieldTypes.date(), ...language }),
    response: z.string(),
    responseType: "text/csv",
    refusals: ["not_found"],
  }),
  [calls.listConflicts]: endpoint({
    summary: "Receipts that wait for a person, the newest first, fifty a page.",
    access: "staff",
    roles: ["owner", "shop"],
    input: z.object({
      IdShop: integerId().optional(),
      Cursor: fieldTypes.text(400).optional().describe("NextCursor of the page before"),
      ...language,
    }),
    response: z.object({
      Conflicts: z.array(
        z.object({
          IdShop: z.int(),
          ShopName: z.string(),
          ReceiptNumber: z.string(),
          Kind: z.enum(["return", "exchange", "points", "clock"]).describe("Which of the calls below decides it"),
          Reason: z.enum(conflictReasons),
          At: moment.describe("Of the sale or the return"),
          OriginalIdShop: z.int().nullable(),
          OriginalReceiptNumber: z.string().nullable(),
          IdCustomer: z.int().nullable(),
          Customer: z.string().nullable().describe("Their first name and the initial of the last"),
          Amount: amount.nullable().describe("Of the sale; what a return asks for, where it says so"),
          Points: z
            .int()
            .nullable()
            .describe("Of what is left of the sale: those that wait, or that a return could take"),
        }),
      ),
      NextCursor: z.string().nullable(),
    }),
    refusals: [],
  }),
  [calls.decideReturn]: endpoint({
    summary:
      "A return that does not fit or has no sale: apply takes back what is left of its sale, attach names another sale, which it must fit, dismiss takes nothing.",
    access: "staff",
    roles: ["owner", "shop"],
    input: z.object({
      ...receipt,
      Kind: z.enum(["return", "exchange"], { error: "invalid" }).default("return"),
      Decision: z.enum(["apply", "attach", "dismiss"], { error: "invalid" }),
      OriginalReceiptNumber: saleFields.receiptNumber().optional().describe("To attach: the sale's number"),
      OriginalIdShop: integerId().optional().describe("To attach: where it was sold, if elsewhere; then with proof"),
      ...proofFields,
      ...reason,
      ...language,
    }),
    response: decided,
    refusals: ["not_found", "receipt_not_found", "already_decided", "more_than_bought", "own_card"],
  }),
  [calls.decidePoints]: endpoint({
    summary:
      "Points that wait since a card bought more than five times in a day: release credits them, refuse does not.",
    access: "staff",
    roles: ["owner", "shop"],
    input: z.object({
      ...receipt,
      Decision: z.enum(["release", "refuse"], { error: "invalid" }),
      ...reason,
      ...language,
    }),
    response: z.object({ Points: z.int().describe("Credited") }),
    refusals: ["not_found", "already_decided", "not_a_member", "own_card", "second_person"],
  }),
  [calls.decideClock]: endpoint({
    summary:
      "A sale from the future was dated when it arrived: confirm keeps that, correct says when it was sold. Its points keep their day.",
    access: "staff",
    roles: ["owner", "shop"],
    input: z.object({
      ...receipt,
      Decision: z.enum(["confirm", "correct"], { error: "invalid" }),
      SoldAt: saleFields.soldAt().optional().describe(`To correct: at most ${keptDays} days before it arrived`),
      ...reason,
      ...language,
    }),
    response: z.object({ SoldAt: moment }),
    refusals: ["not_found", "already_decided"],
  }),
};

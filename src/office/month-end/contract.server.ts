import { z } from "zod";
import { language, moment, nothing } from "#office/fields.server.ts";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";
import * as calls from "./calls.ts";
import { accountNames } from "./names.ts";

const roles = ["owner", "marketing"] as const;
const month = () => fieldTypes.text(7).regex(/^(19|20)\d\d-(0[1-9]|1[0-2])$/, "invalid");
const shownMonth = z.string().describe("Such as 2026-03");
const state = z.enum(["closed", "draft", "ended"]).describe("Ended: nothing was drafted yet");
const inProgress = z.object({
  InProgress: z.boolean().describe("It takes longer than this call waits: Job of the month says when it is done"),
});
const one = { Month: month().describe("Such as 2026-03"), ...language };

/** Month end: the book of each month, its liability, and its closing for good. */
export const monthEndContract = {
  [calls.readMonthEnd]: endpoint({
    summary:
      "The book of a month, by the time of booking: points, pending points and vouchers from the opening balance to the closing one, and the liability. Without a month the one to be closed next, or the last closed.",
    access: "staff",
    roles,
    input: z.object({ Month: month().optional(), ...language }),
    response: z.object({
      Months: z.array(
        z.object({
          Month: shownMonth,
          State: state,
          Points: z.int().nullable().describe("At its end"),
          LiabilityCents: z.int().nullable().describe("As it was closed"),
          ClosedAt: moment.nullable(),
          ClosedBy: z.string().nullable(),
        }),
      ),
      Next: shownMonth.nullable().describe("The month to be closed next"),
      Month: shownMonth.nullable(),
      Job: z
        .enum(["drafting", "closing", "failed", "changed"])
        .nullable()
        .describe(
          "What is being done with this month. Failed: it is tried again. Changed: it was not closed, since the figures were no longer those of the draft",
        ),
      Book: z
        .object({
          DraftedAt: moment,
          Accounts: z
            .array(
              z.object({
                Name: z.enum(accountNames),
                Opening: z.int(),
                Movements: z.array(z.object({ Name: z.string(), Amount: z.int() })),
                Closing: z.int(),
              }),
            )
            .describe("Points; of vouchers cents"),
          Expiry: z.array(
            z.object({
              Month: shownMonth,
              Points: z.int(),
              Tiers: z.array(z.int()).describe("In the order of TierNames"),
              VoucherCents: z.int(),
            }),
          ),
          TierNames: z.array(z.string()),
          Earlier: z
            .array(
              z.object({
                ...{ Account: z.enum(accountNames), Name: z.string(), Month: shownMonth, Amount: z.int() },
              }),
            )
            .describe("Booked in this month, and belonging to an earlier one"),
          Liability: z.object({
            RewardPoints: z.int().describe("So many points are worth"),
            RewardCents: z.int().describe("this much"),
            Source: z.enum(["history", "chosen"]).describe("Where the expected redemption comes from"),
            ChosenPercent: z.int(),
            Ages: z.array(
              z.object({
                Age: z.int().describe("Months since the points were earned"),
                Exposure: z.int(),
                Spent: z.int(),
                Left: z.int(),
                Expected: z.number().describe("The part that is redeemed in the end"),
              }),
            ),
            PointsCents: z.int(),
            PendingCents: z.int(),
            VouchersCents: z.int(),
            TotalCents: z.int(),
          }),
        })
        .nullable(),
    }),
    refusals: ["not_found"],
  }),
  [calls.monthEndCsv]: endpoint({
    summary: "The book of a month, as CSV.",
    access: "staff",
    roles,
    input: z.object(one),
    response: z.string(),
    responseType: "text/csv",
    refusals: ["not_found"],
  }),
  [calls.draftMonth]: endpoint({
    summary: "Computes the draft of a month that has ended.",
    access: "staff",
    roles: ["owner"],
    input: z.object(one),
    response: inProgress,
    refusals: ["month_busy", "not_found"],
  }),
  [calls.chooseRedemption]: endpoint({
    summary: "The part of the points that is expected to be redeemed, while fewer than 24 months are closed.",
    access: "staff",
    roles: ["owner"],
    fresh: true,
    input: z.object({
      ...one,
      Percent: fieldTypes
        .text(3)
        .regex(/^\d{1,3}$/, "invalid")
        .transform(Number)
        .refine((percent) => percent <= 100, "invalid"),
    }),
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.closeMonth]: endpoint({
    summary: "Closes a month for good, if its draft is still what DraftedAt says. No one opens it again.",
    access: "staff",
    roles: ["owner"],
    fresh: true,
    input: z.object({ ...one, DraftedAt: z.iso.datetime({ error: "invalid" }) }),
    response: inProgress,
    refusals: ["month_busy", "month_changed", "month_not_next"],
  }),
};

type MonthEndContract = typeof monthEndContract;
declare module "#platform/api/api.ts" {
  interface Api extends MonthEndContract {}
}

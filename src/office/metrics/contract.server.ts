import { z } from "zod";
import { integerId, language } from "#office/fields.server.ts";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";
import * as calls from "./calls.ts";
import { metricNames } from "./names.ts";

const roles = ["owner", "marketing", "shop"] as const;
const asked = {
  From: fieldTypes.date().optional().describe("The first day, of the club's calendar; absent: the first of To's month"),
  To: fieldTypes
    .date()
    .optional()
    .describe("The last day; absent: today, or without From the last of the month before"),
  IdShop: integerId().optional().describe("Of one shop; the role shop: its own, always"),
  Compare: z
    .enum(["before", "year"], { error: "invalid" })
    .optional()
    .describe("With the period before, or the same days a year earlier"),
  ...language,
};
const period = z.object({ From: z.iso.date(), To: z.iso.date() });

/** Metrics of the club. They are read from summaries that the ledger keeps. */
export const metricsContract = {
  [calls.readMetrics]: endpoint({
    summary:
      "The club's metrics of a period, compared with the one before (as many months, or as many days) or with the same days a year earlier.",
    access: "staff",
    roles,
    input: z.object(asked),
    response: z.object({
      Today: z.iso.date(),
      Period: period,
      Before: period,
      Compare: z.enum(["before", "year"]),
      IdShop: z.int().nullable().describe("Of one shop; null: of the whole club"),
      Figures: z.array(
        z.object({
          Name: z.enum(metricNames),
          Value: z.number().describe("Of a share, between 0 and 1"),
          Previous: z.number(),
          Cents: z.int().nullable().describe("What it is worth, or what was paid"),
          PreviousCents: z.int().nullable(),
          Definition: z.string(),
        }),
      ),
      Days: z.array(
        z.object({
          Day: z.iso.date(),
          Points: z.int().describe("Issued on that day"),
          Mean: z.number().describe("Of that day and the six before it"),
          PreviousPoints: z.int().nullable().describe("On the day of the period before that stands in its place"),
          PreviousMean: z.number().nullable(),
        }),
      ),
      Outstanding: z
        .object({
          Months: z.array(
            z.object({
              Month: z.string().describe("In which they lapse, such as 2028-07"),
              Points: z.int(),
              Cents: z.int(),
              Tiers: z.array(z.int()).describe("Of the tiers, in the order of TierNames"),
            }),
          ),
          TierNames: z.array(z.string()),
          RewardPoints: z.int().describe("So many points are worth"),
          RewardCents: z.int().describe("this much"),
        })
        .nullable()
        .describe("Of the whole club, now; null for one shop"),
      Shops: z.array(
        z.object({
          IdShop: z.int().nullable().describe("Null: what happened in no shop"),
          Name: z.string(),
          Sales: z.int(),
          Cents: z.int(),
          Share: z.number(),
          Points: z.int(),
          PreviousPoints: z.int(),
          VouchersUsed: z.int(),
          Joined: z.int(),
        }),
      ),
      AllShops: z.array(z.object({ IdShop: z.int(), Name: z.string() })).describe("That the caller may choose"),
      Charts: z.object({ Days: z.string(), Outstanding: z.string().nullable() }).describe("SVG"),
    }),
    refusals: [],
  }),
  [calls.metricsCsv]: endpoint({
    summary: "One of the tables behind the metrics, as CSV.",
    access: "staff",
    roles,
    input: z.object({ Table: z.enum(["figures", "days", "outstanding", "shops"], { error: "required" }), ...asked }),
    response: z.string(),
    responseType: "text/csv",
    refusals: [],
  }),
};

type MetricsContract = typeof metricsContract;
declare module "#platform/api/api.ts" {
  interface Api extends MetricsContract {}
}

import { z } from "zod";
import { fields } from "#identity/fields/fields.server.ts";
import { channels, type Segment } from "#loyalty/segments/segment.ts";
import { integerId, language, moment, nothing } from "#office/fields.server.ts";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";
import * as calls from "./calls.ts";
import { type ExportColumn, exportColumns } from "./columns.ts";

const marketing = { access: "staff", roles: ["owner", "marketing"] } as const;
const definition = () =>
  fieldTypes
    .text(6_000)
    .describe(
      'JSON: { "all": [{ "fact": "last_purchase", "min": 180 }, { "not": { "fact": "status", "in": ["1"] } }] }',
    );
const count = (meaning: string) => z.int().describe(meaning);
const channel = () => z.enum(channels, { error: () => "invalid" });

/** Segments: members by what the club knows of them. */
export const segmentsContract = {
  [calls.listSegments]: endpoint({
    summary: "Every segment with its definition, and what conditions may choose from.",
    ...marketing,
    input: z.object(language),
    response: z.object({
      Segments: z.array(
        z.object({
          IdSegment: z.int(),
          Name: z.string(),
          Version: z.int(),
          Definition: z.custom<Segment>(),
          Sends: z.boolean().describe("Webhooks tell who joins and who leaves it"),
          SavedBy: z.string(),
          SavedAt: moment,
        }),
      ),
      Tiers: z.array(z.object({ IdLoyaltyTier: z.int(), Name: z.string() })),
      Shops: z.array(z.object({ IdShop: z.int(), Name: z.string() })),
      Codes: z.array(z.object({ Code: z.string(), Name: z.string() })),
    }),
    refusals: [],
  }),
  [calls.countSegment]: endpoint({
    summary: "How many members a definition finds, how many of them may be written to, and why the others may not.",
    ...marketing,
    input: z.object({ Definition: definition(), ...language }),
    response: z.object({
      Members: count("That it finds"),
      Estimated: z.boolean().describe("There are more than 100 000: the numbers are estimates"),
      Email: z.object({
        Reachable: count("Who may be written to"),
        NoConsent: count("Who have not agreed"),
        Unconfirmed: count("Who agreed, with an address that is not confirmed"),
        Blocked: count("Who are blocked"),
      }),
      Sms: z.object({
        Reachable: count("Who may be written to"),
        NoConsent: count("Who have not agreed"),
        NoPhone: count("Who agreed, without a number"),
        Blocked: count("Who are blocked"),
      }),
    }),
    refusals: ["segment_too_slow"],
  }),
  [calls.readExamples]: endpoint({
    summary: "Ten members that a definition finds. That they were seen is in the audit log.",
    access: "staff",
    roles: ["owner"],
    input: z.object({ Definition: definition(), ...language }),
    response: z.object({
      Customers: z.array(
        z.object({ IdCustomer: z.int(), Firstname: z.string(), Lastname: z.string(), Points: z.int() }),
      ),
    }),
    refusals: ["segment_too_slow"],
  }),
  [calls.saveSegment]: endpoint({
    summary: "A new segment, or the next version of one. Another person's later version is not overwritten.",
    ...marketing,
    input: z.object({
      IdSegment: integerId().optional().describe("Absent: a new one"),
      Version: fieldTypes
        .text(9)
        .regex(/^\d{1,9}$/, "invalid")
        .transform(Number)
        .optional()
        .describe("That was read; another one is refused"),
      Name: fields.line(60),
      Definition: definition(),
      Sends: fieldTypes.flag().optional(),
      ...language,
    }),
    response: z.object({ IdSegment: z.int(), Version: z.int() }),
    refusals: ["not_found", "draft_changed"],
  }),
  [calls.archiveSegment]: endpoint({
    summary: "A segment is no longer offered. What used it keeps its definition.",
    ...marketing,
    input: z.object({ IdSegment: integerId(), ...language }),
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.exportSegment]: endpoint({
    summary:
      "Members of a segment who agreed to be written to by a channel, as CSV or JSON Lines with the chosen columns. It is in the audit log and in each member's own export.",
    ...marketing,
    fresh: true,
    input: z.object({
      IdSegment: integerId(),
      Channel: channel(),
      Format: z.enum(["csv", "jsonl"], { error: () => "invalid" }).default("csv"),
      Columns: fieldTypes
        .text(200)
        .transform((text) => text.split(",") as ExportColumn[])
        .refine((columns) => columns.every((one) => exportColumns.includes(one)), "invalid")
        .describe(`Separated by commas: ${exportColumns.join(", ")}`),
      ...language,
    }),
    response: z.string(),
    responseType: "text/csv",
    refusals: ["not_found", "segment_too_slow"],
  }),
};

type SegmentsContract = typeof segmentsContract;
declare module "#platform/api/api.ts" {
  interface Api extends SegmentsContract {}
}

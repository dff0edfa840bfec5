import { z } from "zod";
import { closeMoved, maxMissingText, readMoved, reportMissing } from "#loyalty/calls.ts";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";

const number = (pattern: RegExp) => z.string().regex(pattern, "invalid").transform(Number);
const language = { LanguageIsoCode: fieldTypes.language() };

export const movedContract = {
  [readMoved]: endpoint({
    summary: "What the customer's former club brought here, and its history as it was, newest first.",
    access: "customer",
    input: z.object({
      ...language,
      Limit: number(/^([1-9]\d?|100)$/)
        .default(20)
        .describe("1 to 100, 20 when absent"),
      Offset: number(/^\d{1,6}$/)
        .default(0)
        .describe("How many entries to leave out, from the newest"),
    }),
    response: z.object({
      Moved: z
        .object({
          Points: z.int().describe("Those that could be spent on the day of the move"),
          Pending: z.int().describe("Those that were to arrive later"),
          Vouchers: z.int(),
          Tier: z
            .object({ Name: z.string(), Until: z.iso.date() })
            .nullable()
            .describe("The status that is kept at least until a day"),
          Closed: z.boolean().describe("The customer has closed the notice"),
          CaseOpen: z.boolean().describe("The customer has said that something is missing, and it is looked at"),
          Total: z.int().describe("How many entries the old history has"),
          Entries: z.array(z.object({ Date: z.iso.datetime(), Label: z.string(), Points: z.int() })),
        })
        .nullable()
        .describe("Null: the customer has not come from another club"),
    }),
    refusals: [],
  }),
  [closeMoved]: endpoint({
    summary: "The notice of the move is not shown again.",
    access: "customer",
    input: z.object(language),
    response: z.object({}),
    refusals: [],
  }),
  [reportMissing]: endpoint({
    summary: "Something is missing since the move: a person of the back office looks at it.",
    access: "customer",
    input: z.object({ ...language, Text: fieldTypes.text(maxMissingText) }),
    response: z.object({}),
    refusals: ["not_found"],
  }),
};

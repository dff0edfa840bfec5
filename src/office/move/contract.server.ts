import { z } from "zod";
import { reasons } from "#move/package/reasons.ts";
import { language, moment, nothing } from "#office/fields.server.ts";
import { endpoint, fieldTypes, money } from "#platform/api/endpoint.server.ts";
import * as calls from "./calls.ts";

const one = z.object({ IdCase: fieldTypes.id(), ...language });
const who = { access: "staff", roles: ["owner", "service"] } as const;

/** What customers miss since their club moved here. */
export const moveContract = {
  [calls.listMoveCases]: endpoint({
    summary: "Customers who miss something since their club moved here, the oldest first, a hundred at most.",
    ...who,
    input: z.object(language),
    response: z.object({
      Cases: z.array(
        z.object({
          IdCase: z.int(),
          At: moment,
          Text: z.string(),
          IdCustomer: z.int(),
          Firstname: z.string(),
          Lastname: z.string(),
        }),
      ),
    }),
    refusals: [],
  }),
  [calls.readMoveCase]: endpoint({
    summary: "What the former club's package said of the customer, beside what is here, and what of it was rejected.",
    ...who,
    input: one,
    response: z.object({
      Records: z.array(z.object({ Source: z.string(), SourceId: z.string(), TakenAt: moment, Linked: z.boolean() })),
      Lots: z.array(
        z.object({
          LotId: z.string(),
          Points: z.int().describe("What the package said"),
          ExpiresAt: moment.nullable(),
          Remaining: z.int().describe("What of it can be spent here"),
          Pending: z.boolean().describe("To arrive later"),
        }),
      ),
      Vouchers: z.array(
        z.object({
          Code: z.string(),
          Amount: money,
          ExpiresAt: moment,
          Open: z.boolean().describe("Can be used here"),
        }),
      ),
      Cards: z.array(z.string()),
      Tier: z.object({ Name: z.string(), Until: z.iso.date() }).nullable().describe("The status that is kept"),
      History: z.int().describe("How many entries of the old history are here"),
      Rejected: z
        .array(
          z.object({
            File: z.string(),
            Line: z.int(),
            Column: z.string().nullable(),
            Value: z.string().nullable(),
            Reason: z.enum(reasons),
          }),
        )
        .describe("Of the last commit, for as long as rejected values are kept"),
      KeptDays: z.int().describe("How long that is"),
    }),
    refusals: ["not_found"],
  }),
  [calls.closeMoveCase]: endpoint({
    summary: "A case is done with. What is to be given is given on the customer's page.",
    ...who,
    input: one,
    response: nothing,
    refusals: ["not_found", "already_decided"],
    idempotent: true,
  }),
};

type MoveContract = typeof moveContract;
declare module "#platform/api/api.ts" {
  interface Api extends MoveContract {}
}

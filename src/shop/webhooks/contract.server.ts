import { z } from "zod";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";
import { readEvents } from "#shop/calls.ts";

export const webhooksContract = {
  [readEvents]: endpoint({
    summary: "Events of the last 30 days, up to 100: those of the key's shop, all for a web shop. Beside the webhooks.",
    access: "key",
    scopes: ["events"],
    input: z.object({ After: fieldTypes.id().optional().describe("NextAfter of the call before; absent, the oldest") }),
    response: z.object({
      Events: z.array(
        z.object({
          IdEvent: z.int().describe("Its order is not promised; a webhook's id is evt_ and this number"),
          Type: z.string().describe("As of a webhook: purchase.posted"),
          At: z.iso.datetime().describe("When it happened"),
          Sequence: z.int().nullable().describe("Counts the events of the customer"),
          Data: z
            .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
            .describe("Ids and numbers; nothing personal"),
        }),
      ),
      NextAfter: z.int().nullable().describe("For the next call"),
    }),
    refusals: [],
  }),
};

import { z } from "zod";
import { language, moment } from "#office/fields.server.ts";
import { endpoint, staffRoles } from "#platform/api/endpoint.server.ts";
import * as calls from "./calls.ts";
import { inboxKinds } from "./kinds.ts";

/** Everything that waits, in one list. */
export const inboxContract = {
  [calls.readInbox]: endpoint({
    summary:
      "What waits for the caller's decision, by kind, with how many and since when; and what the caller asked for. The role shop: receipts of its own shop.",
    access: "staff",
    roles: staffRoles,
    input: z.object(language),
    response: z.object({
      Groups: z.array(
        z.object({ Kind: z.enum(inboxKinds), Count: z.int(), OldestAt: moment.nullable().describe("Of the oldest") }),
      ),
      Mine: z.int().describe("Requests of the caller that wait for a second person"),
    }),
    refusals: [],
  }),
};

type InboxContract = typeof inboxContract;
declare module "#platform/api/api.ts" {
  interface Api extends InboxContract {}
}

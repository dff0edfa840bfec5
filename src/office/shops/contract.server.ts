import { z } from "zod";
import { fields } from "#identity/fields/fields.server.ts";
import { integerId, language, nothing } from "#office/wire.server.ts";
import { endpoint, wire } from "#platform/api/endpoint.server.ts";
import * as calls from "./calls.ts";

/** Shops and what stands in them. */
export const shopsContract = {
  [calls.pairTill]: endpoint({
    summary:
      "A code that makes one browser a till of the shop, once, within ten minutes. The role shop: of its own shop.",
    access: "staff",
    roles: ["owner", "shop"],
    fresh: true,
    input: z.object({ IdShop: integerId(), TillName: fields.line(40).optional(), ...language }),
    response: z.object({ Code: z.string() }),
    refusals: ["not_found"],
  }),
  [calls.revokeTill]: endpoint({
    summary: "A device is no till any more, from its next call on. The role shop: of its own shop.",
    access: "staff",
    roles: ["owner", "shop"],
    input: z.object({ Till: wire.text(8).describe("The prefix of the till's key"), ...language }),
    response: nothing,
    refusals: ["not_found"],
  }),
};

type ShopsContract = typeof shopsContract;
declare module "#platform/api/api.ts" {
  interface Api extends ShopsContract {}
}

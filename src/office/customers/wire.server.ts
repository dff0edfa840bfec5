import { z } from "zod";
import { money } from "#platform/api/endpoint.server.ts";
import { reasons } from "./choices.ts";

/** What the contracts about customers share. */
export const customerRoles = ["owner", "service"] as const;
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: ({ input }) => (input === undefined ? "required" : "invalid") });
export const moment = () => z.iso.datetime();

/** What waits for a second person. */
export const waitingRequest = {
  IdRequest: z.int(),
  Kind: z.enum(["points", "voucher", "erase", "merge"]),
  Points: z.int(),
  Value: money,
  Other: z
    .object({ IdCustomer: z.int(), Firstname: z.string(), Lastname: z.string(), Email: z.string() })
    .nullable()
    .describe("Of a merge, the other account; null once it is gone"),
  Reason: z.enum(reasons),
  AskedBy: z.string(),
  Mine: z.boolean().describe("Whoever asked cannot decide"),
  AskedAt: moment(),
};

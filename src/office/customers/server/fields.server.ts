import { z } from "zod";
import { reasons, requestKinds } from "#office/customers/choices.ts";
import { money } from "#platform/api/endpoint.server.ts";

/** What the contracts about customers share. */
export const customerRoles = ["owner", "service"] as const;
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: ({ input }) => (input === undefined ? "required" : "invalid") });
export const moment = () => z.iso.datetime();

const asked = {
  IdRequest: z.int(),
  Kind: z.enum(requestKinds),
  Points: z.int(),
  Value: money,
  Reason: z.enum(reasons),
  AskedBy: z.string(),
  AskedAt: moment(),
};
const named = z.object({ IdCustomer: z.int(), Firstname: z.string(), Lastname: z.string() });
const otherAccount = "Of a merge, the other account; null once it is gone";

/** What waits for a second person. */
export const waitingRequest = {
  ...asked,
  Other: named.extend({ Email: z.string() }).nullable().describe(otherAccount),
  Mine: z.boolean().describe("The person who asked cannot decide"),
};

/** What a second person has decided, or its author withdrawn. */
export const decidedRequest = {
  ...asked,
  Customer: named.nullable().describe("Null once the account is erased"),
  Other: named.nullable().describe(otherAccount),
  CustomerText: z.string().nullable(),
  Note: z.string().nullable(),
  Mine: z.boolean().describe("The caller asked for it"),
  State: z.enum(["approved", "declined", "withdrawn"]),
  DecidedBy: z.string(),
  DecidedAt: moment(),
};

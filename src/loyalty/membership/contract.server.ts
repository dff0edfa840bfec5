import { z } from "zod";
import { subscribe, unsubscribe } from "#loyalty/calls.ts";
import { loyaltyCustomer } from "#loyalty/ledger/contract.server.ts";
import { clubForm } from "#loyalty/programme/club-fields.server.ts";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";

export const membershipContract = {
  [subscribe]: endpoint({
    summary: "Joins the club; a member who joins again changes nothing.",
    access: "customer",
    input: z.object({
      ...clubForm,
      CustomerBirthday: fieldTypes.date().optional().describe("Needed when the customer's birthday is not known"),
      ReferralCode: fieldTypes.text(64).optional().describe("Of the link of a member who recommends the club"),
      LoyaltyCustomerState: fieldTypes
        .flag()
        .refine((state) => state, "invalid")
        .default(true),
    }),
    response: loyaltyCustomer,
    refusals: ["forbidden", "not_found", "key_reused"],
    idempotent: true,
  }),
  [unsubscribe]: endpoint({
    summary: "Leaves the club; points and card wait for a return.",
    access: "customer",
    input: z.object(clubForm),
    response: loyaltyCustomer,
    refusals: ["not_found", "key_reused"],
    idempotent: true,
  }),
};

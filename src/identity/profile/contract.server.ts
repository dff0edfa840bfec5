import { z } from "zod";
import { answerPreviousDetails, editCustomer, readCustomer, readPreviousDetails } from "#identity/calls.ts";
import { civilities } from "#identity/customer/customer-fields.ts";
import { customer, offeredDetails } from "#identity/customer/responses.server.ts";
import { fields } from "#identity/fields/fields.server.ts";
import { endpoint, fieldTypes, localeFields } from "#platform/api/endpoint.server.ts";

export const profileContract = {
  [readCustomer]: endpoint({
    summary: "Who is signed in.",
    access: "customer",
    input: z.object(localeFields),
    response: customer,
    refusals: [],
  }),
  [editCustomer]: endpoint({
    summary: "Change the profile. A field that is absent stays as it is.",
    access: "customer",
    input: z.object({
      Firstname: fields.name(),
      Lastname: fields.name(),
      Birthday: fields.birthday().optional(),
      Civility: z
        .enum([...civilities, "none"], { error: "invalid" })
        .optional()
        .describe("none removes it"),
      MobilePhone: fields.phone().optional().describe("none removes it"),
      NewsletterSubscribe: fieldTypes.flag().optional(),
      NewsletterSmsSubscribe: fieldTypes.flag().optional(),
      ...localeFields,
    }),
    response: customer,
    refusals: [],
  }),
  [readPreviousDetails]: endpoint({
    summary:
      "What was entered on this account before its address was confirmed, until the customer has said whether it is theirs.",
    access: "customer",
    input: z.object(localeFields),
    response: offeredDetails,
    refusals: [],
  }),
  [answerPreviousDetails]: endpoint({
    summary: "Keep these details or discard them, once. An opt-in counts only when it is given here.",
    access: "customer",
    input: z.object({
      Keep: fieldTypes.flag(),
      NewsletterSubscribe: fieldTypes.flag().default(false),
      NewsletterSmsSubscribe: fieldTypes.flag().default(false),
      ...localeFields,
    }),
    response: customer,
    refusals: ["not_found"],
  }),
};

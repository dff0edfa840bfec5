import { z } from "zod";
import { editCustomer, readCustomer } from "#identity/calls.ts";
import { civilities } from "#identity/customer/customer-fields.ts";
import { customer } from "#identity/customer/responses.server.ts";
import { fields } from "#identity/fields/fields.server.ts";
import { endpoint, localeFields, wire } from "#platform/api/endpoint.server.ts";

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
      NewsletterSubscribe: wire.flag().optional(),
      NewsletterSmsSubscribe: wire.flag().optional(),
      ...localeFields,
    }),
    response: customer,
    refusals: [],
  }),
};

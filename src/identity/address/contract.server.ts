import { z } from "zod";
import { resendVerification, validateVerification, verifyEmail } from "#identity/calls.ts";
import { customer, nothing } from "#identity/customer/responses.server.ts";
import { fields, passwordMismatch } from "#identity/fields/fields.server.ts";
import { endpoint, localeFields, wire } from "#platform/api/endpoint.server.ts";

export const addressContract = {
  [validateVerification]: endpoint({
    summary: "Read a confirmation link without using it up.",
    access: "anyone",
    input: z.object({ Token: fields.token(), ...localeFields }),
    response: z.object({
      Email: z.string().describe("Masked"),
      ShopRegistration: z
        .object({ Name: z.string(), ShopName: z.string(), RegisteredAt: z.iso.datetime() })
        .nullable()
        .describe("Of a customer whom a shop registered: the link's page asks whether the card is theirs"),
    }),
    refusals: ["link_expired", "cross_site"],
  }),
  [verifyEmail]: endpoint({
    summary:
      "Confirm an address with the token of the mailed link. A browser that is not signed in as that customer sets a password with it.",
    access: "anyone",
    input: z
      .object({
        Token: fields.token(),
        Password: fields.newPassword().optional().describe("Needed unless signed in as that customer"),
        ConfirmPassword: fields.password().optional(),
        KeepCard: wire
          .flag()
          .default(false)
          .describe("Of a customer whom a shop registered: true keeps card and name, else the account starts clean"),
        NewsletterSubscribe: wire.flag().default(false).describe("With a password, the opt-in to the newsletter"),
        ...localeFields,
      })
      .refine((form) => form.Password === form.ConfirmPassword, passwordMismatch),
    response: customer,
    refusals: ["link_expired", "password_needed", "cross_site"],
  }),
  [resendVerification]: endpoint({
    summary: "Mail the confirmation again; a guest is mailed a link to set a password.",
    access: "customer",
    input: z.object(localeFields),
    response: nothing,
    refusals: ["cross_site"],
  }),
};

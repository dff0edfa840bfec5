import { z } from "zod";
import { resendVerification, verifyEmail } from "#identity/calls.ts";
import { customer, nothing } from "#identity/customer/responses.server.ts";
import { fields, passwordMismatch } from "#identity/fields/fields.server.ts";
import { endpoint, localeFields } from "#platform/api/endpoint.server.ts";

export const addressContract = {
  [verifyEmail]: endpoint({
    summary:
      "Confirm an address with the token of the mailed link. A browser that is not signed in as that customer sets a password with it.",
    access: "anyone",
    input: z
      .object({
        Token: fields.token(),
        Password: fields.newPassword().optional().describe("Needed unless signed in as that customer"),
        ConfirmPassword: fields.password().optional(),
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

import { z } from "zod";
import {
  cancelEmailChange,
  changeEmail,
  readPendingEmail,
  resendVerification,
  stopEmailChange,
  validateVerification,
  verifyEmail,
} from "#identity/calls.ts";
import { customer, nothing, pendingEmail } from "#identity/customer/responses.server.ts";
import { fields, passwordMismatch } from "#identity/fields/fields.server.ts";
import { endpoint, fieldTypes, localeFields } from "#platform/api/endpoint.server.ts";

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
    refusals: ["link_expired"],
  }),
  [verifyEmail]: endpoint({
    summary:
      "Confirm an address with the token of the mailed link. A browser that is not signed in as that customer sets a password with it; a changed address is confirmed by the signed-in customer alone.",
    access: "anyone",
    input: z
      .object({
        Token: fields.token(),
        Password: fields.newPassword().optional().describe("Needed unless signed in as that customer"),
        ConfirmPassword: fields.password().optional(),
        KeepCard: fieldTypes
          .flag()
          .default(false)
          .describe("Of a customer whom a shop registered: true keeps card and name, else the account starts clean"),
        NewsletterSubscribe: fieldTypes.flag().default(false).describe("With a password, the opt-in to the newsletter"),
        ...localeFields,
      })
      .refine((form) => form.Password === form.ConfirmPassword, passwordMismatch),
    response: customer,
    refusals: ["link_expired", "password_needed", "not_signed_in", "email_taken"],
  }),
  [changeEmail]: endpoint({
    summary:
      "Change the address: a link goes to the new one (24 hours, once), a notice with a way to stop it (7 days) to the current one. The address changes when the link is used.",
    access: "customer",
    input: z.object({
      Email: fields.email(),
      Password: fields.password().optional().describe("Unless they signed in within the last five minutes"),
      ...localeFields,
    }),
    response: nothing,
    refusals: ["proof_needed", "email_taken", "forbidden"],
  }),
  [readPendingEmail]: endpoint({
    summary: "The address that waits for its confirmation, if there is one.",
    access: "customer",
    input: z.object(localeFields),
    response: pendingEmail,
    refusals: [],
  }),
  [cancelEmailChange]: endpoint({
    summary: "Cancel a change of address that nobody has confirmed yet.",
    access: "customer",
    input: z.object(localeFields),
    response: nothing,
    refusals: [],
  }),
  [stopEmailChange]: endpoint({
    summary:
      "Stop or undo a change of address, with the link in the notice. Sessions, links and the password end, and a letter has the link to a new password.",
    access: "anyone",
    input: z.object({ Token: fields.token(), ...localeFields }),
    response: nothing,
    refusals: ["link_expired"],
  }),
  [resendVerification]: endpoint({
    summary: "Mail the confirmation again; a guest is mailed a link to set a password.",
    access: "customer",
    input: z.object(localeFields),
    response: nothing,
    refusals: [],
  }),
};

import { z } from "zod";
import { changePassword, forgetPassword, resetPassword, validateReset } from "#identity/calls.ts";
import { nothing, resetLink } from "#identity/customer/responses.server.ts";
import { fields, newPassword, passwordMismatch } from "#identity/fields/fields.server.ts";
import { endpoint, fieldTypes, localeFields } from "#platform/api/endpoint.server.ts";

export const passwordContract = {
  [forgetPassword]: endpoint({
    summary: "Mail a link to set a new password. The answer is the same for an unknown address.",
    access: "anyone",
    input: z.object({ Email: fields.email(), ...localeFields }),
    response: nothing,
    refusals: [],
  }),
  [validateReset]: endpoint({
    summary: "Is this link still good, and whose is it?",
    access: "anyone",
    input: z.object({
      Token: fields.token(),
      WithDetails: fieldTypes.flag().default(false).describe("Also tells AsksForDetails"),
      ...localeFields,
    }),
    response: resetLink,
    refusals: ["link_expired"],
  }),
  [resetPassword]: endpoint({
    summary: "Set a new password with a mailed link; every session, every other link and every wallet pass ends.",
    access: "anyone",
    input: newPassword
      .extend({
        Token: fields.token(),
        UnlinkSocial: fieldTypes.flag().optional().describe("Also removes the social logins"),
        RemovePasskeys: fieldTypes.flag().optional().describe("Also removes the passkeys"),
        ...localeFields,
      })
      .refine((form) => form.Password === form.ConfirmPassword, passwordMismatch),
    response: nothing,
    refusals: ["link_expired", "email_taken"],
  }),
  [changePassword]: endpoint({
    summary: "Change the password, or set the first one; the other sessions end.",
    access: "customer",
    input: newPassword
      .extend({ CurrentPassword: fields.password().optional(), ...localeFields })
      .refine((form) => form.Password === form.ConfirmPassword, passwordMismatch),
    response: nothing,
    refusals: ["forbidden"],
  }),
};

import { z } from "zod";
import { autologin, sendCode, signInWithCode, signInWithEmail } from "#identity/calls.ts";
import { authData, nothing } from "#identity/customer/responses.server.ts";
import { fields } from "#identity/fields/fields.server.ts";
import { endpoint, fieldTypes, localeFields } from "#platform/api/endpoint.server.ts";

export const signInContract = {
  [signInWithEmail]: endpoint({
    summary: "Sign in with an address and its password.",
    access: "anyone",
    input: z.object({ Email: fields.email(), Password: fields.password(), ...localeFields }),
    response: authData,
    refusals: ["wrong_login", "customer_blocked"],
  }),
  [sendCode]: endpoint({
    summary:
      "Mail a code to sign in with: six digits, good once, for ten minutes and five tries, in the browser that asked (cookie auth.code). The answer is the same for an unknown address.",
    access: "anyone",
    input: z.object({ Email: fields.email(), ...localeFields }),
    response: nothing,
    refusals: [],
  }),
  [signInWithCode]: endpoint({
    summary: "Sign in with the mailed code.",
    access: "anyone",
    input: z.object({ Email: fields.email(), Code: fields.code(), ...localeFields }),
    response: authData,
    refusals: ["code_invalid", "customer_blocked"],
  }),
  [autologin]: endpoint({
    summary: "Sign in with a link's token, or with a session's token handed over by the shop.",
    access: "anyone",
    // Whatever is wrong with the two, the refusal is the same, so even their format is checked by the rule.
    input: z.object({
      Email: fieldTypes.text(2_000),
      Token: fieldTypes.text(2_000),
      LinkOnly: fieldTypes
        .flag()
        .default(false)
        .describe("True: a session's token is refused with confirmation_needed, because nobody confirmed whose it is"),
      ...localeFields,
    }),
    response: authData,
    refusals: ["link_expired", "confirmation_needed", "customer_blocked"],
  }),
};

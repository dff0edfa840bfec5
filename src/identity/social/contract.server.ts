import { z } from "zod";
import {
  issueNonce,
  linkFacebook,
  linkGoogle,
  signInWithFacebook,
  signInWithGoogle,
  unlinkSocial,
} from "#identity/calls.ts";
import { authData, customer } from "#identity/customer/responses.server.ts";
import { fields } from "#identity/fields/fields.server.ts";
import { endpoint, fieldTypes, localeFields } from "#platform/api/endpoint.server.ts";

/** The specification's fields of a social sign-in. Accepted and ignored: the proof says who a person is. */
const ignoredFields = {
  Email: fieldTypes.text(320).optional().describe("Not believed: the proof says it"),
  Firstname: fieldTypes.text().optional().describe("Not believed: the proof says it"),
  Lastname: fieldTypes.text().optional().describe("Not believed: the proof says it"),
};
export const googleProof = () =>
  fieldTypes
    .text(8_192)
    .optional()
    .describe("Needed; the provider's signed token, with our nonce from customer/social/nonce");
export const facebookProof = () =>
  fieldTypes.text(4_096).optional().describe("Needed; the provider's token for our app");
const reauthenticationPassword = () =>
  fields.password().optional().describe("The customer's own, unless they signed in within the last five minutes");
export const socialRefusals = ["proof_missing", "proof_invalid", "not_configured"] as const;

export const socialContract = {
  [issueNonce]: endpoint({
    summary:
      "A nonce for one Google-type proof, in the answer and in the cookie auth.nonce; good once, for ten minutes.",
    access: "anyone",
    input: z.object(localeFields),
    response: z.object({ Nonce: z.string(), ExpiresAt: z.iso.datetime() }),
    refusals: [],
  }),
  [signInWithGoogle]: endpoint({
    summary: "Sign in, or register, with a Google-type account. Only what its proof says is believed.",
    access: "anyone",
    input: z.object({
      ...ignoredFields,
      GoogleCustomerId: fieldTypes.text().optional().describe("Needed; the proof's own sub"),
      IdToken: googleProof(),
      ...localeFields,
    }),
    response: authData,
    refusals: [...socialRefusals, "email_not_shared", "link_first", "customer_blocked"],
  }),
  [signInWithFacebook]: endpoint({
    summary: "Sign in, or register, with a Facebook-type account. Only what its proof says is believed.",
    access: "anyone",
    input: z.object({
      ...ignoredFields,
      FacebookCustomerId: fieldTypes.text().optional().describe("Needed; the proof's own user id"),
      AccessToken: facebookProof(),
      ...localeFields,
    }),
    response: authData,
    refusals: [...socialRefusals, "email_not_shared", "link_first", "customer_blocked"],
  }),
  [linkGoogle]: endpoint({
    summary: "Add a Google-type account as a way to sign in.",
    access: "customer",
    input: z.object({
      GoogleCustomerId: fieldTypes.text().optional(),
      IdToken: googleProof(),
      Password: reauthenticationPassword(),
      ...localeFields,
    }),
    response: customer,
    refusals: [...socialRefusals, "proof_needed", "forbidden", "already_linked"],
  }),
  [linkFacebook]: endpoint({
    summary: "Add a Facebook-type account as a way to sign in.",
    access: "customer",
    input: z.object({
      FacebookCustomerId: fieldTypes.text().optional(),
      AccessToken: facebookProof(),
      Password: reauthenticationPassword(),
      ...localeFields,
    }),
    response: customer,
    refusals: [...socialRefusals, "proof_needed", "forbidden", "already_linked"],
  }),
  [unlinkSocial]: endpoint({
    summary: "Remove a social login; the last way in stays.",
    access: "customer",
    input: z.object({ provider: z.string(), ...localeFields }),
    response: customer,
    refusals: ["not_found", "last_way_in"],
  }),
};

import { z } from "zod";
import { authData, customer, exported, nothing, resetLink, sessionList } from "#identity/customer/responses.server.ts";
import { kinds } from "#identity/fields/fields.server.ts";
import { alongside, language, registrationForms } from "#identity/registration/registration-form.server.ts";
import { endpoint, wire } from "#platform/api/endpoint.server.ts";
import * as calls from "./calls.ts";

const newPassword = z.object({ Password: kinds.newPassword(), ConfirmPassword: kinds.password() });
const sameTwice = {
  path: ["ConfirmPassword"],
  error: "password_mismatch",
  ...alongside,
};

/** The specification's fields of a social sign-in, taken and not believed: the proof says who somebody is. */
const unbelieved = {
  Email: wire.text(320).optional().describe("Not believed: the proof says it"),
  Firstname: wire.text().optional().describe("Not believed: the proof says it"),
  Lastname: wire.text().optional().describe("Not believed: the proof says it"),
};
const googleProof = () =>
  wire
    .text(8_192)
    .optional()
    .describe("Needed; the provider's signed token, with our nonce from customer/social/nonce");
const facebookProof = () => wire.text(4_096).optional().describe("Needed; the provider's token for our app");
const freshPassword = () =>
  kinds.password().optional().describe("The customer's own, unless they signed in within the last five minutes");
const socialRefusals = ["proof_missing", "proof_invalid", "not_configured", "cross_site"] as const;

export const identityContract = {
  [calls.signInWithEmail]: endpoint({
    summary: "Sign in with an address and its password.",
    access: "anyone",
    input: z.object({ Email: kinds.email(), Password: kinds.password(), ...language }),
    answer: authData,
    refusals: ["wrong_login", "cross_site"],
  }),
  [calls.issueNonce]: endpoint({
    summary:
      "A nonce for one Google-type proof, in the answer and in the cookie auth.nonce; good once, for ten minutes.",
    access: "anyone",
    input: z.object(language),
    answer: z.object({ Nonce: z.string(), ExpiresAt: z.iso.datetime() }),
    refusals: ["cross_site"],
  }),
  [calls.signInWithGoogle]: endpoint({
    summary: "Sign in, or register, with a Google-type account. Only what its proof says is believed.",
    access: "anyone",
    input: z.object({
      ...unbelieved,
      GoogleCustomerId: wire.text().optional().describe("Needed; the proof's own sub"),
      IdToken: googleProof(),
      ...language,
    }),
    answer: authData,
    refusals: [...socialRefusals, "email_not_shared", "link_first"],
  }),
  [calls.signInWithFacebook]: endpoint({
    summary: "Sign in, or register, with a Facebook-type account. Only what its proof says is believed.",
    access: "anyone",
    input: z.object({
      ...unbelieved,
      FacebookCustomerId: wire.text().optional().describe("Needed; the proof's own user id"),
      AccessToken: facebookProof(),
      ...language,
    }),
    answer: authData,
    refusals: [...socialRefusals, "email_not_shared", "link_first"],
  }),
  [calls.linkGoogle]: endpoint({
    summary: "Add a Google-type account as a way to sign in.",
    access: "customer",
    input: z.object({
      GoogleCustomerId: wire.text().optional(),
      IdToken: googleProof(),
      Password: freshPassword(),
      ...language,
    }),
    answer: customer,
    refusals: [...socialRefusals, "proof_needed", "forbidden", "already_linked"],
  }),
  [calls.linkFacebook]: endpoint({
    summary: "Add a Facebook-type account as a way to sign in.",
    access: "customer",
    input: z.object({
      FacebookCustomerId: wire.text().optional(),
      AccessToken: facebookProof(),
      Password: freshPassword(),
      ...language,
    }),
    answer: customer,
    refusals: [...socialRefusals, "proof_needed", "forbidden", "already_linked"],
  }),
  [calls.autologin]: endpoint({
    summary: "Sign in with a link's token, or with a session's token handed over by the shop.",
    access: "anyone",
    // Whatever is wrong with the two, the answer is one: even a shape that cannot be right is judged by the rule.
    input: z.object({ Email: wire.text(2_000), Token: wire.text(2_000), ...language }),
    answer: authData,
    refusals: ["link_expired", "cross_site"],
  }),
  [calls.register]: endpoint({
    summary: "Register, or with Guest=true leave what a guest's order needs.",
    access: "anyone",
    input: registrationForms,
    answer: authData,
    refusals: ["email_taken", "cross_site"],
  }),
  [calls.askEmailAvailable]: endpoint({
    summary: "May this address still register?",
    access: "anyone",
    input: z.object({ Email: kinds.email(), ...language }),
    answer: z.object({ Available: z.boolean() }),
    refusals: ["cross_site"],
  }),
  [calls.verifyEmail]: endpoint({
    summary:
      "Confirm an address with the token of the mailed link. A browser that is not signed in as that customer sets a password with it.",
    access: "anyone",
    input: z
      .object({
        Token: kinds.token(),
        Password: kinds.newPassword().optional().describe("Needed unless signed in as that customer"),
        ConfirmPassword: kinds.password().optional(),
        ...language,
      })
      .refine((form) => form.Password === form.ConfirmPassword, sameTwice),
    answer: customer,
    refusals: ["link_expired", "password_needed", "cross_site"],
  }),
  [calls.resendVerification]: endpoint({
    summary: "Mail the confirmation again; a guest is mailed a link to set a password.",
    access: "customer",
    input: z.object(language),
    answer: nothing,
    refusals: ["cross_site"],
  }),
  [calls.readCustomer]: endpoint({
    summary: "Who is signed in.",
    access: "customer",
    input: z.object(language),
    answer: customer,
    refusals: [],
  }),
  [calls.editCustomer]: endpoint({
    summary: "Change the profile. A field that is absent stays as it is.",
    access: "customer",
    input: z.object({
      Firstname: kinds.name(),
      Lastname: kinds.name(),
      Birthday: kinds.birthday().optional(),
      Civility: z.enum(["M", "Mme", "none"], { error: "invalid" }).optional().describe("none removes it"),
      MobilePhone: kinds.phone().optional().describe("none removes it"),
      NewsletterSubscribe: wire.flag().optional(),
      NewsletterSmsSubscribe: wire.flag().optional(),
      ...language,
    }),
    answer: customer,
    refusals: ["cross_site"],
  }),
  [calls.eraseCustomer]: endpoint({
    summary: "Erase the account and everything personal for good.",
    access: "customer",
    input: z.object({
      Password: kinds.password().optional().describe("Or one of the two proofs"),
      IdToken: googleProof().describe("A fresh proof of the linked Google-type account"),
      AccessToken: facebookProof().describe("A fresh proof of the linked Facebook-type account"),
      ...language,
    }),
    answer: nothing,
    refusals: socialRefusals,
  }),
  [calls.exportCustomer]: endpoint({
    summary: "Everything held about the customer.",
    access: "customer",
    input: z.object(language),
    answer: exported,
    refusals: [],
  }),
  [calls.forgetPassword]: endpoint({
    summary: "Mail a link to set a new password. The answer is the same for an unknown address.",
    access: "anyone",
    input: z.object({ Email: kinds.email(), ...language }),
    answer: nothing,
    refusals: ["cross_site"],
  }),
  [calls.validateReset]: endpoint({
    summary: "Is this link still good, and whose is it?",
    access: "anyone",
    input: z.object({ Token: kinds.token(), ...language }),
    answer: resetLink,
    refusals: ["link_expired", "cross_site"],
  }),
  [calls.resetPassword]: endpoint({
    summary: "Set a new password with a mailed link; every session and every other link ends.",
    access: "anyone",
    input: newPassword
      .extend({
        Token: kinds.token(),
        UnlinkSocial: wire.flag().optional().describe("Also removes the social logins"),
        ...language,
      })
      .refine((form) => form.Password === form.ConfirmPassword, sameTwice),
    answer: nothing,
    refusals: ["link_expired", "email_taken", "cross_site"],
  }),
  [calls.changePassword]: endpoint({
    summary: "Change the password, or set the first one; the other sessions end.",
    access: "customer",
    input: newPassword
      .extend({ CurrentPassword: kinds.password().optional(), ...language })
      .refine((form) => form.Password === form.ConfirmPassword, sameTwice),
    answer: nothing,
    refusals: ["forbidden", "cross_site"],
  }),
  [calls.listSessions]: endpoint({
    summary: "The devices signed in.",
    access: "customer",
    input: z.object(language),
    answer: sessionList,
    refusals: [],
  }),
  [calls.endSession]: endpoint({
    summary: "Sign one device out.",
    access: "customer",
    input: z.object({ id: wire.id(), ...language }),
    answer: nothing,
    refusals: ["not_found", "cross_site"],
  }),
  [calls.endOtherSessions]: endpoint({
    summary: "Sign every other device out.",
    access: "customer",
    input: z.object(language),
    answer: nothing,
    refusals: ["cross_site"],
  }),
  [calls.unlinkSocial]: endpoint({
    summary: "Remove a social login; the last way in stays.",
    access: "customer",
    input: z.object({ provider: z.string(), ...language }),
    answer: customer,
    refusals: ["not_found", "last_way_in", "cross_site"],
  }),
};

type IdentityContract = typeof identityContract;
declare module "#platform/api/api.ts" {
  interface Api extends IdentityContract {}
}

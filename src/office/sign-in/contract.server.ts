import { z } from "zod";
import { fields } from "#identity/fields/fields.server.ts";
import { language, nothing } from "#office/fields.server.ts";
import { endpoint, fieldTypes, staffRoles } from "#platform/api/endpoint.server.ts";
import * as calls from "./calls.ts";

const signedIn = z.object({
  IdStaff: z.int(),
  Email: z.string(),
  Firstname: z.string(),
  Lastname: z.string(),
  Role: z.enum(staffRoles),
  IdShop: z.int().nullable().describe("Of the role shop"),
  ProofEndsAt: z.iso.datetime().describe("Until then a call that needs a fresh proof asks for none"),
  Waiting: z
    .object({
      Requests: z.int(),
      Campaigns: z.int(),
      Drafts: z.int().describe("Of the programme"),
      Cases: z.int().describe("Receipts of shops"),
      Moved: z.int().describe("Customers who miss something since their club moved here"),
    })
    .describe("How many wait for their decision, not what they asked for themselves; 100 means so many or more"),
});

export const staffPasswordMin = 12;

/** Longer than a customer's; no longer than what is worth hashing. Characters are code points after NFC. */
const newPassword = () =>
  z
    .string({ error: "required" })
    .refine((text) => [...text.normalize("NFC")].length >= staffPasswordMin, "staff_password_length")
    .refine((text) => text.length <= 256, "too_long");

const passkeyChallenge = z.looseObject({ challenge: z.string() });
const browserResponse = () =>
  fieldTypes
    .text(16_384)
    .describe("What the browser's authenticator returned, as JSON (toJSON of a PublicKeyCredential)");

export const signInContract = {
  [calls.validateInvitation]: endpoint({
    summary: "Whom an invitation is for.",
    access: "anyone",
    input: z.object({ Token: fields.token(), ...language }),
    response: signedIn.pick({ Email: true, Firstname: true, Lastname: true, Role: true }),
    refusals: ["link_expired"],
  }),
  [calls.acceptInvitation]: endpoint({
    summary: "Chooses a password, and returns the secret for an authenticator app; a first code must confirm both.",
    access: "anyone",
    input: z.object({
      Token: fields.token(),
      Password: newPassword().describe(`${staffPasswordMin} characters or more`),
      Firstname: fields.name().optional(),
      Lastname: fields.name().optional(),
      ...language,
    }),
    response: z.object({ OtpauthUri: z.string(), QrSvg: z.string().describe("The QR code of OtpauthUri") }),
    refusals: ["link_expired"],
  }),
  [calls.confirmInvitation]: endpoint({
    summary: "Confirms password and secret with a first code, and signs in. The invitation is used up.",
    access: "anyone",
    input: z.object({ Token: fields.token(), Code: fields.code(), ...language }),
    response: signedIn,
    refusals: ["link_expired", "company_account_required"],
  }),
  [calls.signIn]: endpoint({
    summary: "Signs in to the back office with password and code. A code works once.",
    access: "anyone",
    input: z.object({ Email: fields.email(), Password: fields.password(), Code: fields.code(), ...language }),
    response: signedIn,
    refusals: ["wrong_office_login", "company_account_required"],
  }),
  [calls.passkeyOptions]: endpoint({
    summary:
      "Options to sign in with a passkey or to prove oneself, the same for everybody; good once, for ten minutes.",
    access: "anyone",
    input: z.object(language),
    response: passkeyChallenge,
    refusals: [],
  }),
  [calls.signInWithPasskey]: endpoint({
    summary: "Signs in to the back office with a passkey.",
    access: "anyone",
    input: z.object({ Response: browserResponse(), ...language }),
    response: signedIn,
    refusals: ["passkey_invalid", "company_account_required"],
  }),
  [calls.newPasskeyOptions]: endpoint({
    summary: "Options to make a passkey; good once, for ten minutes, in this session.",
    access: "staff",
    roles: staffRoles,
    fresh: true,
    input: z.object(language),
    response: passkeyChallenge,
    refusals: [],
  }),
  [calls.addPasskey]: endpoint({
    summary: "Adds a passkey of the person who is signed in.",
    access: "staff",
    roles: staffRoles,
    fresh: true,
    input: z.object({ Response: browserResponse(), Name: fields.line(60).optional(), ...language }),
    response: nothing,
    refusals: ["passkey_invalid", "passkey_known", "passkey_limit"],
  }),
  [calls.listPasskeys]: endpoint({
    summary: "The passkeys of the person who is signed in.",
    access: "staff",
    roles: staffRoles,
    input: z.object(language),
    response: z.object({
      CompanyLinked: z.boolean().describe("Whether an account of the company is linked"),
      Passkeys: z.array(
        z.object({
          IdPasskey: z.string(),
          Name: z.string(),
          CreatedAt: z.iso.datetime(),
          UsedAt: z.iso.datetime().nullable(),
        }),
      ),
    }),
    refusals: [],
  }),
  [calls.removePasskey]: endpoint({
    summary: "Removes a passkey of the person who is signed in.",
    access: "staff",
    roles: staffRoles,
    fresh: true,
    input: z.object({ IdPasskey: fieldTypes.text(1_400), ...language }),
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.prove]: endpoint({
    summary: "A fresh proof, good for five minutes: password and code, or a passkey.",
    access: "staff",
    roles: staffRoles,
    input: z.object({
      Password: fields.password().optional(),
      Code: fields.code().optional(),
      Response: browserResponse().optional(),
      ...language,
    }),
    response: z.object({ ProofEndsAt: z.iso.datetime() }),
    refusals: ["wrong_office_login", "passkey_invalid"],
  }),
  [calls.readSession]: endpoint({
    summary: "Who is signed in to the back office, and what waits for their decision.",
    access: "staff",
    roles: staffRoles,
    input: z.object(language),
    response: signedIn,
    refusals: [],
  }),
  [calls.companyLink]: endpoint({
    summary:
      "The address at the provider of the company where the person who is signed in proves who they are; their account there is then linked.",
    access: "staff",
    roles: staffRoles,
    fresh: true,
    input: z.object(language),
    response: z.object({ Url: z.string() }),
    refusals: ["not_found"],
  }),
  [calls.signOut]: endpoint({
    summary: "Ends the session of the back office.",
    access: "staff",
    roles: staffRoles,
    input: z.object(language),
    response: nothing,
    refusals: [],
  }),
};

type SignInContract = typeof signInContract;
declare module "#platform/api/api.ts" {
  interface Api extends SignInContract {}
}

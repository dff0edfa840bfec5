import { z } from "zod";
import { fields } from "#identity/fields/fields.server.ts";
import { endpoint, staffRoles, wire } from "#platform/api/endpoint.server.ts";
import * as calls from "./calls.ts";

const nothing = z.object({});
const language = { LanguageIsoCode: wire.language() };

const signedIn = z.object({
  IdStaff: z.int(),
  Email: z.string(),
  Firstname: z.string(),
  Lastname: z.string(),
  Role: z.enum(staffRoles),
  IdShop: z.int().nullable().describe("Of the role shop"),
  ProofEndsAt: z.iso.datetime().describe("Until then a call that needs a fresh proof asks for none"),
});

/** Longer than a customer's; no longer than what is worth hashing. Characters are code points after NFC. */
const newPassword = () =>
  z
    .string({ error: "required" })
    .refine((text) => [...text.normalize("NFC")].length >= 12, "staff_password_length")
    .refine((text) => text.length <= 256, "too_long");

export const officeContract = {
  [calls.validateInvitation]: endpoint({
    summary: "Whom an invitation is for.",
    access: "anyone",
    input: z.object({ Token: fields.token(), ...language }),
    response: signedIn.pick({ Email: true, Firstname: true, Lastname: true, Role: true }),
    refusals: ["link_expired", "cross_site"],
  }),
  [calls.acceptInvitation]: endpoint({
    summary: "Chooses a password, and returns the secret for an authenticator app; a first code must confirm both.",
    access: "anyone",
    input: z.object({
      Token: fields.token(),
      Password: newPassword().describe("12 characters or more"),
      Firstname: fields.name().optional(),
      Lastname: fields.name().optional(),
      ...language,
    }),
    response: z.object({ OtpauthUri: z.string(), QrSvg: z.string().describe("The QR code of OtpauthUri") }),
    refusals: ["link_expired", "cross_site"],
  }),
  [calls.confirmInvitation]: endpoint({
    summary: "Confirms password and secret with a first code, and signs in. The invitation is used up.",
    access: "anyone",
    input: z.object({ Token: fields.token(), Code: fields.code(), ...language }),
    response: signedIn,
    refusals: ["link_expired", "cross_site"],
  }),
  [calls.readSession]: endpoint({
    summary: "Who is signed in to the back office.",
    access: "staff",
    roles: staffRoles,
    input: z.object(language),
    response: signedIn,
    refusals: [],
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

type OfficeContract = typeof officeContract;
declare module "#platform/api/api.ts" {
  interface Api extends OfficeContract {}
}

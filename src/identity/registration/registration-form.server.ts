import { z } from "zod";
import { alongside, kinds } from "#identity/fields/fields.server.ts";
import { localeFields, wire } from "#platform/api/endpoint.server.ts";

const registration = z.object({
  Email: kinds.email(),
  Firstname: kinds.name(),
  Lastname: kinds.name(),
  Guest: wire.flag().default(false).describe("A guest has no password: with one, this is a registration"),
  Password: kinds.newPassword().optional().describe("Needed unless Guest"),
  Birthday: kinds.birthday().optional().describe("Needed unless Guest"),
  Civility: kinds.civility().optional(),
  MobilePhone: kinds.phone().optional(),
  NewletterActive: wire.flag().default(false),
  NewsletterSmsSubscribe: wire.flag().default(false),
  LoyaltySubscribe: wire.flag().default(false),
  Origin: z
    .enum(["web", "store"], { error: "invalid" })
    .default("web")
    .describe("Where the form was opened: web or store"),
  Address1: kinds
    .line(200)
    .refine((text) => [...text].length > 3, "too_short")
    .optional()
    .describe("Needed for a guest, like Postcode and City"),
  Address2: kinds.line(200).optional(),
  Postcode: kinds.line(20).optional(),
  City: kinds.line().optional(),
  CountryIsoCode: kinds.country().default("FR"),
  IsInvoice: wire.flag().default(true),
  IsDelivery: wire.flag().default(true),
  ...localeFields,
});

/** A checked form, of a registration or of a guest. */
export type Registration = z.output<typeof registration>;

/** `Guest` is believed only without a password: nobody is both. */
export function isGuestForm(form: Pick<Registration, "Guest" | "Password">): boolean {
  return form.Guest && form.Password === undefined;
}

/** The fields that one of the two forms needs and the other does not. */
const neededBy = { guest: ["Address1", "Postcode", "City"], registration: ["Password", "Birthday"] } as const;

export const registrationForms = [...neededBy.guest, ...neededBy.registration].reduce(
  (schema, field) =>
    schema.refine(
      (form) =>
        form[field] !== undefined ||
        !(neededBy[isGuestForm(form) ? "guest" : "registration"] as readonly string[]).includes(field),
      { path: [field], error: "required", ...alongside },
    ),
  registration,
);

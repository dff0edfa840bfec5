import { z } from "zod";
import { installedBrand } from "#brand/brand.server.ts";
import { alwaysChecked, fields } from "#identity/fields/fields.server.ts";
import { fieldTypes, localeFields } from "#platform/api/endpoint.server.ts";

/** An address has more characters than this. */
export const shortAddress = 3;

const registration = z.object({
  Email: fields.email(),
  Firstname: fields.name(),
  Lastname: fields.name(),
  Guest: fieldTypes.flag().default(false).describe("A guest has no password: with one, this is a registration"),
  Password: fields.newPassword().optional().describe("Needed unless Guest"),
  Birthday: fields.birthday().optional().describe("Needed unless Guest"),
  Civility: fields.civility().optional(),
  MobilePhone: fields.phone().optional(),
  NewletterActive: fieldTypes.flag().default(false),
  NewsletterSmsSubscribe: fieldTypes.flag().default(false),
  LoyaltySubscribe: fieldTypes.flag().default(false),
  ReferralCode: fieldTypes.text(64).optional().describe("Of the link of a member who recommends the club"),
  Origin: z
    .enum(["web", "store"], { error: "invalid" })
    .default("web")
    .describe("Where the form was opened: web or store"),
  Address1: fields
    .line(200)
    .refine((text) => [...text].length > shortAddress, "too_short")
    .optional()
    .describe("Needed for a guest, like Postcode and City"),
  Address2: fields.line(200).optional(),
  Postcode: fields.line(20).optional(),
  City: fields.line().optional(),
  CountryIsoCode: fields.country().default(() => installedBrand().Country),
  IsInvoice: fieldTypes.flag().default(true),
  IsDelivery: fieldTypes.flag().default(true),
  ...localeFields,
});

/** A validated form, of a registration or of a guest. */
export type Registration = z.output<typeof registration>;

/** `Guest` counts only without a password: no one is both. */
export function isGuestForm(form: Pick<Registration, "Guest" | "Password">): boolean {
  return form.Guest && form.Password === undefined;
}

/** The fields that one of the two forms requires and the other does not. */
const requiredBy = { guest: ["Address1", "Postcode", "City"], registration: ["Password", "Birthday"] } as const;

export const registrationForms = [...requiredBy.guest, ...requiredBy.registration].reduce(
  (schema, field) =>
    schema.refine(
      (form) =>
        form[field] !== undefined ||
        !(requiredBy[isGuestForm(form) ? "guest" : "registration"] as readonly string[]).includes(field),
      { path: [field], error: "required", ...alwaysChecked },
    ),
  registration,
);

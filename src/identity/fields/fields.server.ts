import { z } from "zod";
import { birthdayError } from "#identity/customer/age.ts";
import { civilities, nameLength } from "#identity/customer/customer-fields.ts";
import { normaliseEmail } from "#identity/customer/email/email.server.ts";
import { containsLink, isBlank } from "#identity/customer/names.server.ts";
import { fieldTypes } from "#platform/api/endpoint.server.ts";
import { isPasswordLength } from "./password-rule.ts";

const required = { error: "required" };
/** Line breaks and other control characters would reach mail headers, wallet passes and logs. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Identity's input fields; the general ones are in the platform's `wire`. */
export const fields = {
  email: () =>
    fieldTypes.text(320).transform((text, context) => {
      const email = normaliseEmail(text);
      if (email) return email;
      context.addIssue({ code: "custom", message: "email" });
      return z.NEVER;
    }),
  /** A first or last name. */
  name: () => fields.line().refine((text) => !containsLink(text), "name_link"),
  /** One line of text: a street, a town. */
  line: (max: number = nameLength) =>
    fieldTypes
      .text(max)
      .refine((text) => !controls.test(text), { message: "invalid", abort: true })
      .refine((text) => !isBlank(text), "required")
      .transform((text) => text.normalize("NFC")),
  /** A password being set. Never trimmed: a space is a character like any other. */
  newPassword: () => z.string(required).refine(isPasswordLength, "password_length"),
  /** An existing password. Its length is not checked: what was accepted once stays valid. */
  password: () => z.string(required),
  birthday: () =>
    fieldTypes.date().check(({ value, issues }) => {
      const message = birthdayError(value);
      if (message) issues.push({ code: "custom", message, input: value });
    }),
  /** As typed; it is parsed later, since the country is another field of the form. */
  phone: () => fieldTypes.text(40),
  civility: () => z.enum(civilities, { error: "invalid" }),
  country: () =>
    z
      .string()
      .trim()
      .regex(/^[A-Za-z]{2}$/, "invalid")
      .transform((code) => code.toUpperCase()),
  /** A mailed code: six digits, with spaces as mail programs and people put them. */
  code: () =>
    fieldTypes
      .text(20)
      .transform((text) => text.replace(/\s/g, ""))
      .refine((text) => /^\d{6}$/.test(text), "code"),
  /** A token of a link or a session; anything longer is not looked up. */
  token: () => fieldTypes.text(128),
};

/** Zod runs such a check even if other fields are invalid, so that all errors are reported at once. */
export const alwaysChecked = { when: () => true };

export const newPassword = z.object({ Password: fields.newPassword(), ConfirmPassword: fields.password() });
export const passwordMismatch = { path: ["ConfirmPassword"], error: "password_mismatch", ...alwaysChecked };

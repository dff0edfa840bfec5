import { z } from "zod";
import { isBirthday } from "#identity/customer/age.ts";
import { civilities, nameLength } from "#identity/customer/customer-fields.ts";
import { normaliseEmail } from "#identity/customer/email.server.ts";
import { holdsLink } from "#identity/customer/names.server.ts";
import { wire } from "#platform/api/endpoint.server.ts";
import { isPasswordLength } from "./password-rule.ts";

const required = { error: "required" };
/** Line breaks and other control characters would reach mail headers, passes and logs. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Identity's own kinds of field; the general ones are in the platform's `wire`. */
export const kinds = {
  email: () =>
    wire.text(320).transform((text, context) => {
      const email = normaliseEmail(text);
      if (email) return email;
      context.addIssue({ code: "custom", message: "email" });
      return z.NEVER;
    }),
  /** A first or last name. */
  name: () => kinds.line().refine((text) => !holdsLink(text), "name_link"),
  /** A street, a town: one line. */
  line: (max: number = nameLength) =>
    wire
      .text(max)
      .refine((text) => !controls.test(text), "invalid")
      .transform((text) => text.normalize("NFC")),
  /** Judged when it is set. Never trimmed: a space is a character like another. */
  newPassword: () => z.string(required).refine(isPasswordLength, "password_length"),
  /** Not judged at sign-in: whatever was accepted once stays good. */
  password: () => z.string(required),
  birthday: () => wire.date().refine((day) => isBirthday(day), "birthday"),
  /** As written; which country it belongs to is decided with the rest of the form. */
  phone: () => wire.text(40),
  civility: () => z.enum(civilities, { error: "invalid" }),
  country: () =>
    z
      .string()
      .trim()
      .regex(/^[A-Za-z]{2}$/, "invalid")
      .transform((code) => code.toUpperCase()),
  /** What our links and sessions carry; anything else need not be looked up. */
  token: () => wire.text(128),
};

/** Whatever else is wrong with a form, it is told at the same time. */
export const alongside = { when: () => true };

export const newPassword = z.object({ Password: kinds.newPassword(), ConfirmPassword: kinds.password() });
export const sameTwice = { path: ["ConfirmPassword"], error: "password_mismatch", ...alongside };

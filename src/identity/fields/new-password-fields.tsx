import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { PasswordField } from "#ui/field.tsx";
import { passwordLength } from "./password-rule.ts";

const pattern = `.{${passwordLength.min},${passwordLength.max}}`;

/** A rough password strength, by kinds of characters and length. A hint, never a rule. */
function strengthOf(password: string): "weak" | "fair" | "strong" {
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length;
  const distinct = new Set(password).size;
  if (distinct < 5 || password.length < 8) return "weak";
  return kinds >= 3 && password.length >= 10 ? "strong" : kinds >= 2 ? "fair" : "weak";
}

/** Either field may change last, so both compare. By the browser's own validation; the form shows our text for it. */
function compareConfirmation(form: HTMLFormElement | null): void {
  const first = form?.elements.namedItem("Password");
  const confirm = form?.elements.namedItem("ConfirmPassword");
  if (!(first instanceof HTMLInputElement && confirm instanceof HTMLInputElement)) return;
  const differs = confirm.value !== "" && confirm.value !== first.value;
  confirm.setCustomValidity(differs ? "mismatch" : "");
}

export function NewPasswordField({ label }: { label: string }) {
  const { t } = useTexts();
  const [password, setPassword] = useState("");
  const strength = password.length >= passwordLength.min ? strengthOf(password) : undefined;
  return (
    <PasswordField
      name="Password"
      label={label}
      autoComplete="new-password"
      pattern={pattern}
      code="password_length"
      onInput={({ currentTarget: field }) => {
        setPassword(field.value);
        compareConfirmation(field.form);
      }}
      hint={
        <>
          {t("identity.passwordHint")} <span role="status">{strength && t(`identity.strength.${strength}`)}</span>
        </>
      }
    />
  );
}

export function ConfirmPasswordField() {
  const { t } = useTexts();
  return (
    <PasswordField
      name="ConfirmPassword"
      label={t("identity.confirmPassword")}
      autoComplete="new-password"
      code="password_mismatch"
      onInput={({ currentTarget: field }) => compareConfirmation(field.form)}
    />
  );
}

import { useTexts } from "#i18n/use-texts.tsx";
import { PasswordField } from "#ui/form/field.tsx";
import { passwordLength } from "./password-rule.ts";

const pattern = `.{${passwordLength.min},${passwordLength.max}}`;

/** Either field may change last, so both compare. By the browser's own validation; the form shows our text for it. */
function compareConfirmation(form: HTMLFormElement | null): void {
  const first = form?.elements.namedItem("Password");
  const confirm = form?.elements.namedItem("ConfirmPassword");
  if (!(first instanceof HTMLInputElement && confirm instanceof HTMLInputElement)) return;
  const differs = confirm.value !== "" && confirm.value !== first.value;
  confirm.setCustomValidity(differs ? "mismatch" : "");
}

/** No verdict on its strength: docs/decisions/0054-no-verdict-on-a-password.md. */
export function NewPasswordField({ label }: { label: string }) {
  const { t } = useTexts();
  return (
    <PasswordField
      name="Password"
      label={label}
      autoComplete="new-password"
      pattern={pattern}
      code="password_length"
      onInput={({ currentTarget: field }) => compareConfirmation(field.form)}
      hint={t("identity.passwordHint")}
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

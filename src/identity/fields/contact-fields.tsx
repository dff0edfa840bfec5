import { useTexts } from "#i18n/use-texts.tsx";
import { Field } from "#ui/form/field.tsx";
import { useSharedEmail } from "./email-store.ts";

/** The email address to sign in with; prefilled with what was typed on the page before. */
export function EmailField({
  enterKeyHint,
  passkeys = false,
}: {
  enterKeyHint: "next" | "send";
  /** The browser may offer passkeys among what it fills in. */
  passkeys?: boolean;
}) {
  const { t } = useTexts();
  return (
    <Field
      name="Email"
      type="email"
      label={t("identity.email")}
      autoComplete={passkeys ? "username webauthn" : "username"}
      inputMode="email"
      enterKeyHint={enterKeyHint}
      {...useSharedEmail()}
      code="email"
    />
  );
}

export function PhoneField({ initial }: { initial?: string | null }) {
  const { t } = useTexts();
  return (
    <Field
      name="MobilePhone"
      type="tel"
      label={t("identity.phone")}
      hint={t("identity.phoneHint")}
      autoComplete="tel"
      inputMode="tel"
      initial={initial ?? ""}
      optional
    />
  );
}

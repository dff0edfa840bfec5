import type { ReactNode } from "react";
import { page } from "vitest/browser";
import { useTexts } from "#i18n/use-texts.tsx";
import { changePassword } from "#identity/calls.ts";
import { formAction, isRefused } from "#platform/api/client/form.ts";
import { useActed } from "#platform/api/client/use-loaded.ts";
import { Field } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { Done, PageForm } from "#ui/form/page-form.tsx";
import { accept, button, t, textbox } from "./open-page.tsx";

export const action = formAction(async ({ form, intent, call }) => {
  await call(changePassword, form);
  return { ok: true as const, intent };
});

export function useResult() {
  const acted = useActed<typeof action>();
  return { refused: isRefused(acted) ? acted : undefined, done: acted?.ok ? acted.intent : undefined };
}

/** First and last name, with a button and a word of success: the smallest form that can be wrong in two places. */
export function Names({ intent, quiet, children }: { intent?: string; quiet?: boolean; children?: ReactNode }) {
  const { t } = useTexts();
  const { refused, done } = useResult();
  return (
    <PageForm refused={refused} {...(intent && { intent })} {...(quiet && { quiet })}>
      <Field name="Firstname" label={t("identity.firstname")} />
      <Field name="Lastname" label={t("identity.lastname")} initial="Martin" />
      {children}
      <Done text={done === (intent ?? "") && "identity.saved"} />
      <Submit>{t("informations.save")}</Submit>
    </PageForm>
  );
}

export const names = { Component: () => <Names />, action };
export const firstname = textbox(t("identity.firstname"));
export const lastname = textbox(t("identity.lastname"));
export const save = button(t("informations.save"));
export const working = button(t("form.working"));
export const alert = page.getByRole("alert");
export const succeed = accept<typeof changePassword>({});

/** Fills the form in and sends it. */
export async function send(): Promise<void> {
  await firstname.fill("Annabelle");
  await save.click();
}

import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { locales } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { changePassword } from "#identity/calls.ts";
import { formAction } from "#platform/api/client/form.ts";
import { useActed } from "#platform/api/client/use-loaded.ts";
import {
  button,
  inputNamed,
  onCall,
  openPage,
  passwordField,
  refuse,
  t,
  textbox,
  textsOf,
} from "#testing/browser/open-page.tsx";
import { Checkbox, Choice, Field, PasswordField } from "./field.tsx";
import { Submit } from "./form.tsx";
import { PageForm } from "./page-form.tsx";

const action = formAction(async ({ form, call }) => {
  await call(changePassword, form);
});

/** A page with one form, whose fields are what the test is about. */
function pageWith(Fields: () => React.ReactNode, props: { marked?: boolean } = {}) {
  function Component() {
    const refused = useActed<typeof action>() ?? undefined;
    return (
      <PageForm refused={refused} {...props}>
        <Fields />
        <Submit>{useTexts().t("informations.save")}</Submit>
      </PageForm>
    );
  }
  return { Component, action };
}

const firstname = textbox(t("identity.firstname"));
const save = button(t("informations.save"));
const civilities = [
  ["Mme", t("identity.civility.Mme")],
  ["M", t("identity.civility.M")],
] as const;

test("a field's name is its label, and its hint describes it before anything is wrong", async () => {
  await openPage(pageWith(() => <Field name="A" label={t("identity.phone")} hint={t("identity.phoneHint")} />));
  const field = textbox(t("identity.phone"));
  await expect.element(field).toHaveAccessibleName(t("identity.phone"));
  await expect.element(field).toHaveAccessibleDescription(t("identity.phoneHint"));
  await page.getByText(t("identity.phone"), { exact: true }).click();
  await expect.element(field).toHaveFocus();
});

test("a field is wrong only once the form was sent; then its error and its hint describe it", async () => {
  await openPage(pageWith(() => <Field name="A" label={t("identity.firstname")} hint={t("identity.phoneHint")} />));
  await firstname.click();
  await userEvent.tab();
  await expect.element(save).toHaveFocus();
  expect(firstname.element().hasAttribute("aria-invalid")).toBe(false);
  await save.click();
  await expect.element(firstname).toHaveAttribute("aria-invalid", "true");
  await expect.element(firstname).toHaveAccessibleDescription(`${t("field.required")} ${t("identity.phoneHint")}`);
});

test("an error goes as the field is mended, and no other goes with it", async () => {
  await openPage(
    pageWith(() => (
      <>
        <Field name="A" label={t("identity.firstname")} />
        <Field name="B" label={t("identity.lastname")} />
      </>
    )),
  );
  await save.click();
  await firstname.fill("L");
  await expect.element(firstname).not.toHaveAttribute("aria-invalid");
  await expect.element(firstname).toHaveAccessibleDescription("");
  await expect.element(textbox(t("identity.lastname"))).toHaveAccessibleDescription(t("field.required"));
});

test.each(locales)("each verdict of the browser has its sentence in the page's language: %s", async (locale) => {
  const { t } = textsOf[locale];
  await openPage(
    pageWith(() => (
      <>
        <Field name="missing" label="missing" />
        <Field name="address" label="address" type="email" initial="lea" />
        <Field name="pattern" label="pattern" pattern="\d+" initial="lea" />
        <Field name="coded" label="coded" pattern="\d+" code="phone" initial="lea" />
        <Field name="codedMissing" label="codedMissing" code="phone" />
        <Field name="good" label="good" type="email" initial="lea@exemple.fr" />
        <Field name="optional" label="optional" optional />
      </>
    )),
    { locale },
  );
  await button(t("informations.save")).click();
  const said = (name: string) =>
    expect.element(textbox(name === "optional" ? `optional (${t("form.optional")})` : name));
  await said("missing").toHaveAccessibleDescription(t("field.required"));
  await said("address").toHaveAccessibleDescription(t("field.email"));
  await said("pattern").toHaveAccessibleDescription(t("field.invalid"));
  await said("coded").toHaveAccessibleDescription(t("field.phone"));
  await said("codedMissing").toHaveAccessibleDescription(t("field.required"));
  await said("good").toHaveAccessibleDescription("");
  await said("optional").toHaveAccessibleDescription("");
});

test("required, lengths and patterns are the browser's own constraints, so that they hold without script", async () => {
  await openPage(
    pageWith(() => (
      <>
        <Field name="A" label={t("identity.firstname")} maxLength={5} pattern="\w+" />
        <Field name="B" label={t("identity.lastname")} optional />
      </>
    )),
  );
  await expect.element(firstname).toBeRequired();
  await userEvent.type(firstname, "Annabelle");
  await expect.element(firstname).toHaveValue("Annab");
  expect(inputNamed("A").pattern).toBe("\\w+");
  await expect.element(textbox(`${t("identity.lastname")} (${t("form.optional")})`)).not.toBeRequired();
});

test("a marked form explains its asterisk, which is no part of a field's name", async () => {
  await openPage(pageWith(() => <Field name="A" label={t("identity.firstname")} />, { marked: true }));
  await expect.element(page.getByText(`${t("identity.firstname")} *`)).toBeVisible();
  await expect.element(page.getByText(`* ${t("form.required")}`)).toBeVisible();
  await expect.element(firstname).toHaveAccessibleName(t("identity.firstname"));
});

test("a field starts with its initial value, and what was typed survives a render of the page", async () => {
  let render = () => {};
  await openPage(
    pageWith(() => {
      const [count, setCount] = useState(0);
      render = () => setCount(count + 1);
      return <Field name="A" label={t("identity.firstname")} initial="Léa" hint={`render ${count}`} />;
    }),
  );
  await expect.element(firstname).toHaveValue("Léa");
  await firstname.fill("Annabelle");
  render();
  await expect.element(firstname).toHaveAccessibleDescription("render 1");
  await expect.element(firstname).toHaveValue("Annabelle");
});

test("phones capitalise names and correct nothing in addresses and passwords", async () => {
  await openPage(
    pageWith(() => (
      <>
        <Field name="Firstname" label="a" />
        <Field name="Email" type="email" label="b" />
        <PasswordField name="Password" label="c" />
      </>
    )),
  );
  expect(inputNamed("Firstname").hasAttribute("autocapitalize")).toBe(false);
  for (const name of ["Email", "Password"]) {
    expect(inputNamed(name).getAttribute("autocapitalize")).toBe("none");
    expect(inputNamed(name).spellcheck).toBe(false);
  }
  // Shown, it is a text field, and still no one's business to correct.
  await button(t("form.show")).click();
  await expect.element(passwordField("c")).toHaveAttribute("type", "text");
  expect(inputNamed("Password").getAttribute("autocapitalize")).toBe("none");
});

test("the password's button says what it does and in which state it is, and keeps what was typed", async () => {
  await openPage(pageWith(() => <PasswordField name="Password" label={t("identity.password")} />));
  const field = passwordField(t("identity.password"));
  await field.fill("secret-1");
  await expect.element(field).toHaveAttribute("type", "password");
  await expect.element(button(t("form.show"))).toHaveAttribute("aria-pressed", "false");
  await button(t("form.show")).click();
  await expect.element(field).toHaveAttribute("type", "text");
  await expect.element(field).toHaveValue("secret-1");
  await expect.element(button(t("form.hide"))).toHaveAttribute("aria-pressed", "true");
  await expect.element(button(t("form.hide"))).toHaveFocus();
  await userEvent.keyboard(" ");
  await expect.element(field).toHaveAttribute("type", "password");
  await expect.element(button(t("form.show"))).toHaveFocus();
});

test("the caret of a password stays where it was as the password is shown and hidden", async () => {
  await openPage(pageWith(() => <PasswordField name="Password" label={t("identity.password")} />));
  const field = passwordField(t("identity.password"));
  await field.fill("secret-1");
  await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
  for (const [press, type] of [
    ["form.show", "text"],
    ["form.hide", "password"],
  ] as const) {
    await button(t(press)).click();
    await expect.element(field).toHaveAttribute("type", type);
    expect(inputNamed("Password").selectionStart).toBe("secret".length);
  }
});

test("showing a password sends nothing", async () => {
  const sent = onCall(changePassword, refuse("invalid"));
  await openPage(pageWith(() => <PasswordField name="Password" label={t("identity.password")} />));
  await button(t("form.show")).click();
  await expect.element(button(t("form.hide"))).toBeVisible();
  expect(sent).toEqual([]);
  expect(inputNamed("Password").hasAttribute("aria-invalid")).toBe(false);
});

test("a box is ticked by its words, sends true or nothing, and a refusal leaves each as it was", async () => {
  const sent = onCall(changePassword, refuse("invalid", [{ field: "sms", code: "phone_needed" }]));
  await openPage(
    pageWith(() => (
      <>
        <Checkbox name="news" initial>
          {t("identity.consent.newsletter")}
        </Checkbox>
        <Checkbox name="sms">{t("identity.consent.sms")}</Checkbox>
      </>
    )),
  );
  const news = page.getByRole("checkbox", { name: t("identity.consent.newsletter") });
  const sms = page.getByRole("checkbox", { name: t("identity.consent.sms") });
  await expect.element(news).toBeChecked();
  await page.getByText(t("identity.consent.newsletter")).click();
  await page.getByText(t("identity.consent.sms")).click();
  await save.click();
  await expect.element(sms).toHaveAttribute("aria-invalid", "true");
  await expect.element(sms).toHaveAccessibleDescription(t("field.phone_needed"));
  await expect.element(sms).toHaveFocus();
  expect(sent[0]?.fields).toEqual({ sms: "true" });
  await expect.element(news).not.toBeChecked();
  await expect.element(sms).toBeChecked();
});

test("a choice has its legend, starts with its initial value, and a refusal leaves what was chosen", async () => {
  const sent = onCall(changePassword, refuse("invalid"));
  await openPage(
    pageWith(() => <Choice name="Civility" legend={t("identity.civility")} initial="Mme" options={civilities} />),
  );
  const group = page.getByRole("group", { name: t("identity.civility") });
  const madam = group.getByRole("radio", { name: t("identity.civility.Mme"), exact: true });
  const sir = group.getByRole("radio", { name: t("identity.civility.M"), exact: true });
  await expect.element(madam).toBeChecked();
  await sir.click();
  await save.click();
  await expect.element(page.getByRole("alert")).toHaveTextContent(t("refusal.invalid"));
  expect(sent[0]?.fields).toEqual({ Civility: "M" });
  await expect.element(sir).toBeChecked();
  await expect.element(madam).not.toBeChecked();
});

test("a form drawn anew after a refusal holds what was sent, not what it started with", async () => {
  onCall(changePassword, refuse("too_many"));
  function Component() {
    const refused = useActed<typeof action>() ?? undefined;
    return (
      <PageForm key={refused ? "again" : "first"} refused={refused}>
        <Field name="Firstname" label={t("identity.firstname")} initial="Léa" />
        <Checkbox name="news" initial>
          {t("identity.consent.newsletter")}
        </Checkbox>
        <Checkbox name="sms">{t("identity.consent.sms")}</Checkbox>
        <Choice name="Civility" legend={t("identity.civility")} initial="Mme" options={civilities} />
        <Submit>{t("informations.save")}</Submit>
      </PageForm>
    );
  }
  await openPage({ Component, action });
  await firstname.fill("Annabelle");
  await page.getByText(t("identity.consent.newsletter")).click();
  await page.getByText(t("identity.consent.sms")).click();
  await page.getByRole("radio", { name: t("identity.civility.M"), exact: true }).click();
  await save.click();
  await expect.element(page.getByRole("alert")).toBeVisible();
  await expect.element(firstname).toHaveValue("Annabelle");
  await expect.element(page.getByRole("checkbox", { name: t("identity.consent.newsletter") })).not.toBeChecked();
  await expect.element(page.getByRole("checkbox", { name: t("identity.consent.sms") })).toBeChecked();
  await expect.element(page.getByRole("radio", { name: t("identity.civility.M"), exact: true })).toBeChecked();
});

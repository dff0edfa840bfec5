import type { ReactNode } from "react";
import { Link } from "react-router";
import { afterEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { locales } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { changePassword } from "#identity/calls.ts";
import { shopDevice } from "#identity/session/device/shop-device.ts";
import { formAction } from "#platform/api/client/form.ts";
import { useActed } from "#platform/api/client/use-loaded.ts";
import {
  button,
  inputNamed,
  onCall,
  openPage,
  passwordField,
  refuse,
  spoken,
  t,
  textbox,
  textsOf,
} from "#testing/browser/open-page.tsx";
import { Submit } from "#ui/form/form.tsx";
import { PageForm } from "#ui/form/page-form.tsx";
import { BirthdayField } from "./birthday-field.tsx";
import { EmailField, PhoneField } from "./contact-fields.tsx";
import { emailStore } from "./email-store.ts";
import { ConfirmPasswordField, NewPasswordField } from "./new-password-fields.tsx";

const action = formAction(async ({ form, call }) => {
  await call(changePassword, form);
});

function pageWith(fields: ReactNode) {
  function Component() {
    const { t } = useTexts();
    return (
      <PageForm refused={useActed<typeof action>() ?? undefined}>
        {fields}
        <Submit>{t("informations.save")}</Submit>
      </PageForm>
    );
  }
  return { Component, action };
}

const save = button(t("informations.save"));
const birthday = textbox(t("identity.birthday"));

test.each(locales)(
  "a birthday's separators come as the digits are typed, as the language writes them: %s",
  async (locale) => {
    const { t } = textsOf[locale];
    await openPage(pageWith(<BirthdayField />), { locale });
    const field = textbox(t("identity.birthday"));
    const example = { fr: "24/04/1990", en: "24/04/1990", de: "24.04.1990" }[locale];
    await expect.element(field).toHaveAccessibleDescription(spoken(t("identity.birthdayHint", { example })));
    await expect.element(field).toHaveAttribute("placeholder", t("identity.birthdayFormat"));
    await expect.element(field).toHaveAttribute("inputmode", "numeric");
    await userEvent.type(field, "24041990");
    await expect.element(field).toHaveValue(example);
    await field.clear();
    // Anyone who types the separators gets no second ones.
    await userEvent.type(field, example);
    await expect.element(field).toHaveValue(example);
  },
);

test.each(["3/4/1990", "24.12.1990", "24-12-1990", "24 12 1990"])(
  "a birthday typed as %s stays as it is",
  async (typed) => {
    await openPage(pageWith(<BirthdayField />));
    await userEvent.type(birthday, typed);
    await expect.element(birthday).toHaveValue(typed);
  },
);

test.each([
  ["24041990", "24/04/1990"],
  ["24/04/1990", "24/04/1990"],
  ["24.04.1990", "24.04.1990"],
  ["1990-04-24", "1990-04-24"],
])("a birthday pasted as %s is %s", async (pasted, shown) => {
  await openPage(
    pageWith(
      <>
        <input aria-label="clipboard" defaultValue={pasted} />
        <BirthdayField />
      </>,
    ),
  );
  await userEvent.tripleClick(textbox("clipboard"));
  await userEvent.copy();
  await birthday.click();
  await userEvent.paste();
  await expect.element(birthday).toHaveValue(shown);
});

test("each backspace in a birthday deletes one character, down to nothing", async () => {
  await openPage(pageWith(<BirthdayField initial="1990-04-24" />));
  await birthday.click();
  await userEvent.keyboard("{End}");
  for (let length = 9; length >= 0; length -= 1) {
    await userEvent.keyboard("{Backspace}");
    await expect.element(birthday).toHaveValue("24/04/1990".slice(0, length));
  }
});

test("a correction in the middle of a birthday moves neither the caret nor the rest", async () => {
  await openPage(pageWith(<BirthdayField initial="1990-04-24" />));
  await birthday.click();
  await userEvent.keyboard("{Home}{ArrowRight}{Delete}5");
  await expect.element(birthday).toHaveValue("25/04/1990");
  expect(inputNamed("Birthday").selectionStart).toBe(2);
  // A separator that was deleted stays so.
  await userEvent.keyboard("{Delete}");
  await expect.element(birthday).toHaveValue("2504/1990");
  expect(inputNamed("Birthday").selectionStart).toBe(2);
});

test.each(["hier", "24/04", "24 avril 1990"])("'%s' is no birthday, and is not sent", async (typed) => {
  const sent = onCall(changePassword, refuse("invalid"));
  await openPage(pageWith(<BirthdayField />));
  await birthday.fill(typed);
  await save.click();
  await expect
    .element(birthday)
    .toHaveAccessibleDescription(spoken(t("field.date"), t("identity.birthdayHint", { example: "24/04/1990" })));
  await expect.element(birthday).toHaveFocus();
  expect(sent).toEqual([]);
});

test.each(["abcdef", "Password1!", "Abcdef-123"])(
  "%s is neither praised nor blamed: the hint is all that is said",
  async (typed) => {
    await openPage(pageWith(<NewPasswordField label={t("identity.newPassword")} />));
    const field = passwordField(t("identity.newPassword"));
    await userEvent.type(field, typed);
    await expect.element(field).toHaveAccessibleDescription(spoken(t("identity.passwordHint")));
  },
);

test.each([
  ["fr", "12345"],
  ["en", "1234567890123456"],
  ["de", "12345"],
] as const)("a new password of another length than allowed is not sent: %s", async (locale, typed) => {
  const { t } = textsOf[locale];
  const sent = onCall(changePassword, refuse("invalid"));
  await openPage(pageWith(<NewPasswordField label={t("identity.newPassword")} />), { locale });
  await passwordField(t("identity.newPassword")).fill(typed);
  await button(t("informations.save")).click();
  await expect.element(page.getByText(t("field.password_length"))).toBeVisible();
  await expect.element(passwordField(t("identity.newPassword"))).toHaveAttribute("aria-invalid", "true");
  expect(sent).toEqual([]);
});

test.each(["123456", "123456789012345", "pässwörd", "a b c d"])(
  "a new password of allowed length is sent: %s",
  async (typed) => {
    const sent = onCall(changePassword, refuse("too_many"));
    await openPage(pageWith(<NewPasswordField label={t("identity.newPassword")} />));
    await passwordField(t("identity.newPassword")).fill(typed);
    await save.click();
    await expect.element(page.getByRole("alert")).toBeVisible();
    expect(sent[0]?.fields["Password"]).toBe(typed);
  },
);

test("a confirmation that differs is not sent; mended, it is", async () => {
  const sent = onCall(changePassword, refuse("too_many"));
  await openPage(
    pageWith(
      <>
        <NewPasswordField label={t("identity.newPassword")} />
        <ConfirmPasswordField />
      </>,
    ),
  );
  const confirm = passwordField(t("identity.confirmPassword"));
  await passwordField(t("identity.newPassword")).fill("secret-1");
  await save.click();
  await expect.element(confirm).toHaveAccessibleDescription(t("field.required"));
  await confirm.fill("secret-2");
  await save.click();
  await expect.element(confirm).toHaveAccessibleDescription(t("field.password_mismatch"));
  await expect.element(confirm).toHaveFocus();
  expect(sent).toEqual([]);
  await confirm.fill("secret-1");
  await expect.element(confirm).toHaveAccessibleDescription("");
  await save.click();
  await expect.element(page.getByRole("alert")).toBeVisible();
  expect(sent[0]?.fields).toEqual({ Password: "secret-1", ConfirmPassword: "secret-1" });
});

test("a confirmation is compared again when the first password changes", async () => {
  const sent = onCall(changePassword, refuse("too_many"));
  await openPage(
    pageWith(
      <>
        <NewPasswordField label={t("identity.newPassword")} />
        <ConfirmPasswordField />
      </>,
    ),
  );
  const first = passwordField(t("identity.newPassword"));
  const confirm = passwordField(t("identity.confirmPassword"));
  await first.fill("secret-1");
  await confirm.fill("secret-1");
  await first.fill("secret-2");
  await save.click();
  await expect.element(confirm).toHaveAccessibleDescription(t("field.password_mismatch"));
  expect(sent).toEqual([]);
  // The other way round: once the first one is corrected, the form is sent.
  await first.fill("secret-1");
  await save.click();
  await expect.poll(() => sent.length).toBe(1);
});

test("password managers are told which password is new", async () => {
  await openPage(
    pageWith(
      <>
        <NewPasswordField label={t("identity.newPassword")} />
        <ConfirmPasswordField />
        <EmailField enterKeyHint="send" />
        <PhoneField />
      </>,
    ),
  );
  const told = ["Password", "ConfirmPassword", "Email", "MobilePhone"].map((name) => inputNamed(name).autocomplete);
  expect(told).toEqual(["new-password", "new-password", "username", "tel"]);
});

/** Two pages with the address, as sign-in and the forgotten password are. */
const carrying = {
  Component: () => (
    <PageForm>
      <EmailField enterKeyHint="next" />
      <Link to="/elsewhere">next</Link>
    </PageForm>
  ),
};

afterEach(() => {
  emailStore.set("");
  shopDevice.set(false);
});

test("the address typed on one page is in the field of the next", async () => {
  const router = await openPage(carrying);
  await textbox(t("identity.email")).fill("lea@exemple.fr");
  await page.getByRole("link", { name: "next" }).click();
  await expect.element(page.getByText("elsewhere")).toBeVisible();
  await router.navigate("/page");
  await expect.element(textbox(t("identity.email"))).toHaveValue("lea@exemple.fr");
});

test("on the shop's device no address is carried to the next page", async () => {
  shopDevice.set(true);
  const router = await openPage(carrying);
  await textbox(t("identity.email")).fill("lea@exemple.fr");
  await page.getByRole("link", { name: "next" }).click();
  await expect.element(page.getByText("elsewhere")).toBeVisible();
  await router.navigate("/page");
  await expect.element(textbox(t("identity.email"))).toHaveValue("");
});

test("an address that is none is not sent, and says how one looks", async () => {
  const sent = onCall(changePassword, refuse("invalid"));
  await openPage(pageWith(<EmailField enterKeyHint="send" />));
  await textbox(t("identity.email")).fill("lea");
  await userEvent.keyboard("{Enter}");
  await expect.element(textbox(t("identity.email"))).toHaveAccessibleDescription(t("field.email"));
  expect(sent).toEqual([]);
});

import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { locales } from "#i18n/locale.ts";
import { signInWithEmail } from "#identity/calls.ts";
import { emailStore } from "#identity/fields/email-store.ts";
import { pagePaths } from "#identity/paths.ts";
import {
  button,
  customer,
  onCall,
  openPage,
  passwordField,
  refuse,
  t,
  textbox,
  textsOf,
} from "#testing/browser/open-page.tsx";
import * as login from "./login.page.tsx";

afterEach(() => emailStore.set(""));

const path = pagePaths.login;
const email = textbox(t("identity.email"));
const password = passwordField(t("identity.password"));

async function signIn(): Promise<void> {
  await email.fill("lea@exemple.fr");
  await password.fill("secret-1");
  await button(t("login.submit")).click();
}

test.each(locales)("a wrong password is said once, at the password, which has the focus: %s", async (locale) => {
  const { t } = textsOf[locale];
  onCall(signInWithEmail, refuse("wrong_login"));
  await openPage(login, { path, locale });
  await textbox(t("identity.email")).fill("lea@exemple.fr");
  await passwordField(t("identity.password")).fill("secret-1");
  await button(t("login.submit")).click();
  await expect.element(passwordField(t("identity.password"))).toHaveAccessibleDescription(t("refusal.wrong_login"));
  await expect.element(passwordField(t("identity.password"))).toHaveFocus();
  expect(page.getByText(t("refusal.wrong_login")).elements()).toHaveLength(1);
  await expect.element(textbox(t("identity.email"))).toHaveValue("lea@exemple.fr");
});

test("too many attempts are said above the button, and no field is wrong", async () => {
  onCall(signInWithEmail, refuse("too_many"));
  await openPage(login, { path });
  await signIn();
  await expect.element(page.getByRole("alert")).toHaveTextContent(t("refusal.too_many"));
  await expect.element(password).not.toHaveAttribute("aria-invalid");
});

test("a sign-in sends address and password, and leads to where the visitor wanted to go", async () => {
  const sent = onCall(signInWithEmail, () => Response.json({ AuthData: { Customer: customer } }));
  const router = await openPage(login, { path: `${path}?loginGoTo=%2Faccount%2Floyalty%2Fsubscribe` });
  await signIn();
  await expect.element(page.getByText("elsewhere")).toBeVisible();
  expect(router.state.location.pathname).toBe(pagePaths.memberPage);
  expect(sent.map(({ fields }) => fields)).toEqual([{ Email: "lea@exemple.fr", Password: "secret-1" }]);
  // The next visitor of this tab does not find it.
  expect(emailStore.get()).toBe("");
});

test("on the shop's device the browser is asked to remember neither address nor password", async () => {
  await openPage(login, { path: `${path}?device=shop` });
  await expect.element(email).toHaveAttribute("autocomplete", "off");
  await expect.element(password).toHaveAttribute("autocomplete", "off");
});

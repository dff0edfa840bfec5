import { afterEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { forgetPassword, resetPassword, validateReset } from "#identity/calls.ts";
import { emailStore } from "#identity/fields/email-store.ts";
import { pagePaths } from "#identity/paths.ts";
import {
  accept,
  button,
  onCall,
  openPage,
  passwordField,
  refuse,
  t,
  textbox,
  unreachable,
} from "#testing/browser/open-page.tsx";
import * as password from "./password.page.tsx";

afterEach(() => emailStore.set(""));

const newPassword = passwordField(t("identity.newPassword"));
const confirm = passwordField(t("identity.confirmPassword"));
const choose = button(t("password.newSubmit"));

/** Opens the page a reset link leads to. */
async function openLink(linked: ("google" | "facebook")[] = [], more: { WalletPass?: boolean } = {}): Promise<void> {
  onCall(validateReset, accept<typeof validateReset>({ Email: "l•••@exemple.fr", SocialLogins: linked, ...more }));
  await openPage(password, { path: `${pagePaths.passwordNew}?token=abc` });
}

async function choosePassword(): Promise<void> {
  await newPassword.fill("secret-1");
  await confirm.fill("secret-1");
  await choose.click();
}

test("asking for a link with Enter sends the address once and names it on the next screen", async () => {
  const sent = onCall(forgetPassword, accept<typeof forgetPassword>({}));
  await openPage(password, { path: pagePaths.forget });
  await textbox(t("identity.email")).fill("lea@exemple.fr");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("status")).toHaveTextContent(t("password.sentTo", { email: "lea@exemple.fr" }));
  expect(sent.map(({ fields }) => fields)).toEqual([{ intent: "ask", Email: "lea@exemple.fr" }]);
});

test("without a network the address stays in the form, which says so", async () => {
  onCall(forgetPassword, unreachable);
  await openPage(password, { path: pagePaths.forget });
  await textbox(t("identity.email")).fill("lea@exemple.fr");
  await button(t("password.forgetSubmit")).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent(t("form.unreachable"));
  await expect.element(textbox(t("identity.email"))).toHaveValue("lea@exemple.fr");
});

test("a new password is sent with the link's token", async () => {
  const sent = onCall(resetPassword, accept<typeof resetPassword>({}));
  await openLink();
  await choosePassword();
  await expect.element(page.getByRole("heading", { name: t("password.doneTitle") })).toBeVisible();
  expect(sent[0]?.fields).toEqual({
    intent: "choose",
    Token: "abc",
    Password: "secret-1",
    ConfirmPassword: "secret-1",
  });
});

test("two passwords that differ are not sent", async () => {
  const sent = onCall(resetPassword, accept<typeof resetPassword>({}));
  await openLink();
  await newPassword.fill("secret-1");
  await confirm.fill("secret-2");
  await choose.click();
  await expect.element(confirm).toHaveAccessibleDescription(t("field.password_mismatch"));
  expect(sent).toEqual([]);
});

test("the server's verdict on the new password stands at its field", async () => {
  onCall(resetPassword, refuse("invalid", [{ field: "Password", code: "password_length" }]));
  await openLink();
  await choosePassword();
  await expect.element(newPassword).toHaveFocus();
  await expect.element(page.getByText(t("field.password_length"))).toBeVisible();
});

test("a link that was used meanwhile leads to asking for another", async () => {
  onCall(resetPassword, refuse("link_expired"));
  await openLink();
  await choosePassword();
  await expect.element(page.getByRole("heading", { name: t("password.expiredTitle") })).toBeVisible();
  await expect.element(newPassword).not.toBeInTheDocument();
});

test("who has linked accounts may let them go with the old password", async () => {
  const sent = onCall(resetPassword, accept<typeof resetPassword>({}));
  await openLink(["google"]);
  await page.getByRole("checkbox", { name: t("password.unlink", { providers: "Google" }) }).click();
  await choosePassword();
  await expect.element(page.getByRole("heading", { name: t("password.doneTitle") })).toBeVisible();
  expect(sent[0]?.fields["UnlinkSocial"]).toBe("true");
});

test("the page says beforehand that a card in a phone's wallet must be added again, to those who have one", async () => {
  await openLink([], { WalletPass: true });
  await expect.element(page.getByText(t("password.walletPass"))).toBeVisible();
});

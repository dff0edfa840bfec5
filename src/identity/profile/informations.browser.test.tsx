import { expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { locales } from "#i18n/locale.ts";
import {
  changeEmail,
  changePassword,
  editCustomer,
  listApplications,
  listPasskeys,
  listSessions,
  readCustomer,
  readPendingEmail,
  readPreviousDetails,
  removeApplication,
} from "#identity/calls.ts";
import { openParameter, pagePaths } from "#identity/paths.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import {
  accept,
  button,
  customer,
  inputNamed,
  onCall,
  openPage,
  passwordField,
  refuse,
  spoken,
  t,
  textbox,
  textsOf,
  unreachable,
} from "#testing/browser/open-page.tsx";
import * as informations from "./informations.page.tsx";

const firstname = textbox(t("identity.firstname"));
const birthday = textbox(t("identity.birthday"));
const save = button(t("informations.save"));

type Sessions = ResponseBody<typeof listSessions>["Sessions"];

async function open(
  changes: Partial<typeof customer> = {},
  locale: (typeof locales)[number] = "fr",
  Sessions: Sessions = [],
  part = "profile",
  Applications: ResponseBody<typeof listApplications>["Applications"] = [],
) {
  const shown = { ...customer, ...changes };
  onCall(readCustomer, accept<typeof readCustomer>(shown));
  onCall(listSessions, accept<typeof listSessions>({ Sessions, ProofNeeded: true }));
  onCall(readPendingEmail, accept<typeof readPendingEmail>({ Pending: null }));
  onCall(readPreviousDetails, accept<typeof readPreviousDetails>({ Details: null }));
  onCall(listApplications, accept<typeof listApplications>({ Applications }));
  onCall(listPasskeys, accept<typeof listPasskeys>({ Passkeys: [] }));
  const path = `${pagePaths.informations}?${openParameter}=${part}`;
  return openPage(informations, { path, locale, customer: shown });
}

const session = {
  ...{ IdSession: 2, Current: false, Device: "Firefox · Windows", Network: "203.0.113.0/24", SocialProvider: null },
  ...{ CreatedAt: "2027-01-03T08:12:00Z", LastSeenAt: "2027-07-17T12:05:00Z", ExpiresAt: "2027-12-17T12:00:00Z" },
};

test.each([
  ["fr", "Connecté le 3 janvier 2027 à 9 h 12", "Dernière utilisation le 17 juillet 2027 vers 14 h 05"],
  ["en", "Signed in on 3 January 2027 at 09:12", "Last used on 17 July 2027 at about 14:05"],
  ["de", "Angemeldet am 3. Januar 2027 um 9:12 Uhr", "Zuletzt genutzt am 17. Juli 2027 gegen 14:05 Uhr"],
] as const)(
  "a device says its browser and system, when it signed in and was last used, and from which network: %s",
  async (locale, signedIn, lastUsed) => {
    const { t } = textsOf[locale];
    const unknown = { ...session, IdSession: 3, Device: null, Network: null };
    await open({}, locale, [session, unknown], "security");
    const [first, second] = [0, 1].map((nth) => page.getByRole("listitem").filter({ hasText: signedIn }).nth(nth));
    await expect.element(first as Locator).toHaveTextContent("Firefox · Windows");
    await expect.element(first as Locator).toHaveTextContent(lastUsed);
    await expect.element(first as Locator).toHaveTextContent("203.0.113.0/24");
    await expect.element(second as Locator).toHaveTextContent(t("informations.unknownDevice"));
    await expect.element(second as Locator).toHaveTextContent(t("informations.deviceNetworkUnknown"));
    await expect.element(page.getByText(t("informations.devicesText"))).toBeVisible();
  },
);

test("an application says what it reads and since when; withdrawing its access is announced", async () => {
  const application = { IdApplication: "abc", Name: "Magazine", Scopes: ["email"], Since: "2027-01-03T08:12:00Z" };
  await open({}, "fr", [], "security", [application]);
  const item = page.getByRole("listitem").filter({ hasText: "Magazine" });
  await expect.element(item).toHaveTextContent(/Lit\s: votre adresse e-mail/);
  await expect.element(item).toHaveTextContent("Depuis le 3 janvier 2027");
  // The line with its id filled in.
  const line = removeApplication.replace("{id}", "abc") as typeof removeApplication;
  const removed = onCall(line, accept<typeof removeApplication>({ Applications: [] }));
  onCall(listApplications, accept<typeof listApplications>({ Applications: [] }));
  await button(`${t("informations.applicationRemove")} Magazine`).click();
  await expect.element(page.getByText(t("informations.applicationsDone"))).toBeVisible();
  expect(removed).toHaveLength(1);
});

test.each(locales)(
  "the profile starts with what is known of the customer, as the language writes it: %s",
  async (locale) => {
    const { t } = textsOf[locale];
    await open({}, locale);
    await expect.element(textbox(t("identity.firstname"))).toHaveValue("Léa");
    await expect.element(textbox(t("identity.birthday"))).toHaveValue(locale === "de" ? "24.04.1990" : "24/04/1990");
    await expect.element(page.getByRole("radio", { name: t("identity.civility.Mme"), exact: true })).toBeChecked();
  },
);

test.each(locales)("messages start with what was chosen, and are saved apart from the profile: %s", async (locale) => {
  const { t } = textsOf[locale];
  const sent = onCall(editCustomer, accept<typeof editCustomer>(customer));
  await open({}, locale, [], "messages");
  const newsletter = page.getByRole("checkbox", { name: t("identity.consent.newsletter") });
  await expect.element(newsletter).toBeChecked();
  await expect.element(page.getByRole("checkbox", { name: t("identity.consent.sms") })).not.toBeChecked();
  await expect.element(page.getByText(t("identity.messagesAge"))).toBeVisible();
  await newsletter.click();
  await button(t("informations.messagesSave")).click();
  await expect.element(page.getByText(t("identity.saved"))).toBeVisible();
  expect(sent[0]?.fields).toEqual({
    intent: "messages",
    Firstname: "Léa",
    Lastname: "Martin",
    NewsletterSubscribe: "false",
    NewsletterSmsSubscribe: "false",
    LanguageIsoCode: locale,
  });
});

test("a saved profile is announced, and sent whole: no phone as none", async () => {
  const sent = onCall(editCustomer, accept<typeof editCustomer>(customer));
  await open();
  await firstname.fill("Annabelle");
  await textbox(`${t("identity.phone")} (${t("form.optional")})`).clear();
  await save.click();
  await expect.element(page.getByText(t("identity.saved"))).toBeVisible();
  expect(sent[0]?.fields).toEqual({
    intent: "profile",
    Civility: "Mme",
    Firstname: "Annabelle",
    Lastname: "Martin",
    Birthday: "1990-04-24",
    MobilePhone: "none",
    LanguageIsoCode: "fr",
  });
});

test("a day that does not exist goes to the server, and its refusal leaves the day as it was typed", async () => {
  const sent = onCall(editCustomer, refuse("invalid", [{ field: "Birthday", code: "date" }]));
  await open();
  await birthday.clear();
  await userEvent.type(birthday, "31021990");
  await save.click();
  await expect
    .element(birthday)
    .toHaveAccessibleDescription(spoken(t("field.date"), t("identity.birthdayHint", { example: "24/04/1990" })));
  await expect.element(birthday).toHaveFocus();
  await expect.element(birthday).toHaveValue("31/02/1990");
  expect(sent[0]?.fields["Birthday"]).toBe("1990-02-31");
});

test("a birthday that was told once cannot be left out", async () => {
  const sent = onCall(editCustomer, accept<typeof editCustomer>(customer));
  await open();
  await birthday.clear();
  await save.click();
  await expect.element(birthday).toHaveFocus();
  expect(sent).toEqual([]);
});

test("who came through a provider need not tell a birthday to change a name", async () => {
  const sent = onCall(editCustomer, accept<typeof editCustomer>(customer));
  await open({ Birthday: null });
  await firstname.fill("Annabelle");
  await save.click();
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]?.fields["Birthday"]).toBe("");
});

test("without a network the profile keeps what was typed, and the other forms say nothing", async () => {
  onCall(editCustomer, unreachable);
  await open();
  await firstname.fill("Annabelle");
  await save.click();
  await expect.element(page.getByRole("alert")).toHaveTextContent(t("form.unreachable"));
  expect(page.getByRole("alert").elements()).toHaveLength(1);
  await expect.element(firstname).toHaveValue("Annabelle");
});

test("a change of address may go without the password, which is not called optional: the server says when it is needed", async () => {
  const sent = onCall(changeEmail, refuse("invalid", [{ field: "Password", code: "required" }]));
  await open({}, "fr", [], "security");
  await page.getByText(t("informations.emailOpen")).click();
  await textbox(t("informations.emailNew")).fill("lea.martin@exemple.fr");
  await button(t("informations.emailSubmit")).click();
  const current = passwordField(t("identity.currentPassword")).first();
  await expect
    .element(current)
    .toHaveAccessibleDescription(spoken(t("field.required"), t("informations.emailPasswordHint")));
  await expect.element(current).toHaveFocus();
  expect(sent).toHaveLength(1);
});

test("a wrong current password is said at its field; changed, the form is empty again and says so", async () => {
  onCall(changePassword, refuse("invalid", [{ field: "CurrentPassword", code: "wrong_password" }]));
  await open({}, "fr", [], "security");
  // The change of address, above, asks for it too.
  const current = passwordField(t("identity.currentPassword")).last();
  await current.fill("secret-0");
  await passwordField(t("identity.newPassword")).fill("secret-1");
  await passwordField(t("identity.confirmPassword")).fill("secret-1");
  const submit = button(t("informations.passwordSubmit"));
  await submit.click();
  await expect.element(current).toHaveAccessibleDescription(t("field.wrong_password"));
  await expect.element(current).toHaveFocus();
  onCall(changePassword, accept<typeof changePassword>({}));
  await expect.element(submit).toBeVisible();
  await submit.click();
  await expect.element(page.getByText(t("informations.passwordDone"))).toBeVisible();
  expect(["CurrentPassword", "Password", "ConfirmPassword"].map((name) => inputNamed(name).value)).toEqual([
    "",
    "",
    "",
  ]);
});

import { afterEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { askEmailAvailable, register as registerCall } from "#identity/calls.ts";
import { emailStore } from "#identity/fields/email-store.ts";
import { pagePaths, registerToJoinPath } from "#identity/paths.ts";
import {
  accept,
  button,
  inputNamed,
  onCall,
  openPage,
  passwordField,
  refuse,
  spoken,
  t,
  textbox,
  unreachable,
} from "#testing/browser/open-page.tsx";
import { withoutCheckVisibility } from "#testing/browser/without-check-visibility.ts";
import { action, loader, RegisterForm } from "./register-form.tsx";

afterEach(() => {
  emailStore.set("");
  // The fragment shows the second step; the next test starts with the first.
  location.hash = "";
});

const points = 340;
const register = { action, loader, Component: () => <RegisterForm club={{ points, card: <p>card</p> }} /> };
const path = pagePaths.register;
const email = textbox(t("identity.email"));
const password = passwordField(t("identity.password"));
const firstname = textbox(t("identity.firstname"));
const next = page.getByRole("link", { name: t("register.next") });
const submit = button(t("register.submit"));
const free = accept<typeof askEmailAvailable>({ Available: true });
const taken = accept<typeof askEmailAvailable>({ Available: false });

async function fillAccess(): Promise<void> {
  await email.fill("lea@exemple.fr");
  await password.fill("secret-1");
}

/** Fills in the second step, once it is shown. */
async function fillDetails(): Promise<void> {
  await firstname.fill("Léa");
  await textbox(t("identity.lastname")).fill("Martin");
  await userEvent.type(textbox(t("identity.birthday")), "24041990");
}

test("the first step is judged by itself: what is not shown yet is not missed", async () => {
  const sent = onCall(registerCall, refuse("invalid"));
  await openPage(register, { path });
  await next.click();
  await expect.element(email).toHaveFocus();
  await expect.element(email).toHaveAccessibleDescription(t("field.required"));
  await expect.element(firstname).not.toBeInTheDocument();
  expect(inputNamed("Firstname").hasAttribute("aria-invalid")).toBe(false);
  expect(sent).toEqual([]);
});

test("Enter in the first step opens the second, whose title has the focus, and sends nothing", async () => {
  onCall(askEmailAvailable, free);
  const sent = onCall(registerCall, refuse("invalid"));
  await openPage(register, { path });
  await fillAccess();
  await userEvent.keyboard("{Enter}");
  await expect.element(firstname).toBeVisible();
  await expect.element(page.getByRole("heading", { name: t("register.details") })).toHaveFocus();
  await expect.element(email).not.toBeInTheDocument();
  expect(sent).toEqual([]);
});

test("an address that is taken is said at its field, with a way to sign in, before the second step", async () => {
  const asked = onCall(askEmailAvailable, taken);
  await openPage(register, { path });
  await fillAccess();
  await next.click();
  await expect.element(email).toHaveFocus();
  await expect.element(email).toHaveAccessibleDescription(spoken(t("identity.emailTaken"), t("register.signIn")));
  await expect.element(firstname).not.toBeInTheDocument();
  // Another address is another question; this one was asked once.
  expect(asked.map(({ fields }) => fields)).toEqual([{ Email: "lea@exemple.fr" }]);
  onCall(askEmailAvailable, free);
  await email.fill("lea.martin@exemple.fr");
  await expect.element(email).not.toHaveAttribute("aria-invalid");
  await next.click();
  await expect.element(firstname).toBeVisible();
});

test("an address that the server refuses is not let through: its sentence stands at the field", async () => {
  const asked = onCall(askEmailAvailable, refuse("invalid", [{ field: "Email", code: "email" }]));
  await openPage(register, { path });
  await email.fill("anna.lang@gmx");
  await password.fill("secret-1");
  for (const _ of [1, 2]) {
    await next.click();
    await expect.element(email).toHaveFocus();
    await expect.element(email).toHaveAccessibleDescription(t("field.email"));
    await expect.element(firstname).not.toBeInTheDocument();
  }
  expect(asked).toHaveLength(1);
  onCall(askEmailAvailable, free);
  await email.fill("anna.lang@gmx.de");
  await expect.element(email).not.toHaveAttribute("aria-invalid");
  await next.click();
  await expect.element(firstname).toBeVisible();
});

test("without a network the address goes through the first step; registering will tell", async () => {
  onCall(askEmailAvailable, unreachable);
  await openPage(register, { path });
  await fillAccess();
  await next.click();
  await expect.element(firstname).toBeVisible();
});

test("both steps are sent as one form, the birthday as the wire writes it, unticked boxes not at all", async () => {
  onCall(askEmailAvailable, free);
  const sent = onCall(registerCall, () => Response.json({}));
  const router = await openPage(register, { path });
  await fillAccess();
  await next.click();
  await fillDetails();
  await page.getByText(t("identity.consent.loyalty")).click();
  await submit.click();
  await expect.element(page.getByText("elsewhere")).toBeVisible();
  expect(router.state.location.pathname).toBe(pagePaths.account);
  expect(sent.map(({ fields }) => fields)).toEqual([
    {
      Email: "lea@exemple.fr",
      Password: "secret-1",
      Firstname: "Léa",
      Lastname: "Martin",
      Birthday: "1990-04-24",
      MobilePhone: "",
      LoyaltySubscribe: "true",
      LanguageIsoCode: "fr",
      Origin: "web",
    },
  ]);
});

test.each([
  ["the button that names the card and its gift joins", "register.cardSubmit", "true", pagePaths.memberPage],
  ["the other button registers without the card", "register.withoutCard", undefined, pagePaths.account],
] as const)("arriving to join, %s; no box is to be ticked", async (_, pressed, joins, leadsTo) => {
  onCall(askEmailAvailable, free);
  const sent = onCall(registerCall, () => Response.json({}));
  const router = await openPage(register, { path: registerToJoinPath });
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent(t("register.cardTitle"));
  const gift = { count: points, formatted: "340", points };
  await expect.element(page.getByText(t("register.cardText", gift))).toBeVisible();
  await fillAccess();
  await next.click();
  await fillDetails();
  await expect.element(page.getByText(t("identity.consent.loyalty"))).toBeVisible();
  expect(document.querySelector("input[name=LoyaltySubscribe]")).toBeNull();
  await button(t(pressed, gift)).click();
  await expect.element(page.getByText("elsewhere")).toBeVisible();
  expect(router.state.location.pathname).toBe(leadsTo);
  expect(sent.map(({ fields }) => fields["LoyaltySubscribe"])).toEqual([joins]);
});

test("registering says why the birthday is asked, with the age for messages, and leads to the legal texts", async () => {
  onCall(askEmailAvailable, free);
  await openPage(register, { path });
  await fillAccess();
  await next.click();
  await expect.element(page.getByText(t("register.birthdayWhy"))).toBeVisible();
  for (const name of ["identity.privacyPolicy", "identity.clubTerms"] as const)
    await expect.element(page.getByRole("link", { name: t(name) })).toHaveAttribute("target", "_blank");
});

test("a browser without checkVisibility, as Safari before 17.4, registers in the same two steps", async () => {
  onCall(askEmailAvailable, free);
  const sent = onCall(registerCall, () => Response.json({}));
  await withoutCheckVisibility(async () => {
    await openPage(register, { path });
    await fillAccess();
    await userEvent.keyboard("{Enter}");
    await fillDetails();
    await submit.click();
    await expect.element(page.getByText("elsewhere")).toBeVisible();
  });
  expect(sent.map(({ fields }) => fields["Password"])).toEqual(["secret-1"]);
});

test("a refused address is said on the second step, where the button was pressed, with the way back", async () => {
  onCall(askEmailAvailable, free);
  onCall(registerCall, refuse("email_taken"));
  await openPage(register, { path });
  await fillAccess();
  await next.click();
  await fillDetails();
  await submit.click();
  const alert = page.getByRole("alert");
  await expect.element(alert).toHaveTextContent(/^Cette adresse e-mail est déjà utilisée/);
  await expect.element(alert).toHaveFocus();
  expect(alert.elements()).toHaveLength(1);
  await page.getByRole("link", { name: t("register.fixAccess") }).click();
  await expect.element(email).toHaveValue("lea@exemple.fr");
  await expect.element(email).toHaveAttribute("aria-invalid", "true");
});

test("a refused second step keeps all that was typed and has the focus where it is wrong", async () => {
  onCall(askEmailAvailable, free);
  onCall(registerCall, refuse("invalid", [{ field: "Birthday", code: "birthday" }]));
  await openPage(register, { path });
  await fillAccess();
  await next.click();
  await fillDetails();
  await submit.click();
  const birthday = textbox(t("identity.birthday"));
  await expect.element(birthday).toHaveFocus();
  await expect
    .element(birthday)
    .toHaveAccessibleDescription(spoken(t("field.birthday"), t("identity.birthdayHint", { example: "24/04/1990" })));
  await expect.element(birthday).toHaveValue("24/04/1990");
  await expect.element(firstname).toHaveValue("Léa");
  expect(inputNamed("Password").value).toBe("secret-1");
});

test("what was typed is there again on the next visit to the page, but never the password", async () => {
  onCall(askEmailAvailable, free);
  const router = await openPage(register, { path });
  await fillAccess();
  await next.click();
  await fillDetails();
  await router.navigate("/elsewhere");
  await expect.element(page.getByText("elsewhere")).toBeVisible();
  await router.navigate(path);
  await expect.poll(() => inputNamed("Firstname").value).toBe("Léa");
  expect(inputNamed("Birthday").value).toBe("24/04/1990");
  expect(inputNamed("Email").value).toBe("lea@exemple.fr");
  expect(inputNamed("Password").value).toBe("");
  expect(JSON.stringify(localStorage)).not.toContain("secret-1");
});

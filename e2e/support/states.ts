import type { Page } from "@playwright/test";
import { expect, hydrated } from "./browser.ts";
import { obtainVoucher, password } from "./member.ts";

const subscribe = "/account/loyalty/subscribe";
const vouchers = `${subscribe}?tab=vouchers`;

/** How to bring a page into a state that a visitor meets, and what shows that it is there. */
export interface State {
  name: string;
  path: string;
  reach(page: Page, t: Say): Promise<unknown>;
}

type Say = (id: string, values?: Record<string, string>) => string;

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click();
const wrong = (page: Page) => expect(page.locator("[aria-invalid=true]").first()).toBeFocused();

/** A form sent as it is found. */
const untouched = (name: string, path: string, button: string): State => ({
  name,
  path,
  reach: async (page, t) => {
    await press(page, t(button));
    await wrong(page);
  },
});

async function signIn(page: Page, t: Say) {
  await page.getByLabel(t("identity.email")).fill("lea@exemple.fr");
  await page.locator("[name=Password]").fill(password);
  await press(page, t("login.submit"));
}

/** Answers to this call never come. */
const stall = (page: Page, call: string) => page.route(`**/api/${call}`, () => {});

export const openStates: State[] = [
  {
    name: "language dialog",
    path: "/",
    reach: async (page, t) => {
      await page.locator("header button").first().click();
      await expect(page.getByRole("dialog", { name: t("selectLanguage") })).toBeVisible();
    },
  },
  {
    name: "help, searched",
    path: "/help",
    reach: async (page, t) => {
      await page.getByRole("searchbox").fill(t("help.returns").slice(0, 6));
      await expect(page.getByRole("heading", { name: t("help.backQuestion") })).toBeVisible();
      await expect(page.getByRole("heading", { name: t("help.earnQuestion") })).toBeHidden();
    },
  },
  untouched("sign-in, nothing filled in", "/authenticate/login?loginGoTo=/account", "login.submit"),
  {
    name: "sign-in, on its way",
    path: "/authenticate/login",
    reach: async (page, t) => {
      await stall(page, "authentification/email");
      await signIn(page, t);
      await expect(page.getByRole("button", { name: t("form.working") })).toBeVisible();
    },
  },
  {
    name: "sign-in, nobody answers",
    path: "/authenticate/login",
    reach: async (page, t) => {
      await page.route("**/api/authentification/email", (route) => route.abort());
      await signIn(page, t);
      await expect(page.getByRole("alert")).toHaveText(t("form.unreachable"));
    },
  },
  {
    name: "registration, first step wrong, an earlier one offered",
    path: "/authenticate/register",
    reach: async (page, t) => {
      await page.getByLabel(t("identity.email")).fill("lea");
      await page.locator("[name=Password]").fill("court");
      await page.getByRole("link", { name: t("register.next"), exact: true }).click();
      await wrong(page);
      await page.evaluate(() => sessionStorage.clear());
      await page.reload();
      await hydrated(page);
      await expect(page.getByText(t("register.resume"))).toBeVisible();
      await page.getByRole("link", { name: t("register.next"), exact: true }).click();
      await wrong(page);
    },
  },
  untouched("registration, second step wrong", "/authenticate/register#details", "register.submit"),
  untouched("forgotten password, no address", "/forget", "password.forgetSubmit"),
  {
    name: "forgotten password, sent",
    path: "/forget",
    reach: async (page, t) => {
      await page.getByLabel(t("identity.email")).fill("ein.sehr.langer.name.den.niemand.hat@eine-lange-domain.example");
      await press(page, t("password.forgetSubmit"));
      await expect(page.getByRole("heading", { name: t("password.sentTitle") })).toBeVisible();
    },
  },
  {
    name: "confirming with an old link",
    path: "/account/email?token=old",
    reach: async (page, t) => {
      await press(page, t("email.submit"));
      await expect(page.getByRole("heading", { name: t("email.expiredTitle") })).toBeVisible();
    },
  },
  { name: "mailbox", path: "/sandbox/mailbox", reach: (page) => expect(page.getByRole("main")).toBeVisible() },
  { name: "shop", path: "/sandbox/shop/account/orders", reach: (page) => expect(page.getByRole("main")).toBeVisible() },
];

/** A member whose address is not confirmed yet. */
export const unconfirmedStates: State[] = [
  {
    name: "account, link sent again",
    path: "/account",
    reach: async (page, t) => {
      await press(page, t("account.resend"));
      await expect(page.getByText(t("account.resent"))).toBeVisible();
    },
  },
  {
    name: "club, the address is to be confirmed first, link sent again",
    path: vouchers,
    reach: async (page, t) => {
      await expect(page.getByText(t("member.confirmFirst"))).toBeVisible();
      await press(page, t("account.resend"));
      await expect(page.getByText(t("account.resent"))).toBeVisible();
    },
  },
];

export const memberStates: State[] = [
  {
    name: "a page that does not come",
    path: "/account",
    reach: async (page, t) => {
      const problem = { status: 503, code: "unavailable", detail: t("refusal.unavailable"), instance: "01a2b3c4" };
      await page.route("**/api/loyalty/**", (route) =>
        route.fulfill({ status: 503, contentType: "application/problem+json", body: JSON.stringify(problem) }),
      );
      await page.getByRole("link", { name: t("menu.shortLoyalty"), exact: true }).click();
      await expect(page.getByText(t("refusal.unavailable"))).toBeVisible();
    },
  },
  {
    name: "mobile menu, each fold in turn",
    path: "/account",
    reach: async (page, t) => {
      await page.locator(".bottom-bar summary").first().click();
      await page.locator(".bottom-bar details details summary", { hasText: t("menu.client") }).click();
      await expect(page.locator(".bottom-bar").getByText(t("menu.clientText"))).toBeVisible();
    },
  },
  {
    name: "details, a name and a date wrong",
    path: "/account/informations?open=profile",
    reach: async (page, t) => {
      await page.getByLabel(t("identity.firstname")).fill("");
      await page.getByLabel(t("identity.birthday")).fill("31/02");
      await page.getByLabel(t("identity.phone"), { exact: false }).fill("12");
      await press(page, t("informations.save"));
      await wrong(page);
    },
  },
  {
    name: "details, the server disagrees",
    path: "/account/informations?open=profile",
    reach: async (page, t) => {
      await page.getByLabel(t("identity.phone"), { exact: false }).fill("12");
      await press(page, t("informations.save"));
      await wrong(page);
    },
  },
  {
    name: "details, two new passwords that differ",
    path: "/account/informations?open=security",
    reach: async (page, t) => {
      await page.locator("[name=CurrentPassword]").fill(password);
      await page.getByLabel(t("identity.newPassword")).fill("Secret-2027");
      await page.locator("[name=ConfirmPassword]").fill("Secret-2028");
      await press(page, t("informations.passwordSubmit"));
      await wrong(page);
    },
  },
  {
    name: "details, erasing with a wrong password",
    path: "/account/informations/erase",
    reach: async (page, t) => {
      await page.getByLabel(t("informations.erasePassword")).fill("mauvais");
      await press(page, t("informations.eraseSubmit"));
      await wrong(page);
    },
  },
  {
    name: "card over the whole screen",
    path: "/account",
    reach: async (page, t) => {
      await page.getByRole("link", { name: t("member.enlarge") }).click();
      await expect(page.getByRole("dialog", { name: "Camille Laurent-Beaumarchais" })).toBeVisible();
    },
  },
  {
    name: "club, asked before points are spent",
    path: vouchers,
    reach: async (page, t) => {
      await page.locator("summary").filter({ hasText: "20" }).filter({ hasText: "500" }).click();
      await expect(
        page.getByRole("button", { name: new RegExp(t("member.obtainConfirm", { amount: ".*" })) }),
      ).toBeVisible();
    },
  },
  {
    name: "club, benefits and ways to earn",
    path: `${subscribe}?tab=benefits`,
    reach: (page, t) => expect(page.getByRole("heading", { name: t("member.events") })).toBeVisible(),
  },
  {
    name: "club, history and a receipt to add",
    path: `${subscribe}?tab=history`,
    reach: (page, t) => expect(page.getByLabel(t("member.receiptCode"))).toBeVisible(),
  },
  {
    name: "club, asked before leaving",
    path: subscribe,
    reach: async (page, t) => {
      await page.getByText(t("member.leaveOpen")).click();
      await expect(page.getByRole("button", { name: t("member.leaveConfirm") })).toBeVisible();
    },
  },
  {
    name: "voucher over the whole screen",
    path: vouchers,
    reach: async (page, t) => {
      await page
        .getByRole("link", { name: t("member.voucherShow") })
        .first()
        .click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "club, no voucher in this state",
    path: `${subscribe}?state=expired`,
    reach: (page, t) => expect(page.getByText(t("member.vouchersNone"))).toBeVisible(),
  },
  {
    name: "wallet on its way",
    path: subscribe,
    reach: async (page, t) => {
      await stall(page, "loyalty/wallet/google*");
      await page.getByRole("link", { name: t("member.walletGoogle") }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "wallet out of reach",
    path: subscribe,
    reach: async (page, t) => {
      await page.route("**/api/loyalty/wallet/google*", (route) => route.abort());
      await page.getByRole("link", { name: t("member.walletGoogle") }).click();
      await expect(page.getByRole("alert")).toHaveText(t("form.unreachable"));
    },
  },
  {
    name: "a reward that the balance no longer covers",
    path: vouchers,
    reach: async (page, t) => {
      await page.locator("summary").filter({ hasText: "20" }).filter({ hasText: "500" }).click();
      await obtainVoucher(page);
      await page.getByRole("button", { name: new RegExp(t("member.obtainConfirm", { amount: ".*20.*" })) }).click();
      await expect(page.getByRole("alert")).toHaveText(t("refusal.not_enough_points"));
    },
  },
  {
    name: "a reward just obtained",
    path: vouchers,
    reach: async (page, t) => {
      await page.locator("summary").filter({ hasText: "10" }).filter({ hasText: "250" }).click();
      await page.getByRole("button", { name: new RegExp(t("member.obtainConfirm", { amount: ".*10.*" })) }).click();
      await expect(page.locator("#obtained")).toBeVisible();
    },
  },
];

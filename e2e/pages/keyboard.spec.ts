import { randomBytes } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { expect, hydrated, test, text } from "../support/browser.ts";
import { mailedLink } from "../support/mailbox.ts";
import { confirmAddress, joinAs, password } from "../support/member.ts";

const t = (id: string, values = {}) => text("fr", id, values);
const subscribe = "/account/loyalty/subscribe";

// What opens and closes slowly can lose the focus.
test.use({ reducedMotion: "no-preference" });

/** What has the focus: is it shown, is it somewhere at all, and where on the page does it stand? */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    // In Firefox the focus may be in the browser's own bar, and the page remembers where it was.
    if (!element || element === document.body || !document.hasFocus()) return undefined;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const ringed = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    const { width, height } = element.getBoundingClientRect();
    // Content that takes the focus when a page arrives is nothing one could press.
    return {
      shown: (ringed && width > 0 && height > 0) || element.matches("main, h2"),
      html: element.outerHTML.slice(0, 120),
    };
  });

/** The focus is somewhere, and can be seen. */
async function expectFocus(page: Page): Promise<void> {
  await expect.poll(async () => (await focused(page))?.shown ?? "lost", { message: "focus" }).toBe(true);
}

/** Tabs until this has the focus, seeing it all the way. */
async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  const on = () => target.first().evaluate((element) => element === document.activeElement);
  for (let steps = 0; !(await on()); steps += 1) {
    expect(steps, `${target} is within reach`).toBeLessThan(80);
    await page.keyboard.press(key);
    const now = await focused(page);
    // Past the last element the browser's own bar comes, then the page again.
    if (now) expect(now.shown, now.html).toBe(true);
  }
}

/** Walks to something and presses it. */
async function go(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** Walks to a field and types into it, over what was there. */
async function type(page: Page, field: Locator, words: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(words);
}

const button = (page: Page, id: string) =>
  page.getByRole("button", { name: t(id), exact: true }).filter({ visible: true });
const link = (page: Page, id: string) => page.getByRole("link", { name: t(id), exact: true }).filter({ visible: true });

test("confirm, sign out, sign in wrongly and rightly, forget, reset, edit, erase: without a mouse", async ({
  page,
  baseURL,
}) => {
  const email = `touches.${randomBytes(5).toString("hex")}@exemple.fr`;
  const form = { Email: email, Password: password, Firstname: "Ada", Lastname: "Martin", Birthday: "1990-04-24" };
  expect((await page.request.post("/api/customer", { form, headers: { origin: baseURL ?? "" } })).status()).toBe(200);

  await test.step("confirm the address, then on to the account", async () => {
    await page.goto(await mailedLink(page.request, email, "/account/email"));
    await hydrated(page);
    await go(page, button(page, "email.submit"));
    await expect(page.getByRole("heading", { name: t("email.confirmedTitle") })).toBeVisible();
    await expectFocus(page);
    await go(page, link(page, "email.toAccount"));
    await expect(page).toHaveURL("/account");
    await expectFocus(page);
  });

  await test.step("sign out by the side menu", async () => {
    await go(page, button(page, "menu.logout"));
    await expect(page).toHaveURL("/");
    await hydrated(page);
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: t("shell.skip") })).toBeFocused();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.querySelector("main")?.contains(document.activeElement))).toBe(true);
  });

  await test.step("sign in: a wrong password leads back to its field", async () => {
    await go(page, link(page, "shell.myAccount"));
    await expect(page).toHaveURL(/authenticate\/login/);
    await expectFocus(page);
    await type(page, page.getByLabel(t("identity.email")), email);
    await type(page, page.locator("[name=Password]"), "mauvais-2026");
    await page.keyboard.press("Enter");
    await expect(page.getByText(t("refusal.wrong_login"))).toBeVisible();
    await expect(page.locator("[name=Password]")).toBeFocused();
  });

  await test.step("forget and reset", async () => {
    await tabTo(page, link(page, "login.forgotten"), "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: t("password.forgetTitle") })).toBeVisible();
    await expectFocus(page);
    await tabTo(page, page.getByLabel(t("identity.email")));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: t("password.sentTitle") })).toBeVisible();
    await expectFocus(page);
    await page.goto(await mailedLink(page.request, email, "/reinitialiser"));
    await hydrated(page);
    await type(page, page.locator("[name=Password]"), "Nouveau-2026");
    await type(page, page.locator("[name=ConfirmPassword]"), "Nouveau-2027");
    await page.keyboard.press("Enter");
    await expect(page.locator("[name=ConfirmPassword]")).toBeFocused();
    await type(page, page.locator("[name=ConfirmPassword]"), "Nouveau-2026");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: t("password.doneTitle") })).toBeVisible();
    await expectFocus(page);
    await go(page, page.getByRole("main").getByRole("link", { name: t("login.title") }));
    await type(page, page.getByLabel(t("identity.email")), email);
    await type(page, page.locator("[name=Password]"), "Nouveau-2026");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/account/informations");
    await expectFocus(page);
  });

  await test.step("edit the profile: the error first, then saved", async () => {
    await go(page, page.locator("details[name=details] > summary", { hasText: t("informations.profile") }));
    await type(page, page.getByLabel(t("identity.phone")), "12");
    await page.keyboard.press("Enter");
    await expect(page.getByText(t("field.phone"))).toBeVisible();
    await expect(page.getByLabel(t("identity.phone"))).toBeFocused();
    await type(page, page.getByLabel(t("identity.phone")), "06 12 34 56 78");
    await go(page, button(page, "informations.save"));
    await expect(page.getByText(t("identity.saved"))).toBeVisible();
    await expectFocus(page);
  });

  await test.step("erase the account: a wrong password, then the right one", async () => {
    await go(page, page.locator("details[name=details] > summary", { hasText: t("informations.export") }));
    await go(page, link(page, "informations.eraseOpen"));
    await expectFocus(page);
    await type(page, page.getByLabel(t("informations.erasePassword")), "mauvais");
    await page.keyboard.press("Enter");
    await expect(page.getByLabel(t("informations.erasePassword"))).toBeFocused();
    await type(page, page.getByLabel(t("informations.erasePassword")), "Nouveau-2026");
    await go(page, button(page, "informations.eraseSubmit"));
    await expect(page).toHaveURL("/");
    await expectFocus(page);
  });
});

test("join, earn, obtain, show the voucher, leave: without a mouse, and the focus is never lost", async ({
  page,
  baseURL,
}) => {
  const form = {
    Email: `touches.${randomBytes(5).toString("hex")}@exemple.fr`,
    Password: password,
    Firstname: "Ada",
    Lastname: "Martin",
    Birthday: "1990-04-24",
    MobilePhone: "+33612345678",
  };
  expect((await page.request.post("/api/customer", { form, headers: { origin: baseURL ?? "" } })).status()).toBe(200);
  await page.goto("/account");
  await hydrated(page);
  await go(page, page.getByRole("link", { name: t("account.activate", { points: 250 }) }));
  await expect(page).toHaveURL(subscribe);
  await expectFocus(page);
  await go(page, page.getByRole("button", { name: t("member.joinSubmit", { points: 250 }) }));
  await expect(page.getByText(t("member.joined", { points: 250 }))).toBeVisible();
  await expectFocus(page);
  await go(page, link(page, "member.tab.benefits"));
  await go(page, page.getByRole("button", { name: text("fr", "member.eventObtain", { points: 50 }) }));
  await expect(page.getByText(t("member.eventObtained", { points: 50 }))).toBeVisible();
  await expectFocus(page);

  await confirmAddress(page);
  await page.goto(`${subscribe}?tab=vouchers`);
  await hydrated(page);
  const reward = page.locator("summary").filter({ hasText: "10" }).filter({ hasText: "250" });
  await go(page, reward);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: /Oui, obtenir/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: /Votre bon de 10/ })).toBeFocused();

  const show = page.getByRole("link", { name: t("member.voucherShow") }).first();
  await go(page, show);
  await expect(page.getByRole("dialog").getByRole("button", { name: t("shell.close") })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(show).toBeFocused();
  await tabTo(page, link(page, "member.filter.used"));
  await page.keyboard.press("Enter");
  await expect(page.getByText(t("member.vouchersNone"))).toBeVisible();
  await expect(link(page, "member.filter.used")).toBeFocused();

  await go(page, link(page, "member.tab.card"));
  await go(page, page.locator("summary", { hasText: t("member.leaveOpen") }));
  await page.keyboard.press("Tab");
  await expect(button(page, "member.leaveConfirm")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText(t("member.left"))).toBeVisible();
  await expectFocus(page);
});

test("a provider's window without a mouse, and back; closed early, the button has the focus again", async ({
  page,
}) => {
  await page.goto("/authenticate/login");
  await hydrated(page);
  const google = page.getByRole("button", { name: t("identity.social.with", { provider: "Google" }) }).first();
  const open = async () => {
    const [popup] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")]);
    await popup.waitForLoadState();
    return popup;
  };
  /** The window may be gone before the key is up again. */
  const goAndClose = async (popup: Page, id: string) => {
    await tabTo(popup, popup.getByRole("button", { name: t(id) }));
    await popup.keyboard.press("Enter").catch(() => {});
  };
  await tabTo(page, google);
  await goAndClose(await open(), "sandbox.consent.cancel");
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(google).toBeFocused();
  const again = await open();
  await go(again, again.locator("summary"));
  await goAndClose(again, "sandbox.consent.submit");
  // The very first proof waits for a key to be made.
  await expect(page).toHaveURL("/account/informations", { timeout: 20_000 });
  await expectFocus(page);
});

test("the focus goes the way the eye reads, on every page", async ({ page }) => {
  await joinAs(page, { firstname: "Ada", points: 250 });
  for (const path of [
    "/",
    "/loyalty",
    "/store/qrcode",
    "/account",
    subscribe,
    `${subscribe}?tab=vouchers`,
    "/account/informations",
  ]) {
    await page.goto(path);
    await hydrated(page);
    const order = await page.evaluate(() => {
      const places = [...document.querySelectorAll<HTMLElement>("a[href], button, summary, input")].filter(
        (element) => element.checkVisibility() && !element.closest("dialog, .skip"),
      );
      return {
        jumps: places.filter((element) => element.tabIndex > 0).length,
        // Within one column the next is never above the one before it.
        back: places.flatMap((element, index) => {
          const before = places[index - 1]?.getBoundingClientRect();
          const { bottom, left, right } = element.getBoundingClientRect();
          const sameColumn = before && left < before.right && right > before.left;
          return sameColumn && bottom <= before.top ? [element.outerHTML.slice(0, 120)] : [];
        }),
      };
    });
    expect(order, path).toEqual({ jumps: 0, back: [] });
  }
});

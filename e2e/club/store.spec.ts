import { randomBytes } from "node:crypto";
import { at, expect, expectAccessible, hydrated, test, text } from "../support/browser.ts";
import { joinAs, password } from "../support/member.ts";
import { scan, scanPrint } from "../support/scanner.ts";

test.use({ deviceScaleFactor: 2 });

const subscribe = "/account/loyalty/subscribe";
const birthday = { fr: "24041990", en: "24041990", de: "24041990" };

test("the poster prints on one sheet of A4, black on white, with a QR code of at least 8 cm", async ({
  page,
  baseURL,
}) => {
  const locale = "de";
  await page.goto(at(locale, "/store/qrcode"));
  await hydrated(page);
  const print = await scanPrint(await page.pdf({ preferCSSPageSize: true, printBackground: true }));
  expect(print.pages).toBe(1);
  expect(print.widthCm).toBeCloseTo(21, 0);
  expect(print.heightCm).toBeCloseTo(29.7, 0);
  expect(print.codes).toMatchObject([{ text: `${baseURL}${at(locale, "/authenticate/register")}?from=store` }]);
  expect(print.codes[0]?.widthCm).toBeGreaterThanOrEqual(8);
  expect(print.codes[0]?.heightCm).toBeCloseTo(print.codes[0]?.widthCm ?? 0, 1);
  expect(print.colourful).toBe(0);
});

test("the address printed under the code can be typed, and leads where the code leads", async ({ page }) => {
  const locale = "en";
  const t = (id: string, values = {}) => text(locale, id, values);
  await page.goto(at(locale, "/store/qrcode"));
  const printed = (await page.getByRole("figure").innerText()).trim();
  const [before = ""] = t("store.or").split("{address}");
  expect(printed).toContain(before);
  const address = printed.slice(before.length);
  expect(address.length).toBeLessThan(25);
  expect(address).not.toMatch(/[?&=]/);
  await page.goto(`http://${address}`);
  await expect(page).toHaveURL(`${at(locale, "/authenticate/register")}?from=store`);
  await expect(page.getByText(t("register.fromStore"))).toBeVisible();
});

test("from the poster to the card in a queue", async ({ page }) => {
  const locale = "fr";
  const t = (id: string, values = {}) => text(locale, id, values);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(at(locale, "/store/qrcode"));
  const [code = ""] = await scan(await page.getByRole("img", { name: t("store.qr") }).screenshot());
  await page.goto(code.replace("QRCode:", ""));
  await hydrated(page);
  await expect(page.getByText(t("register.fromStore"))).toBeVisible();
  // What a card needs and nothing more: address and password, then two names and a birthday. The button joins.
  const asked = page.locator("form.steps").locator("input:not([type=hidden])");
  await expect(asked).toHaveCount(5);
  await expectAccessible(page);
  await page.getByLabel(t("identity.email")).fill(`${randomBytes(6).toString("hex")}@exemple.fr`);
  await page.locator("[name=Password]").fill(password);
  await page.locator("[name=Password]").press("Enter");
  await page.getByLabel(t("identity.firstname")).fill("Léa");
  await page.locator("[name=Lastname]").fill("Martin");
  await page.getByLabel(t("identity.birthday")).pressSequentially(birthday[locale]);
  await page.getByRole("button", { name: t("register.cardSubmit", { points: 250 }) }).click();
  await expect(page).toHaveURL(at(locale, subscribe));
  await expect(page.getByRole("link", { name: t("member.enlarge") })).toBeVisible();
  await expect.poll(async () => (await scan(await page.screenshot())).join()).toMatch(/EAN13:29\d{11}/);
});

test("a customer who is signed in is led to the card, by the poster and by its code", async ({ page }) => {
  await joinAs(page, { firstname: "Camille" });
  await page.goto("/store/qrcode");
  await hydrated(page);
  await expect(page.getByText(text("fr", "store.signedIn"))).toBeVisible();
  await expectAccessible(page);
  await page
    .getByRole("main")
    .getByRole("link", { name: text("fr", "loyalty.toCard") })
    .click();
  await expect(page).toHaveURL(subscribe);
  await page.goto("/de/authenticate/register?from=store");
  await expect(page).toHaveURL(`/de${subscribe}`);
});

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import type { APIRequestContext } from "@playwright/test";
import { text as textIn } from "../support/browser.ts";
import { mailedLink } from "../support/mailbox.ts";
import { grant } from "../support/member.ts";
import { scan } from "../support/scanner.ts";
import { type Driver, until } from "./driver.ts";
import { expect, site, test } from "./engine.ts";

/** What the walks have in common. They are in French. */

export const t = (id: string, values = {}) => textIn("fr", id, values);
export const password = "Secret-2026";
export const phone = { width: 390, height: 844, pixelRatio: 1 };
export const subscribe = "/account/loyalty/subscribe";
export const enterKey = { key: "Enter" } as const;
export const escapeKey = { key: "Escape" } as const;

export const isOn = (window: Driver, path: string) =>
  until(path, () => window.run((wanted) => location.pathname === wanted, path));
export const isShown = (window: Driver, selector: string) =>
  until(selector, () =>
    window.run(
      (wanted) => [...document.querySelectorAll(wanted)].some((element) => element.getClientRects().length > 0),
      selector,
    ),
  );
export const isGone = (window: Driver, selector: string) =>
  until(`no ${selector}`, () => window.run((wanted) => !document.querySelector(wanted), selector));
export const says = (window: Driver, words: string) =>
  until(words, () =>
    window.run((wanted) => document.body.innerText.toLowerCase().includes(wanted.toLowerCase()), words),
  );

/** React has taken over every part of the page. */
export const isHydrated = (window: Driver) =>
  until("hydration", () =>
    window.run(() =>
      [...document.querySelectorAll("body, a, button, form, footer")].every((element) =>
        Object.keys(element).some((key) => key.startsWith("__react")),
      ),
    ),
  );

export async function visit(window: Driver, path: string) {
  await window.goto(site + path);
  await isHydrated(window);
}

/** What zxing and, where it is installed, zbar read from the screen. */
async function readCodes(window: Driver): Promise<string[]> {
  const picture = await window.screenshot();
  const found = await scan(picture);
  try {
    const read = execFileSync("zbarimg", ["--quiet", "-"], { input: picture, encoding: "utf8", stdio: "pipe" });
    const lines = read
      .trim()
      .split("\n")
      .map((line) => line.replace("EAN-13:", "EAN13:").replace("CODE-128:", "Code128:"));
    return found.filter((code) => lines.includes(code));
  } catch (error) {
    // It ends with 4 where it reads nothing.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return found;
    return [];
  }
}
export const showsCode = (window: Driver, code: string) =>
  until(`the code ${code}`, async () => (await readCodes(window)).includes(code), 10);

/** Pictures to lay side by side, with PICTURES=folder. */
export async function picture(window: Driver, name: string) {
  const folder = process.env["PICTURES"];
  if (!folder) return;
  mkdirSync(`${folder}/${name}`, { recursive: true });
  writeFileSync(`${folder}/${name}/${test.info().project.name}.png`, await window.screenshot());
}

export async function expectNoFaults(window: Driver) {
  expect(await window.takeFaults()).toEqual([]);
  expect(await window.run(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
}

export const newAddress = () => `w${Date.now()}@exemple.fr`;

/** A member by the API, with points and, if asked, a voucher. */
export async function makeMember(request: APIRequestContext, { voucher = false } = {}) {
  const Email = newAddress();
  const post = async (path: string, form: Record<string, string>) => {
    const response = await request.post(`/api/${path}`, { form, headers: { "sec-fetch-site": "same-origin" } });
    expect(response.status()).toBe(200);
    return response.json();
  };
  const person = { Firstname: "Wilma", Lastname: "Laurent", Birthday: "1990-07-14", LoyaltySubscribe: "true" };
  await post("customer", { Email, Password: password, ...person });
  const { Card } = await (await request.get("/api/loyalty/customer")).json();
  let code = "";
  if (voucher) {
    await grant(Email, 1_000);
    const Token = (await mailedLink(request, Email, "/account/email")).split("token=")[1] ?? "";
    await post("customer/email/verify", { Token });
    code = (await post("loyalty/reward/1/obtain", { IdLoyaltyReward: "1" })).CustomerReward.Code;
  }
  const { cookies } = await request.storageState();
  return { email: Email, number: Card.Number as string, code, cookies };
}

/** Signs a member in without the form. */
export async function becomeMember(window: Driver, { cookies }: Awaited<ReturnType<typeof makeMember>>) {
  // A cookie needs a page of the site first.
  await window.goto(`${site}/readyz`);
  await window.setCookies(cookies.map(({ name, value }) => ({ name, value })));
}

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { text as textIn } from "../browser.ts";
import { mailedCode, mailedLink } from "../mailbox.ts";
import { grant } from "../member.ts";
import { scan } from "../scanner.ts";
import { type Driver, until } from "./driver.ts";
import { expect, site, test } from "./engine.ts";

/** The same walk in each engine, in French: what a customer, a shop and the head office do on a day. */

const t = (id: string, values = {}) => textIn("fr", id, values);
const password = "Secret-2026";
const phone = { width: 390, height: 844 };
const subscribe = `${site}/account/loyalty/subscribe`;
const enterKey = { key: "Enter" } as const;
const escapeKey = { key: "Escape" } as const;

const isOn = (window: Driver, path: string) =>
  until(path, () => window.run((wanted) => location.pathname === wanted, path));
const isShown = (window: Driver, selector: string) =>
  until(selector, () =>
    window.run(
      (wanted) => [...document.querySelectorAll(wanted)].some((element) => element.getClientRects().length > 0),
      selector,
    ),
  );
const says = (window: Driver, words: string) =>
  until(words, () =>
    window.run((wanted) => document.body.innerText.toLowerCase().includes(wanted.toLowerCase()), words),
  );

/** React has taken over every part of the page. */
const isHydrated = (window: Driver) =>
  until("hydration", () =>
    window.run(() =>
      [...document.querySelectorAll("body, a, button, form, footer")].every((element) =>
        Object.keys(element).some((key) => key.startsWith("__react")),
      ),
    ),
  );

async function visit(window: Driver, path: string) {
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
const showsCode = (window: Driver, code: string) =>
  until(`the code ${code}`, async () => (await readCodes(window)).includes(code), 10);

/** Pictures to lay side by side, with PICTURES=folder. */
async function picture(window: Driver, name: string) {
  const folder = process.env["PICTURES"];
  if (!folder) return;
  mkdirSync(`${folder}/${name}`, { recursive: true });
  writeFileSync(`${folder}/${name}/${test.info().project.name}.png`, await window.screenshot());
}

async function expectNoFaults(window: Driver) {
  expect(await window.takeFaults()).toEqual([]);
  expect(await window.run(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
}

async function signIn(window: Driver, email: string, secret = password) {
  await visit(window, "/authenticate/login");
  await window.type("[name=Email]", email);
  await window.type("[name=Password]", secret);
  await window.click("form [type=submit]");
}

/** Signed in, on whichever page of the account it leads to. */
async function isSignedIn(window: Driver) {
  await until("the account", () => window.run(() => location.pathname.startsWith("/account")));
  await isHydrated(window);
}

const newAddress = () => `walk-${Date.now()}-${Math.floor(Math.random() * 1_000)}@exemple.fr`;

/** Registers by the form, in two steps. */
async function register(window: Driver, email: string) {
  await visit(window, "/authenticate/register");
  await window.type("[name=Email]", email);
  await window.type("[name=Password]", password);
  await window.click(`text=${t("register.next")}`);
  await window.type("[name=Firstname]", "Wilma");
  await window.type("[name=Lastname]", "Laurent");
  await window.click("[name=Birthday]");
  await window.press("14071990");
  await picture(window, "register");
  await window.click("#details label:has([name=LoyaltySubscribe])");
  await window.click("#details [type=submit]");
  await isOn(window, "/account");
  await isHydrated(window);
}

/** Registers by the call that the form makes. */
async function join(window: Driver, Email: string) {
  await window.goto(`${site}/help`);
  const person = { Firstname: "Wilma", Lastname: "Laurent", Birthday: "1990-07-14", LoyaltySubscribe: "true" };
  await post(window, "customer", { Email, Password: password, ...person });
}
async function post(window: Driver, path: string, form: Record<string, string>) {
  const status = await window.run(
    async (path, form) => (await fetch(`/api/${path}`, { method: "POST", body: new URLSearchParams(form) })).status,
    path,
    form,
  );
  expect(status).toBe(200);
}
const cardNumber = (window: Driver) =>
  window.run(async () => (await (await fetch("/api/loyalty/customer")).json()).Card.Number as string);

test("a customer", async ({ openWindow, request }) => {
  const window = await openWindow({ ...phone, pixelRatio: 2 });
  const email = newAddress();
  await test.step("home", async () => {
    await visit(window, "/");
    await picture(window, "home");
    await expectNoFaults(window);
  });
  await test.step("registering with errors, then without", async () => {
    await visit(window, "/authenticate/register");
    await window.click(`text=${t("register.next")}`);
    await until("the focus on the first error", () =>
      window.run(() => document.activeElement?.matches("[name=Email][aria-invalid=true]")),
    );
    await register(window, email);
    await expectNoFaults(window);
  });
  await test.step("signing out and in, with a wrong password, the password and a mailed code", async () => {
    await window.click(".bottom-bar summary");
    await picture(window, "menu");
    await window.press(escapeKey);
    await until("the menu closed", () =>
      window.run(() => !document.querySelector(".bottom-bar details")?.hasAttribute("open")),
    );
    await window.click(".bottom-bar summary");
    await window.click(`text=${t("menu.logout")}`);
    await isOn(window, "/");
    await signIn(window, email, "Falsch-2026");
    await isShown(window, "[aria-invalid=true], [role=alert]");
    await picture(window, "sign-in");
    await signIn(window, email);
    await isSignedIn(window);
    await window.click(".bottom-bar summary");
    await window.click(`text=${t("menu.logout")}`);
    await isOn(window, "/");
    await visit(window, "/authenticate/login");
    await window.type("[name=Email]", email);
    await window.click(`text=${t("login.withCode")}`);
    await isShown(window, "[name=Code]");
    await window.type("[name=Code]", await mailedCode(request, email));
    await window.click("form [type=submit]");
    await isSignedIn(window);
    await expectNoFaults(window);
  });
  await test.step("the address is confirmed, points become a voucher, scanners read both codes", async () => {
    const link = await mailedLink(request, email, "/account/email");
    await visit(window, link);
    await window.click(`text=${t("email.submit")}`);
    await until("the address confirmed", () =>
      window.run(async () => (await (await fetch("/api/customer")).json()).EmailVerified),
    );
    await grant(email, 1_000);
    await window.goto(subscribe);
    await isHydrated(window);
    await showsCode(window, `EAN13:${await cardNumber(window)}`);
    await picture(window, "member");
    await expectNoFaults(window);
    await window.click(`text=${t("member.enlarge")}`);
    await isShown(window, "dialog[open] img");
    await showsCode(window, `EAN13:${await cardNumber(window)}`);
    await picture(window, "code");
    await window.press(escapeKey);
    await until("the dialog closed", () => window.run(() => !document.querySelector("dialog[open]")));
    await window.click(`text=${t("member.obtainShort")}`);
    await window.click(`text=${t("member.obtainConfirm", { amount: "" }).trim()}`);
    await isShown(window, "#vouchers details[open]");
    await isHydrated(window);
    await window.click(`text=${t("member.voucherShow")}`);
    await isShown(window, "dialog[open] img");
    const code = await window.run(
      () => [...document.querySelectorAll("dialog[open] p")].at(-1)?.textContent?.trim() ?? "",
    );
    await showsCode(window, `Code128:${code}`);
    await window.press(escapeKey);
    await expectNoFaults(window);
  });
  await test.step("details with a wrong date, and another language", async () => {
    await visit(window, "/account/informations");
    await window.type("[name=Birthday]", "99/99/1990");
    await window.click(`text=${t("informations.save")}`);
    await isShown(window, "[name=Birthday][aria-invalid=true]");
    await picture(window, "details");
    await visit(window, "/account");
    await window.click("header button[aria-haspopup=dialog]");
    await window.click("dialog[open] label:has([value=de])");
    await window.click("dialog[open] [type=submit]");
    await until("German", () => window.run(() => document.documentElement.lang === "de"));
    await expectNoFaults(window);
  });
});

for (const pixelRatio of [1, 3])
  test(`scanners read the card at pixel ratio ${pixelRatio}`, async ({ openWindow, engine }) => {
    test.skip(engine === "wpe", "its window has one pixel ratio");
    const window = await openWindow({ ...phone, pixelRatio });
    await join(window, newAddress());
    await window.goto(subscribe);
    await isHydrated(window);
    expect(await window.run(() => devicePixelRatio)).toBe(pixelRatio);
    await showsCode(window, `EAN13:${await cardNumber(window)}`);
  });

test("a card without a network, and a till with and without one", async ({ openWindow, cable, request }) => {
  const window = await openWindow({ ...phone, pixelRatio: 2 });
  const email = newAddress();
  await join(window, email);
  await grant(email, 1_000);
  const Token = (await mailedLink(request, email, "/account/email")).split("token=")[1] ?? "";
  await post(window, "customer/email/verify", { Token });
  await post(window, "loyalty/reward/1/obtain", { IdLoyaltyReward: "1" });
  const number = await cardNumber(window);
  await test.step("the card is shown without a network", async () => {
    await window.goto(subscribe);
    await isHydrated(window);
    await until("a stored card and its service worker", () =>
      window.run(
        async () =>
          navigator.serviceWorker.controller !== null &&
          (await caches.keys()).some((name) => name.startsWith("cercle-card-")),
      ),
    );
    cable.pull();
    await window.goto(subscribe);
    await says(window, t("offline.kicker"));
    await showsCode(window, `EAN13:${number}`);
    await picture(window, "offline");
    await cable.plug();
  });
  await test.step("a till is paired, a person signs in", async () => {
    const { Code, Pin } = await (await request.get(`${site}/sandbox/till.json`)).json();
    await window.goto(`${site}/till`);
    await window.type("#code", Code);
    await window.click(`text=${t("till.pair.submit")}`);
    await window.click(".till-people button");
    await until("the PIN's keys", () => window.run(() => !document.querySelector(".till-people")));
    await window.press(Pin);
    await isShown(window, ".till-ready");
    await window.run(async () => void (await navigator.serviceWorker.ready));
  });
  await test.step("a sale with a scanned card and a voucher", async () => {
    await window.press(number, enterKey);
    await isShown(window, ".till-points");
    await window.type("#amount", "40");
    await window.click(".till-voucher");
    await isShown(window, ".till-voucher[aria-pressed=true]");
    await says(window, "30,00");
    await picture(window, "till");
    await window.click(`text=${t("till.record")}`);
    await isShown(window, ".till-facts");
    await expectNoFaults(window);
  });
  await test.step("a return of it", async () => {
    const receipt = await window.run(() => [...document.querySelectorAll(".till-facts dd")].at(-1)?.textContent ?? "");
    await window.press(receipt.trim(), enterKey);
    await isShown(window, ".till-preview");
    await window.click(`text=${t("till.return.submit")}`);
    await says(window, t("till.return.done2"));
    await window.click(`text=${t("till.next")}`);
  });
  await test.step("a sale without a network, sent when it is back", async () => {
    const points = () =>
      window.run(async () => {
        const { Points } = await (await fetch("/api/loyalty/customer")).json();
        return Points.Available + Points.Pending;
      });
    const before = await points();
    cable.pull();
    await window.press(number, enterKey);
    await says(window, number.slice(-4));
    await window.type("#amount", "10");
    await window.click(`text=${t("till.keep")}`);
    await says(window, t("till.waiting"));
    // The screen opens without a network too, and nothing is lost.
    await window.goto(`${site}/till`);
    await says(window, t("till.whoOffline"));
    await cable.plug();
    await window.click(`text=${t("till.retry")}`);
    await until("the points of the sale", async () => (await points()) > before);
    await expectNoFaults(window);
  });
});

test("the back office: signing in and every page", async ({ openWindow }) => {
  const window = await openWindow({ width: 1280, height: 900, pixelRatio: 1 });
  await window.goto(`${site}/sandbox/office`);
  await window.click("text=Paul");
  await isShown(window, ".office-menu");
  for (const page of [
    "customers",
    "approvals",
    "shops",
    "programme",
    "campaigns",
    "figures",
    "webhooks",
    "team",
    "audit",
    "look-ups",
    "me",
  ])
    await test.step(page, async () => {
      await window.goto(`${site}/office/${page}`);
      await isShown(window, "main h1");
      if (page === "customers" || page === "figures") await picture(window, `office-${page}`);
      await expectNoFaults(window);
    });
});

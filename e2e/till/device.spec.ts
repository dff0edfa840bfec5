import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { expect, expectAccessible, test, text } from "../support/browser.ts";
import { fakeCamera, holdBeforeCamera } from "../support/fake-camera.ts";
import { joinAs, pointsOf } from "../support/member.ts";
import { openTill, scan } from "../support/till-device.ts";

test.use({ tolerated: /ERR_INTERNET_DISCONNECTED|40[0149]|Failed to load resource/ });

const say = (id: string, values = {}) => text("fr", `till.${id}`, values);

test("pairing and PIN on the screen; locked by hand with the sale kept; a revoked device is out within a minute", async ({
  context: customer,
  browser,
  request,
}) => {
  const { number } = await joinAs(customer, { firstname: "Camille" });
  const { Code, Pin } = await (await request.get("/sandbox/till.json")).json();
  const context = await browser.newContext({ viewport: { width: 768, height: 1024 } });
  const till = await context.newPage();
  await till.clock.install();
  await till.goto("/till");
  // An empty code is told as a short one is, not in the browser's language.
  await till.getByRole("button", { name: say("pair.submit") }).click();
  await expect(till.locator(".till-form .error")).toHaveText(say("pair.wrong"));
  await till.locator("[name=Code]").fill("ZZZZZZZZ");
  await till.getByRole("button", { name: say("pair.submit") }).click();
  await expect(till.locator(".till-form .error")).toHaveText(text("fr", "refusal.pairing_invalid"));
  await expectAccessible(till, "pairing");
  await till.locator("[name=Code]").fill(Code.toLowerCase());
  await till.getByRole("button", { name: say("pair.submit") }).click();
  await till
    .locator(".till-people")
    .getByRole("button", { name: /^Alix M\./ })
    .click();
  const enter = async (pin: string) => {
    for (const digit of pin) await till.getByRole("button", { name: digit, exact: true }).click();
  };
  await enter(Pin === "135790" ? "135791" : "135790");
  await expect(till.getByRole("alert").filter({ hasText: text("fr", "refusal.wrong_pin") })).toBeVisible();
  await expectAccessible(till, "PIN");
  await till.keyboard.type(Pin);
  // Typed: under a clock of the test's own, the keys of a scan would be as late as the machine is busy.
  const field = till.getByLabel(say("readyField"));
  await field.fill(number);
  await field.press("Enter");
  await expect(till.locator(".till-points")).toBeVisible();
  await till.locator("#amount").fill("42");

  // Three minutes without a touch.
  await till.clock.fastForward(181_000);
  await expect(till.getByText(say("kept"))).toBeVisible();
  await expect.poll(async () => (await context.request.get("/api/till/receipt?ReceiptNumber=x")).status()).toBe(401);
  await till
    .locator(".till-people")
    .getByRole("button", { name: /^Alix M\./ })
    .click();
  await till.keyboard.type(Pin);
  await expect(till.locator("#amount")).toHaveValue("42");

  const device = (await context.cookies()).find(({ name }) => name === "till.device")?.value ?? "";
  execFileSync(process.execPath, ["dist/server/till.js", "revoke", device.split(/[._]/)[0] ?? ""], {
    env: { ...process.env, DATA_DIR: process.env["E2E_DATA_DIR"] },
  });
  await till.clock.fastForward(31_000);
  await expect(till.locator("[name=Code]")).toBeVisible();
  await context.close();
});

test("sales made without a network survive a closed browser and are each counted once", async ({
  context: customer,
  baseURL,
}) => {
  const { number } = await joinAs(customer, { firstname: "Camille" });
  const executablePath = process.env["CHROMIUM"];
  const folder = mkdtempSync(join(tmpdir(), "cercle-till-"));
  const options = {
    serviceWorkers: "allow" as const,
    viewport: { width: 390, height: 844 },
    baseURL: baseURL ?? "",
    ...(executablePath && { executablePath }),
  };
  const open = (offline = false) => chromium.launchPersistentContext(folder, { ...options, offline });
  let context = await open();
  const { till, pin } = await openTill(context);
  // Installed: from now on the page opens without a network.
  await till.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await context.setOffline(true);
  for (const amount of ["10", "20"]) {
    await scan(till, number);
    await expect(till.getByRole("heading", { name: `Carte …${number.slice(-4)}` })).toBeVisible();
    await till.locator("#amount").fill(amount);
    await till.getByRole("button", { name: say("keep") }).click();
    await expect(till.locator(".till-band")).toContainText("en attente.");
    await till.getByRole("button", { name: say("queue.next") }).click();
  }
  // What needs the network says so.
  await till.locator("#ready").fill("camille@exemple.fr");
  await till.locator("#ready").press("Enter");
  await expect(till.getByRole("alert").filter({ hasText: say("needsNetwork") })).toBeVisible();
  await context.close();
  expect(await pointsOf(customer)).toBe(250);

  context = await open(true);
  const again = await context.newPage();
  await again.goto("/till");
  await expect(again.getByText(say("whoOffline"))).toBeVisible();
  await context.setOffline(false);
  // It goes on by itself. The session may have ended meanwhile; then a PIN is asked for.
  const ready = again.locator(".till-ready");
  const person = again.locator(".till-people").getByRole("button", { name: /^Alix M\./ });
  await expect(ready.or(person).first()).toBeVisible();
  if (await person.isVisible()) {
    await person.click();
    await again.keyboard.type(pin);
  }
  await expect.poll(() => pointsOf(customer)).toBe(280);
  // Nothing is sent twice, whatever is sent again.
  await again.reload();
  await expect(ready).toBeVisible();
  expect(await pointsOf(customer)).toBe(280);
  await context.close();
});

test("the camera reads a card from a phone's screen", async ({ context: customer, baseURL }) => {
  // The headless shell has no camera, not even a false one.
  const full = "/usr/bin/chromium";
  test.skip(!existsSync(full), `${full} is not installed`);
  const { number } = await joinAs(customer, { firstname: "Camille" });
  const film = join(mkdtempSync(join(tmpdir(), "cercle-camera-")), "card.y4m");
  holdBeforeCamera(film, { kind: "ean13", text: number });
  const browser = await chromium.launch({ executablePath: full, args: fakeCamera(film) });
  const context = await browser.newContext({
    baseURL: baseURL ?? "",
    permissions: ["camera"],
    viewport: { width: 390, height: 844 },
  });
  const { till } = await openTill(context);
  await till
    .getByRole("main")
    .getByRole("button", { name: say("camera.open") })
    .click();
  await expect(till.getByRole("heading", { name: "Camille L." })).toBeVisible();
  await browser.close();
});

test("a customer's pages may use no camera and no WebAssembly, and load nothing of the till", async ({
  page,
  request,
}) => {
  const till = await request.get("/till");
  expect(till.headers()["content-security-policy"]).toContain("wasm-unsafe-eval");
  expect(till.headers()["permissions-policy"]).toContain("camera=(self)");
  const files = [...(await till.text()).matchAll(/\/assets\/till[\w.-]+/g)].map(([file]) => file);
  expect(files.length).toBeGreaterThan(0);
  for (const path of ["/", "/account/loyalty/subscribe", "/store/qrcode"]) {
    const loaded: string[] = [];
    page.on("request", (sent) => loaded.push(new URL(sent.url()).pathname));
    const response = await page.goto(path);
    expect(response?.headers()["content-security-policy"]).not.toContain("wasm-unsafe-eval");
    expect(response?.headers()["permissions-policy"]).toContain("camera=()");
    await page.waitForLoadState("networkidle");
    expect(loaded.filter((file) => file.includes("till") || file.includes("zxing"))).toEqual([]);
  }
});

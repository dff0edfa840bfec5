import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BrowserContext } from "@playwright/test";
import { expect, test, text } from "../support/browser.ts";
import { createProcesses, portOf } from "../support/processes.ts";
import { openTill, scan } from "../support/till-device.ts";

// The steps of docs/moving-in-a-day.md, in its order.
const members = process.env["MEMBERS"] ?? "50000";
const { folder, start, clear } = createProcesses();
test.afterAll(clear);
test.use({ tolerated: /ERR_INTERNET_DISCONNECTED|40[0149]|Failed to load resource/ });

/** Everybody's in the old club. */
const oldPassword = "atelier2026";

interface Installation {
  DATA_DIR: string;
  BRAND_DIR: string;
}
const program = (name: string) => `dist/server/${name}.js`;

/** Runs a command of the product, and gives its code with what it printed. */
async function run(installation: Partial<Installation>, name: string, ...words: string[]) {
  try {
    const done = await promisify(execFile)(process.execPath, [program(name), ...words], {
      env: { ...process.env, ...installation },
      maxBuffer: 64 * 1_024 ** 2,
    });
    return { code: 0, printed: done.stdout + done.stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, printed: stdout + stderr };
  }
}

/** The files of a package with their control sums. */
const filesOf = (pack: string) => JSON.parse(readFileSync(join(pack, "manifest.json"), "utf8")).Files;

/** The rows of a package's file, by column: no value of these files holds a comma. */
function rowsOf(pack: string, file: string): Record<string, string>[] {
  const [head = "", ...lines] = readFileSync(join(pack, file), "utf8").trim().split(/\r?\n/);
  const columns = head.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((value, place) => [columns[place], value])));
}

function firstRow(pack: string, file: string, fits: (row: Record<string, string>) => boolean): Record<string, string> {
  const found = rowsOf(pack, file).find(fits);
  if (!found) throw new Error(`No such row in ${file}`);
  return found;
}

test("a retailer moves in within a day, works, and could leave again with everything", async ({ browser }) => {
  const work = folder();
  const brand = join(work, "brand");
  const pack = join(work, "old-club");
  const first: Installation = { DATA_DIR: join(work, "data"), BRAND_DIR: brand };
  const port = portOf(0);
  const baseURL = `http://localhost:${port}`;
  const open = (options = {}): Promise<BrowserContext> => browser.newContext({ baseURL, locale: "fr-FR", ...options });

  await test.step("the brand", async () => {
    expect((await run({}, "brand", "new", brand)).code).toBe(0);
    const file = join(brand, "brand.json");
    const written = readFileSync(file, "utf8")
      .replaceAll("Cercle", "Aurore")
      .replaceAll("cercle.example", "aurore.example");
    writeFileSync(file, written);
    expect(await run({}, "brand", "check", brand)).toEqual({
      code: 0,
      printed: expect.stringContaining("can be used"),
    });
  });

  const product = await test.step("the start", () =>
    start({ ...first, PORT: String(port) }, [process.execPath, program("start")], "is open"));
  expect(product.words()).toContain("is open");
  expect(await (await fetch(`${baseURL}/`)).text()).not.toMatch(/Cercle/);

  let rejected = 0;
  await test.step("the old club: check, rehearsal, commit, reconciliation", async () => {
    execFileSync(process.execPath, ["examples/old-club/generate.mjs", pack, "--members", members, "--damaged"]);
    const checked = await run(first, "move", "check", pack);
    rejected = Number(/(\d+) rows or values rejected/.exec(checked.printed)?.[1]);
    expect(rejected, checked.printed).toBeGreaterThan(0);
    // Read before they are accepted.
    expect(readFileSync(join(pack, "rejected.csv"), "utf8").trim().split("\n").length).toBe(rejected + 1);
    const rehearsed = await run(first, "move", "rehearse", pack);
    expect(rehearsed.printed).toContain("Everything is equal");
    expect((await run(first, "move", "commit", pack)).code, "rejected rows were not accepted").toBe(1);
    const committed = await run(first, "move", "commit", pack, "--accept-rejected", String(rejected));
    expect(committed).toEqual({ code: 0, printed: expect.stringContaining("Everything is equal") });
    const id = /Run (\d+):/.exec(committed.printed)?.[1] ?? "";
    expect((await run(first, "move", "report", id)).printed).toContain("Everything is equal");
    expect(await run(first, "verify")).toMatchObject({ code: 0 });
  });

  const voucher = firstRow(pack, "vouchers.csv", ({ SourceId = "" }) => Number(SourceId.replace(/\D/g, "")) % 97 !== 0);
  const old = firstRow(pack, "members.csv", ({ SourceId }) => SourceId === voucher["SourceId"]);
  const card = firstRow(pack, "cards.csv", ({ SourceId }) => SourceId === voucher["SourceId"]);

  await test.step("a member signs in with the old password and finds everything", async () => {
    const context = await open({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto("/authenticate/login");
    await page.getByLabel(text("fr", "identity.email")).fill(old["Email"] ?? "");
    await page.locator("[name=Password]").fill(oldPassword);
    await page.locator("main .button.solid[type=submit]").click();
    await expect(page).toHaveURL(/\/account/);
    await page.goto("/account/loyalty/subscribe");
    await expect(page.locator("main")).toContainText(text("fr", "member.moved"));
    await page.goto("/account/loyalty/subscribe?tab=vouchers");
    await expect(page.getByText(voucher["Code"] ?? "").first()).toBeVisible();
    await context.close();
  });

  await test.step("staff sign in with their company account", async () => {
    const context = await open();
    const office = await context.newPage();
    await office.goto("/office");
    await office.getByRole("link", { name: text("fr", "office.company.signIn") }).click();
    await office.getByRole("button", { name: /Nadia Benali/ }).click();
    await expect(office.locator(".office-menu")).toBeVisible();
    await office.goto("/office");
    await context.clearCookies();
    // Somebody whose groups give no access.
    await office.goto("/office");
    await office.getByRole("link", { name: text("fr", "office.company.signIn") }).click();
    await office.getByRole("button", { name: /Marc Petit/ }).click();
    await expect(office.getByText(text("fr", "office.company.refused.no_access"))).toBeVisible();
    await context.close();
  });

  await test.step("the web shop: sign-in, a sale, a refund", async () => {
    const context = await open();
    const shop = await context.newPage();
    const say = (id: string) => text("fr", `sandbox.shop.sell.${id}`);
    await shop.goto("/sandbox/shop");
    await shop.getByRole("link", { name: text("fr", "sandbox.embed.signIn", { brand: "Aurore" }) }).click();
    await shop.getByLabel(text("fr", "identity.email")).fill(old["Email"] ?? "");
    await shop.locator("[name=Password]").fill(oldPassword);
    await shop.getByRole("button", { name: text("fr", "login.submit") }).click();
    await shop.getByRole("button", { name: `${say("add")} ${say("coat")}` }).click();
    await shop.getByRole("button", { name: say("pay"), exact: true }).click();
    await expect(shop.locator(".receipt").first()).toContainText("320");
    await shop.getByRole("button", { name: `${say("back")} ${say("coat")}` }).click();
    await expect(shop.locator(".receipt").first()).toContainText(say("taken").split(" ")[0] ?? "");
    await context.close();
  });

  await test.step("a till: the old card and the old voucher, then a sale without a network", async () => {
    const context = await open({ viewport: { width: 1024, height: 768 }, serviceWorkers: "allow" });
    const { till } = await openTill(context);
    await scan(till, card["CardNumber"] ?? "");
    await expect(till.getByRole("heading", { name: new RegExp(`^${old["Firstname"]} `) })).toBeVisible();
    await till.locator(".till-voucher").first().click();
    await till.locator("#amount").fill("90");
    await till.locator(".till-record").click();
    await expect(till.locator(".till-done")).toBeVisible();
    await till.reload();
    await expect(till.locator(".till-ready")).toBeVisible();
    await context.setOffline(true);
    await scan(till, card["CardNumber"] ?? "");
    await till.locator("#amount").fill("40");
    await till.getByRole("button", { name: text("fr", "till.keep") }).click();
    await expect(till.locator(".till-band")).toContainText("en attente.");
    await context.setOffline(false);
    await expect(till.locator(".till-band")).toContainText(text("fr", "till.queue.sent2"));
    await context.close();
  });

  await test.step("the books hold, and analysts get theirs", async () => {
    expect(await run(first, "verify")).toMatchObject({ code: 0 });
    const warehouse = join(work, "warehouse");
    mkdirSync(warehouse);
    expect((await run(first, "warehouse", warehouse)).printed).toMatch(/sales\s+\d+/);
    expect(readdirSync(join(warehouse, "manifests"))).toHaveLength(1);
  });

  await test.step("everything could leave again: the package in a second installation", async () => {
    const second: Installation = { DATA_DIR: join(work, "data-2"), BRAND_DIR: brand };
    const other = await start({ ...second, PORT: String(portOf(1)) }, [process.execPath, program("start")], "is open");
    const [there, back] = [join(work, "export"), join(work, "export-2")];
    expect((await run(first, "move", "export", there)).code).toBe(0);
    for (const name of new Set(rowsOf(there, "receipts.csv").map(({ Shop }) => Shop ?? "")))
      await run(second, "shop", "add", name, "Paris");
    expect((await run(second, "move", "check", there)).printed).toContain("0 rows or values rejected");
    for (const step of ["rehearse", "commit"])
      expect((await run(second, "move", step, there)).printed).toContain("Everything is equal");
    expect((await run(second, "move", "export", back)).code).toBe(0);
    expect(filesOf(back)).toEqual(filesOf(there));
    other.child.kill("SIGTERM");
    expect(await other.ended).toBe(0);
  });
  product.child.kill("SIGTERM");
  expect(await product.ended).toBe(0);
});

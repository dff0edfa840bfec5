import type { Page } from "@playwright/test";
import pg from "pg";
import { expect, expectAccessible, test, text } from "../support/browser.ts";
import { joinAs, obtainVoucher, pointsOf } from "../support/member.ts";
import { postmasterOf } from "../support/processes.ts";
import { openTill, pressNamed, scan } from "../support/till-device.ts";

test.use({ tolerated: /ERR_INTERNET_DISCONNECTED|40[0149]|500|Failed to load resource/ });

const say = (id: string, values = {}) => text("de", `till.${id}`, values);
const press = (till: Page, id: string, values = {}) => pressNamed(till, say(id, values));

test("the sale in hand outlives a refused voucher, a look at what waits and a return", async ({
  context: customer,
  browser,
}) => {
  const { number } = await joinAs(customer, { firstname: "Camille", points: 1_200 });
  const [used, good] = [await obtainVoucher(customer), await obtainVoucher(customer)];
  const context = await browser.newContext({ viewport: { width: 820, height: 1180 } });
  const { till } = await openTill(context, "de");
  await scan(till, used);
  await till.locator("#amount").fill("50");
  await press(till, "record");
  await till.getByRole("button", { name: say("next") }).click();

  await scan(till, number);
  await expect(till.locator(".till-points")).toBeVisible();
  await till.locator("#amount").fill("60");
  await scan(till, used);
  await expect(till.locator(".till-band")).toContainText(text("de", "refusal.voucher_used"));
  // The next voucher is scanned while the refusal stands.
  await scan(till, good);
  await expect(till.locator('.till-voucher[aria-pressed="true"]')).toHaveCount(1);
  await expect(till.locator(".till-sum")).toContainText("50,00");
  // A second refusal says what is to pay with the voucher that is held.
  await scan(till, "QQQQQQQQQQQQ");
  await expect(till.locator(".till-tell")).toContainText("50,00");
  await press(till, "goOnWithout");
  await expect(till.locator(".till-voucher")).toHaveCount(1);

  await press(till, "return.title");
  await press(till, "back");
  await expect(till.locator(".till-sum")).toContainText("50,00");
  await expect(till.getByRole("heading", { name: "Camille L." })).toBeVisible();

  // Without a network another sale waits; what waits is looked at during a sale.
  await press(till, "drop");
  await context.setOffline(true);
  const receipt = `K-${Date.now()}`;
  await press(till, "without");
  await till.locator("#amount").fill("5");
  await scan(till, receipt);
  await press(till, "keep");
  await press(till, "queue.next");
  await press(till, "without");
  await till.locator("#amount").fill("7");
  // The same number again, for another sale: neither is lost.
  await scan(till, receipt);
  await press(till, "keep");
  await expect(till.locator(".till-band")).toContainText(say("queue.numberWaits"));
  await scan(till, `${receipt}-2`);
  await expect(till.locator(".till-sum")).toContainText("7,00");
  await till.getByRole("button", { name: `1 ${say("waiting")}` }).click();
  await press(till, "backToSale");
  await expect(till.locator(".till-sum")).toContainText("7,00");
  await context.close();
});

test("a sale that the server refuses afterwards is shown as refused, rung up again under one new number, and counts once", async ({
  context: customer,
  browser,
}) => {
  const { number } = await joinAs(customer, { firstname: "Camille" });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const { till } = await openTill(context, "de");
  await scan(till, number);
  await till.locator("#amount").fill("10");
  await press(till, "record");
  const receipt = await till.locator(".till-facts dd").last().innerText();
  await press(till, "next");
  await context.setOffline(true);
  await scan(till, number);
  for (const amount of ["19", "1", "1", "1"]) {
    await till.locator("#amount").fill(amount);
    await till.locator("#amount").press("Enter");
  }
  await till.locator("#amount").fill("1");
  // The number of a sale that the server has already, with another amount.
  await scan(till, receipt);
  await press(till, "keep");
  await press(till, "queue.next");
  // Each line pushes the field down; it stays above what is to pay.
  await press(till, "without");
  for (const amount of ["1", "2", "3", "4", "5", "6"]) {
    await till.locator("#amount").fill(amount);
    await till.locator("#amount").press("Enter");
  }
  const bottom = async (part: string) => {
    const box = await till.locator(part).boundingBox();
    return (box?.y ?? 0) + (part === "#amount" ? (box?.height ?? 0) : 0);
  };
  await expect.poll(async () => (await bottom("#amount")) <= (await bottom(".till-closing"))).toBe(true);
  await press(till, "drop");
  await context.setOffline(false);
  await till.getByRole("button", { name: `1 ${say("refusedCount")}` }).click();
  await expect(till.locator(".till-band.till-refused")).toContainText("1 Verkauf abgelehnt.");
  await expect(till.getByText(say("queue.sent2"))).toBeHidden();
  await expectAccessible(till, "refused queue");

  // In hand again, with its lines, its member and another number; in the list it stays, and is not begun a second time.
  await press(till, "queue.again");
  await expect(till.getByRole("heading", { name: "Camille L." })).toBeVisible();
  await expect(till.locator(".till-sum")).toContainText("23,00");
  const head = till.locator(".till-ticket-head h2");
  await expect(till.locator(".till-ticket li")).toHaveCount(5);
  await expect(head).toHaveText(/^Kassenbon T-/);
  expect(await head.innerText()).not.toContain(receipt);
  const list = till.getByRole("button", { name: `1 ${say("refusedCount")}` });
  await list.click();
  await expect(till.getByText(say("queue.inHand"))).toBeVisible();
  await expect(till.getByRole("button", { name: say("queue.again") })).toBeHidden();
  await press(till, "backToSale");
  await press(till, "drop");
  await list.click();
  await press(till, "queue.again");
  await expect(head).toHaveText(/^Kassenbon T-/);
  const again = await head.innerText();

  // The server records it, and the page is loaded again before it learns so: the second try is the same sale.
  let recorded = false;
  await till.route("**/api/till/purchase", async (route) => {
    await route.fetch({ maxRetries: 2 });
    recorded = true;
  });
  await press(till, "record");
  await expect.poll(() => recorded).toBe(true);
  // In this order: else the response would still arrive.
  await till.reload();
  await till.unroute("**/api/till/purchase");
  // The sale is in hand as it was.
  await expect(head).toHaveText(again);
  await press(till, "record");
  await expect(till.getByRole("heading", { name: "+23" })).toBeVisible();
  await expect(list).toBeHidden();
  expect(await pointsOf(customer)).toBe(283);

  // On a phone a return says what to give back beside its button, without a scroll.
  await press(till, "next");
  await scan(till, again.replace("Kassenbon ", ""));
  for (const number of [1, 2, 3, 4, 5]) await press(till, "return.wholeLine", { number });
  await expect(till.locator(".till-preview")).toContainText("23,00");
  const refund = till.getByRole("button", { name: /^23,00.€ erstatten$/ });
  for (const part of [till.locator(".till-preview"), refund]) await expect(part).toBeInViewport({ ratio: 1 });
  await context.close();
});

test("a till that head office took out of use says so, and what waits on it is sent when it is paired again", async ({
  context: customer,
  browser,
}) => {
  const { number } = await joinAs(customer, { firstname: "Camille" });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const { till } = await openTill(context, "de");
  await context.setOffline(true);
  await scan(till, number);
  await till.locator("#amount").fill("40");
  await press(till, "keep");
  await expect(till.locator(".till-band")).toContainText("1 Verkauf wartet.");
  const device = (await context.cookies()).find(({ name }) => name === "till.device")?.value ?? "";
  const client = new pg.Client({ connectionString: postmasterOf(process.env["E2E_DATA_DIR"] ?? "").url });
  await client.connect();
  await client.query("update shop_key set revoked_at = now() where prefix = $1", [device.split(".")[0]]);
  await client.end();
  await context.setOffline(false);
  await expect(till.getByText(say("pair.revokedText"))).toBeVisible();
  await till.reload();
  await expect(till.getByRole("heading", { name: say("pair.revoked") })).toBeVisible();
  await expect(till.getByText(/^1 Verkauf wartet noch auf diesem Gerät\./)).toBeVisible();
  await expectAccessible(till, "revoked");
  expect(await pointsOf(customer)).toBe(250);

  const { Code, Pin } = await (await context.request.get("/sandbox/till.json")).json();
  await till.locator("[name=Code]").fill(Code);
  await press(till, "pair.submit");
  await till.getByRole("button", { name: /^Alix M\./ }).click();
  await till.keyboard.type(Pin);
  await expect(till.locator(".till-ready")).toBeVisible();
  await expect.poll(() => pointsOf(customer)).toBe(290);
  await expect(till.locator(".till-count")).toBeHidden();

  // One that was never a till is asked for a code, and no more.
  const stranger = await browser.newContext();
  const fresh = await stranger.newPage();
  await fresh.goto("/de/till");
  await expect(fresh.getByRole("heading", { name: say("pair.title") })).toBeVisible();
  await expect(fresh.getByText(say("pair.revokedText"))).toBeHidden();
  await stranger.close();
  await context.close();
});

test("undo says what to give back and that a new voucher was sent; too late, it is a return; a cancelled sale holds no voucher", async ({
  page,
  browser,
}) => {
  const { number } = await joinAs(page, { firstname: "Camille", points: 250 });
  await obtainVoucher(page);
  const context = await browser.newContext({ viewport: { width: 820, height: 1180 } });
  const { till } = await openTill(context, "de");
  await scan(till, number);
  await till.locator(".till-voucher").first().click();
  await expect(till.locator('.till-voucher[aria-pressed="true"]')).toBeVisible();
  // Cancelled, the sale holds nothing.
  await press(till, "drop");
  await expect(till.locator(".till-ready")).toBeVisible();
  const headers = { "sec-fetch-site": "same-origin" };
  const form = { CardNumber: number, EntryMode: "typed" };
  await expect
    .poll(async () => (await (await context.request.post("/api/till/identify", { form, headers })).json()).Customers[0])
    .toMatchObject({ Vouchers: [{ State: "available" }] });
  await scan(till, number);
  await till.locator("#amount").fill("60");
  await till.locator(".till-voucher").first().click();
  await expect(till.locator(".till-sum")).toContainText("50,00");
  await press(till, "record");
  await till.getByRole("button", { name: /^Rückgängig, noch/ }).click();
  await expect(till.locator(".till-band")).toContainText("50,00");
  // The code of the new voucher goes to the customer alone.
  await expect(till.locator(".till-tell")).toContainText(/10,00/);
  await expect(till.locator(".till-page")).not.toContainText(/[B-Z0-9]{12}/);
  // The keyboard goes on.
  await till.keyboard.press("Enter");
  await expect(till.locator(".till-ready")).toBeVisible();

  await till.clock.install();
  await till.reload();
  const field = till.getByLabel(say("readyField"));
  await field.fill(number);
  await field.press("Enter");
  await till.locator("#amount").fill("20");
  await press(till, "record");
  await expect(till.locator(".till-done")).toBeVisible();
  await till.clock.fastForward(121_000);
  await press(till, "return.title");
  // Nothing is chosen beforehand.
  await expect(till.getByRole("button", { name: say("return.submit"), exact: true })).toBeDisabled();
  await press(till, "return.wholeLine", { number: 1 });
  await expect(till.locator(".till-preview")).toContainText("20,00");
  await context.close();
});

test("a server that answers 500: the sale can be kept, and the till says whose fault it is", async ({
  context: customer,
  browser,
}) => {
  const { number } = await joinAs(customer, { firstname: "Camille" });
  const context = await browser.newContext({ viewport: { width: 820, height: 1180 } });
  const { till } = await openTill(context, "de");
  await scan(till, number);
  await till.locator("#amount").fill("33");
  const broken = () => till.route("**/api/till/**", (route) => route.fulfill({ status: 500, body: "<h1>500</h1>" }));
  await broken();
  await press(till, "record");
  await expect(till.locator(".till-band")).toContainText(say("refused.faultText"));
  await press(till, "keep");
  await expect(till.locator(".till-band")).toContainText("1 Verkauf wartet.");
  await expect(till.locator(".till-band")).toContainText(say("queue.fault", { seconds: 30 }));
  // The server is well again: no one has to wait for the next try.
  await till.unroute("**/api/till/**");
  await press(till, "queue.sendNow");
  await expect(till.locator(".till-band")).toContainText(say("queue.sent2"));
  expect(await pointsOf(customer)).toBe(283);
  await broken();
  await till.reload();
  await expect(till.getByText(say("refused.faultText"))).toBeVisible();
  await expect(till.getByText(say("nobody"))).toBeHidden();
  await till.unroute("**/api/till/**");
  await press(till, "retry");
  await expect(till.locator(".till-ready")).toBeVisible();
  await context.close();
});

test("what is typed without a focus goes into the field; an unknown receipt is named; nobody's receipt speaks of no points", async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
  const { till, pin } = await openTill(context, "de");
  const alix = till.getByRole("button", { name: /^Alix M\./ });
  await alix.click();
  await press(till, "lock");
  await alix.click();
  await till.keyboard.type(pin);
  await expect(till.locator(".till-ready")).toBeVisible();
  // A scan leaves nothing behind in the field, nor after the till was locked.
  await scan(till, "QQQQQQQQQQQQ");
  await expect(till.getByRole("alert").filter({ hasText: say("unknownVoucher") })).toBeVisible();
  await expect(till.locator("#ready")).toHaveValue("");
  await till.locator("#ready").blur();
  await till.keyboard.type("T-404", { delay: 60 });
  await expect(till.locator("#ready")).toHaveValue("T-404");
  await till.keyboard.press("Enter");
  await expect(till.getByRole("alert").filter({ hasText: "T-404" })).toBeVisible();
  await press(till, "back");
  await press(till, "without");
  await till.keyboard.type("20", { delay: 60 });
  await press(till, "record");
  const [code = ""] = /A[B-Z0-9]{11}/.exec(await till.locator(".till-claim").innerText()) ?? [];
  await till.keyboard.press("Enter");
  // The code of the receipt's points names the receipt too, also in the field of the return.
  await press(till, "return.title");
  await till.keyboard.type(code.toLowerCase(), { delay: 60 });
  await till.keyboard.press("Enter");
  // A part of a line, and never more than is left of it.
  await till.getByRole("textbox", { name: say("line", { number: 1 }) }).fill("20,01");
  await expect(till.getByRole("alert").filter({ hasText: say("return.tooMuch") })).toBeVisible();
  await till.getByRole("textbox", { name: say("line", { number: 1 }) }).fill("7,50");
  await expect(till.locator(".till-preview")).toContainText("7,50");
  await expect(till.locator(".till-preview")).not.toContainText(say("return.taken"));
  await till.getByRole("button", { name: /^7,50.€ erstatten$/ }).click();
  await expect(till.locator(".till-band")).toContainText("7,50");
  await expect(till.getByText(say("return.number"))).toBeVisible();
  await expect(till.getByText(say("return.balance"))).toBeHidden();
  await context.close();
});

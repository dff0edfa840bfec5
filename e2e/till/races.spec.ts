import type { Page } from "@playwright/test";
import { expect, test, text } from "../support/browser.ts";
import { joinAs, obtainVoucher, pointsOf } from "../support/member.ts";
import { openTill, pressNamed, scan } from "../support/till-device.ts";

test.use({ tolerated: /ERR_INTERNET_DISCONNECTED|409|Failed to load resource/ });

const press = (till: Page, id: string) => pressNamed(till, text("de", `till.${id}`));

/** The response of each call of that name reaches the till after something else. */
const after = (till: Page, call: string, awaited: () => Promise<unknown>) =>
  till.route(`**/api/till/${call}`, async (route) => {
    // The server closes a connection that was quiet for long.
    const response = await route.fetch({ maxRetries: 2 });
    await awaited();
    await route.fulfill({ response });
  });

test("what was scanned before the button was pressed belongs to the sale, and to no later one", async ({
  context: customer,
  browser,
}) => {
  const { number } = await joinAs(customer, { firstname: "Camille", points: 1_200 });
  const [voucher, good] = [await obtainVoucher(customer), await obtainVoucher(customer)];
  const context = await browser.newContext({ viewport: { width: 820, height: 1180 } });
  const { till } = await openTill(context, "de");
  let held = Promise.resolve();
  let release = () => {};
  const holdResponses = () => {
    held = new Promise((resolve) => {
      release = resolve;
    });
  };
  await after(till, "voucher/hold", () => held);
  await after(till, "identify", () => held);
  const record = async () => {
    await press(till, "record");
    release();
  };

  await scan(till, voucher);
  await till.locator("#amount").fill("60");
  await press(till, "record");
  await expect(till.locator(".till-done")).toContainText("10,00");
  await press(till, "next");

  // Of two vouchers the first is refused and the second taken: the sale is looked at before it is recorded.
  await scan(till, number);
  await till.locator("#amount").fill("60");
  holdResponses();
  await scan(till, voucher);
  await scan(till, good);
  await record();
  await expect(
    till.getByRole("alert").filter({ hasText: text("de", "till.checkFirst", { code: voucher }) }),
  ).toBeVisible();
  await expect(till.locator('.till-voucher[aria-pressed="true"]')).toHaveCount(1);
  await press(till, "drop");

  // The card is read while an amount stands there already.
  await press(till, "without");
  await till.locator("#amount").fill("20");
  holdResponses();
  await scan(till, number);
  await record();
  await expect(till.locator(".till-done")).toContainText("Camille");
  await press(till, "next");

  // A sale is let go while its voucher is on its way: the voucher is free, and the next sale has none.
  await scan(till, number);
  await expect(till.locator(".till-voucher")).toBeVisible();
  holdResponses();
  await till.locator(".till-voucher").click();
  const released = till.waitForResponse("**/api/till/voucher/release");
  await press(till, "drop");
  release();
  await released;
  await scan(till, number);
  await expect(till.locator(".till-voucher")).toHaveText(new RegExp(text("de", "till.available")));
  await expect(till.locator(".till-voucher")).toHaveAttribute("aria-pressed", "false");

  // A card is read in the very moment in which the till is there: no key is lost.
  await till.addInitScript((code) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector(".till-ready")) return;
      observer.disconnect();
      for (const key of [...code, "Enter"]) dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
    });
    observer.observe(document, { childList: true, subtree: true });
  }, number);
  await till.reload();
  await expect(till.getByRole("heading", { name: "Camille L." })).toBeVisible();
  await context.close();
});

test("a receipt's number that is scanned after a voucher takes the voucher along; after a lost response it stays", async ({
  page,
  browser,
}) => {
  const { number, email } = await joinAs(page, { firstname: "Camille", points: 250 });
  await obtainVoucher(page);
  const context = await browser.newContext({ viewport: { width: 820, height: 1180 } });
  const { till } = await openTill(context, "de");
  await scan(till, number);
  await till.locator("#amount").fill("60");
  await till.locator(".till-voucher").click();
  await expect(till.locator(".till-sum")).toContainText("50,00");
  const receipt = `K-${Date.now()}`;
  await scan(till, receipt);
  await expect(till.locator(".till-ticket-head")).toContainText(receipt);
  await expect(till.locator(".till-sum")).toContainText("50,00");
  await press(till, "record");
  await expect(till.locator(".till-done")).toContainText("10,00");
  await expect(till.locator(".till-facts")).toContainText(receipt);
  await press(till, "next");

  // Recorded, but the response is lost; a sale of a person looked up by address cannot wait on the device.
  await till.locator("#ready").fill(email);
  await till.locator("#ready").press("Enter");
  await till.locator("#amount").fill("20");
  await till.route(
    "**/api/till/purchase",
    async (route) => {
      await route.fetch({ maxRetries: 2 });
      await route.abort();
    },
    { times: 1 },
  );
  await press(till, "record");
  await expect(till.locator(".till-band")).toContainText(text("de", "till.refused.networkText"));
  await scan(till, `${receipt}-2`);
  const sent = await till.locator(".till-facts dd").last().innerText();
  expect(sent).toMatch(/^T-/);
  await expect(till.locator(".till-tell")).toHaveText(text("de", "till.numberStays", { number: sent }));
  // One band says it all, also when the network is back.
  await expect(till.locator(".till-notice")).toBeHidden();
  await scan(till, "2900000000000");
  await expect(till.locator(".till-band")).toContainText(text("de", "till.misread"));
  await expect(till.locator(".till-notice")).toBeHidden();
  await till.evaluate(() => dispatchEvent(new Event("online")));
  await expect(till.getByText("Online")).toBeVisible();
  await expect(till.locator(".till-band")).toContainText(text("de", "till.refused.backText"));
  await expect(till.locator(".till-page .solid")).toHaveText(text("de", "till.again"));
  await press(till, "again");
  await expect(till.locator(".till-done")).toContainText("20");
  const points = async () => pointsOf(page);
  await expect.poll(points).toBe(320);
  await context.close();
});

test("a card read without a network is looked up when it is back, beside whatever else is scanned", async ({
  context: customer,
  browser,
}) => {
  const { number } = await joinAs(customer, { firstname: "Camille", points: 1_200 });
  const voucher = await obtainVoucher(customer);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const { till } = await openTill(context, "de");
  await context.setOffline(true);
  await scan(till, number);
  await expect(till.getByRole("heading", { name: `Karte …${number.slice(-4)}` })).toBeVisible();
  await till.locator("#amount").fill("60");
  // The member is found while a voucher is on its way, which stays with the sale.
  const asked = till.waitForRequest("**/api/till/voucher/hold");
  const found = till.waitForResponse("**/api/till/identify");
  await after(till, "identify", () => asked);
  await after(till, "voucher/hold", () => found);
  await context.setOffline(false);
  await expect(till.getByRole("status").filter({ hasText: text("de", "till.online") })).toBeVisible();
  await scan(till, voucher);
  await found;
  await expect(till.getByRole("heading", { name: "Camille L." })).toBeVisible();
  await expect(till.locator(".till-points")).toContainText("1.200");
  await expect(till.locator("#amount")).toHaveValue("60");
  // On a phone the field stays above the foot, although so much has appeared above it.
  const field = async () => (await till.locator("#amount").boundingBox()) ?? { y: 0, height: 0 };
  const foot = async () => (await till.locator(".till-closing").boundingBox())?.y ?? 0;
  await expect.poll(async () => (await field()).y + (await field()).height - (await foot())).toBeLessThanOrEqual(0);
  await expect(till.locator('.till-voucher[aria-pressed="true"]')).toHaveCount(1);
  await expect(till.locator(".till-sum")).toContainText("50,00");
  await press(till, "record");
  await expect(till.locator(".till-done")).toContainText("10,00");
  await press(till, "next");

  // A server that takes its time over the card keeps no one from recording the sale.
  await context.setOffline(true);
  await scan(till, number);
  await till.locator("#amount").fill("20");
  await till.route("**/api/till/identify", () => {});
  await context.setOffline(false);
  await expect(till.getByRole("status").filter({ hasText: text("de", "till.online") })).toBeVisible();
  await press(till, "record");
  await expect(till.locator(".till-done")).toContainText("+25");
  await context.close();
});

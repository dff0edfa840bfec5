import { expect, expectAccessible, test, text } from "../support/browser.ts";
import { confirmAddress, joinAs } from "../support/member.ts";
import { openTill, scan } from "../support/till-device.ts";

test.use({ tolerated: /40[0149]|Failed to load resource/ });

const say = (id: string, values = {}) => text("fr", `till.${id}`, values);

test("points into a voucher, a correction, a return by card that is undone, an exchange, the end of the day", async ({
  context: customer,
  browser,
}) => {
  const { number } = await joinAs(customer, { firstname: "Camille", points: 1_200 });
  await confirmAddress(customer);
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
  const { till } = await openTill(context);
  const press = (id: string) => till.getByRole("button", { name: say(id), exact: true }).click();
  const next = () => press("next");
  const look = (state: string) => expectAccessible(till, state);

  await scan(till, number);
  await till.locator("#amount").fill("80");
  await till.locator(".till-change").last().click();
  await look("points into a voucher");
  await till.getByRole("button", { name: /^Le client est d’accord/ }).click();
  await expect(till.locator('.till-voucher[aria-pressed="true"]')).toHaveCount(1);
  await press("record");
  await expect(till.locator(".till-done")).toBeVisible();
  await next();

  // Rung up wrong, and corrected.
  await scan(till, number);
  await till.locator("#amount").fill("899");
  await press("record");
  await next();
  await till
    .getByRole("button", { name: /^Corriger le ticket/ })
    .first()
    .click();
  await expect(till.getByText("899,00 €").first()).toBeVisible();
  await till.getByRole("button", { name: say("removeLine", { number: 1 }) }).click();
  await till.locator("#amount").fill("89,90");
  await expect(till.getByRole("button", { name: say("record") })).toBeInViewport({ ratio: 1 });
  await look("a correction");
  await press("record");
  await expect(till.locator(".till-facts")).toContainText("89,90");
  const receipt = await till.locator(".till-facts dd").last().innerText();
  await look("recorded");
  await next();
  await expect(till.locator(".till-recent li").nth(1)).toContainText(say("day.isVoided"));
  await look("ready");

  // Without the receipt; the return is undone.
  await till.locator(".till-tiles button").nth(1).click();
  await scan(till, number);
  await look("receipts of a card");
  await till.getByRole("button", { name: receipt }).click();
  await till.getByRole("button", { name: say("return.wholeLine", { number: 1 }) }).click();
  await expect(till.getByRole("button", { name: say("return.exchange") })).toBeVisible();
  await look("a return");
  await till.getByRole("button", { name: /^Rembourser 89,90/ }).click();
  await look("returned");
  await till.getByRole("button", { name: /^Annuler, encore/ }).click();
  await expect(till.getByText(/89,90/)).toBeVisible();
  await look("a return undone");
  await next();

  // An exchange for something cheaper.
  await till.locator(".till-tiles button").nth(1).click();
  await scan(till, number);
  await till.getByRole("button", { name: receipt }).click();
  await till.getByRole("button", { name: say("return.wholeLine", { number: 1 }) }).click();
  await till.getByRole("button", { name: say("return.exchange") }).click();
  await till.locator("#amount").fill("60");
  await expect(till.locator(".till-sum")).toContainText("29,90");
  await look("an exchange");
  await press("record");
  await expect(till.locator(".till-facts")).toContainText("29,90");
  await look("exchanged");
  await next();

  await press("count.title");
  await till.getByLabel(say("count.receipts")).fill("3");
  await till.getByLabel(say("count.amount")).fill("130");
  await look("the end of the day");
  await press("count.submit");
  await expect(till.getByText(say("count.difference"), { exact: true })).toBeVisible();
  await look("counted");
  await context.close();
});

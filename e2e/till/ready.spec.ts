import { randomBytes } from "node:crypto";
import { expect, expectAccessible, test, text } from "../support/browser.ts";
import { joinAs, password, pointsOf } from "../support/member.ts";
import { openTill, scan } from "../support/till-device.ts";

test.use({ tolerated: /ERR_INTERNET_DISCONNECTED|40[0149]|Failed to load resource/ });

const say = (id: string, values = {}) => text("fr", `till.${id}`, values);

test("the first screen shows the last sales with undo and the day's total; a name finds a customer of this shop, and Enter alone nobody", async ({
  context: customer,
  browser,
}) => {
  const lastname = `Z${randomBytes(6).toString("hex").replace(/\d/g, "x")}`;
  const { number } = await joinAs(customer, { firstname: "Camille", lastname });
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
  const { till } = await openTill(context);
  await scan(till, number);
  await till.locator("#amount").fill("40");
  await till.getByRole("button", { name: say("record") }).click();
  await expect(till.locator(".till-done")).toBeVisible();
  await till.keyboard.press("Enter");

  const first = till.locator(".till-recent li").first();
  await expect(first).toContainText("40,00");
  await expect(first).toContainText("+40 points");
  await expect(till.locator(".till-day-net")).toHaveText("40,00 €");
  await expect(till.locator(".till-sellers")).toContainText("Alix M.");
  await expectAccessible(till, "ready with sales");
  await first.getByRole("button", { name: /^Annuler, encore/ }).click();
  await expect(till.getByRole("heading", { name: say("undone2") })).toBeVisible();
  expect(await pointsOf(customer)).toBe(250);
  await till.keyboard.press("Enter");
  await expect(first).toContainText(say("day.isVoided"));
  await expect(till.locator(".till-day-net")).toHaveText("0,00 €");
  await expect(till.getByText("1 annulée, à part.")).toBeVisible();

  // A name, while it is typed. Enter alone opens nothing.
  await till.keyboard.type(lastname.toLowerCase(), { delay: 60 });
  const line = till.locator(".till-results").getByRole("button", { name: new RegExp(`Camille ${lastname}`) });
  await expect(line).toBeVisible();
  await expectAccessible(till, "ready with a name");
  await till.keyboard.press("Enter");
  await expect(till.locator(".till-ready")).toBeVisible();
  await till.keyboard.press("ArrowDown");
  await till.keyboard.press("Enter");
  await expect(till.getByRole("heading", { name: /^Camille Z/ })).toBeVisible();
  await expect(till.getByText(say("vouchersNeedCard"))).toBeVisible();
  await context.close();
});

test("an address that has an account and no card is enrolled from the form of new members", async ({
  context: customer,
  browser,
}) => {
  const email = `${randomBytes(6).toString("hex")}@exemple.fr`;
  const form = { Email: email, Password: password, Firstname: "Ines", Lastname: "Faure", Birthday: "1990-07-14" };
  const headers = { "sec-fetch-site": "same-origin" };
  expect((await customer.request.post("/api/customer", { form, headers })).status()).toBe(200);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const { till } = await openTill(context);
  await expectAccessible(till, "ready on a phone");
  // Searched first: the form has the address already.
  await till.locator("#ready").fill(email);
  await till.keyboard.press("Enter");
  await expect(till.getByText(say("unknownPerson"))).toBeVisible();
  await till.getByRole("button", { name: say("newMember") }).click();
  await till.locator("[name=Firstname]").fill("Ines");
  await till.locator("[name=Lastname]").fill("Faure");
  await till.getByRole("button", { name: say("join.submit") }).click();
  await till.getByRole("button", { name: say("join.enrol") }).click();
  await expect(till.getByRole("heading", { name: /^Ines / })).toBeVisible();
  await till.locator("#amount").fill("10");
  await till.locator(".till-vouchers").scrollIntoViewIfNeeded();
  await till.getByRole("button", { name: say("record") }).click();
  await expect(till.getByRole("heading", { name: "+10" })).toBeInViewport({ ratio: 1 });
  await context.close();
});

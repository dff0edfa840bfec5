import { expect, expectAccessible, test, text } from "../support/browser.ts";
import { joinAs, obtainVoucher, pointsOf } from "../support/member.ts";
import { operator } from "../support/processes.ts";
import { openTill, scan } from "../support/till-device.ts";

test.use({ tolerated: /ERR_INTERNET_DISCONNECTED|40[0149]|Failed to load resource/ });

const say = (id: string, values = {}) => text("fr", `till.${id}`, values);

/** Counts what a person does: a field filled in, a button pressed. */
function countActions() {
  let count = 0;
  return {
    get count() {
      return count;
    },
    async do(action: Promise<unknown>) {
      count += 1;
      await action;
    },
  };
}

test("thirty seconds: after the scan a sale takes at most four actions, five with a voucher; undo; keyboard", async ({
  context: customer,
  browser,
}) => {
  const { number } = await joinAs(customer, { firstname: "Camille", points: 1_200 });
  const code = await obtainVoucher(customer);
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
  const { till } = await openTill(context);
  await expectAccessible(till, "ready");

  await scan(till, number);
  await expect(till.getByRole("heading", { name: "Camille L." })).toBeVisible();
  await expect(till.locator(".till-points")).toContainText("1 200");
  const plain = countActions();
  // The amount's field has the focus already.
  await plain.do(till.keyboard.type("179,85", { delay: 60 }));
  await expect(till.locator(".till-earned")).toContainText("+224");
  await expectAccessible(till, "sale");
  await plain.do(till.getByRole("button", { name: say("record") }).click());
  await expect(till.getByRole("heading", { name: "+224" })).toBeVisible();
  expect(plain.count).toBeLessThanOrEqual(4);
  expect(await pointsOf(customer)).toBe(1_424);
  await expectAccessible(till, "done");

  // Undo within two minutes.
  await till.getByRole("button", { name: /^Annuler, encore/ }).click();
  await expect(till.getByRole("heading", { name: say("undone2") })).toBeVisible();
  expect(await pointsOf(customer)).toBe(1_200);
  await till.getByRole("button", { name: say("next") }).click();

  // With a voucher, which is held at once and counts down.
  await scan(till, number, 30);
  await expect(till.locator(".till-points")).toBeVisible();
  const spent = countActions();
  await spent.do(till.keyboard.type("50", { delay: 60 }));
  await spent.do(till.locator(".till-voucher").first().click());
  await expect(till.locator(".till-voucher").first()).toContainText(/1[45]:\d\d/);
  await expect(till.locator(".till-sum")).toContainText("40,00");
  // Its barcode names the same voucher, of which the screen knows the end alone.
  await scan(till, code);
  await expect(till.locator(".till-voucher")).toHaveCount(1);
  await expect(till.locator(".till-sum")).toContainText("40,00");
  await spent.do(till.getByRole("button", { name: say("record") }).click());
  await expect(till.locator(".till-band")).toContainText("10,00");
  expect(spent.count).toBeLessThanOrEqual(5);
  expect(await pointsOf(customer)).toBe(1_250);

  // The keyboard alone: Enter goes on to the next customer, a card is typed, Enter adds the line, Enter records.
  await till.keyboard.press("Enter");
  await till.locator("#ready").focus();
  await till.keyboard.type(number, { delay: 70 });
  await till.keyboard.press("Enter");
  await expect(till.locator(".till-points")).toBeVisible();
  await till.keyboard.type("10", { delay: 60 });
  await till.keyboard.press("Enter");
  await expect(till.locator(".till-ticket li")).toHaveCount(1);
  await till.keyboard.press("Enter");
  await expect(till.getByRole("heading", { name: "+12" })).toBeVisible();
  await context.close();
});

test("a scan counts wherever the focus is: in another field, on a button, with a dialog open; a misread one is said", async ({
  context: customer,
  browser,
}) => {
  const { number } = await joinAs(customer, { firstname: "Camille" });
  const context = await browser.newContext({ viewport: { width: 768, height: 1024 } });
  const { till } = await openTill(context, "en");
  const found = till.getByRole("heading", { name: "Camille L." });
  for (const delay of [5, 30]) {
    await till.getByRole("button", { name: text("en", "till.newMember") }).click();
    await till.locator("[name=Firstname]").fill("Jea");
    await scan(till, number, delay);
    await expect(found).toBeVisible();
    await till.getByRole("button", { name: text("en", "till.drop") }).click();
    // On a button, which the scanner's Enter must not press.
    await till.getByRole("button", { name: text("en", "till.without") }).focus();
    await scan(till, number, delay);
    await expect(found).toBeVisible();
    // In the amount's field: what stood there stays.
    await till.locator("#amount").fill("12,50");
    await scan(till, number, delay);
    await expect(till.locator("#amount")).toHaveValue("12,50");
    await till.getByRole("button", { name: "Alix M." }).click();
    await scan(till, "T-0815-4711", delay);
    await expect(till.locator(".till-ticket-head")).toContainText("T-0815-4711");
    await till.getByRole("button", { name: text("en", "till.close") }).click();
    await till.getByRole("button", { name: text("en", "till.drop") }).click();
  }
  await scan(till, `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`);
  await expect(till.getByRole("alert").filter({ hasText: text("en", "till.misread") })).toBeVisible();
  await context.close();
});

test("two tills and one voucher: the second is told and goes on without; a return shows what it takes first", async ({
  context: customer,
  browser,
}) => {
  const { number } = await joinAs(customer, { firstname: "Camille", points: 250 });
  const code = await obtainVoucher(customer);
  const one = await browser.newContext({ viewport: { width: 1024, height: 768 } });
  const two = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const { till } = await openTill(one);
  const { till: other } = await openTill(two, "de");
  // A voucher names its owner, and is taken with the same scan.
  await scan(till, code);
  await expect(till.locator('.till-voucher[aria-pressed="true"]')).toBeVisible();
  await scan(other, number);
  await other.locator(".till-voucher").first().click();
  await expect(other.getByRole("heading", { name: text("de", "till.refused.held") })).toBeVisible();
  await expect(other.locator(".till-band")).toContainText(/1[45]:\d\d/);
  await expectAccessible(other, "refused");
  await other.getByRole("button", { name: text("de", "till.goOnWithout") }).click();
  await other.locator("#amount").fill("20");
  await other.getByRole("button", { name: text("de", "till.record") }).click();
  await expect(other.getByRole("heading", { name: "+20" })).toBeVisible();

  await till.locator("#amount").fill("30");
  await till.locator("#amount").press("Enter");
  await till.locator("#amount").fill("25");
  await till.getByRole("button", { name: say("record") }).click();
  await expect(till.getByRole("heading", { name: "+45" })).toBeVisible();
  const receipt = await till.locator(".till-facts dd").last().innerText();
  const before = await pointsOf(customer);
  await scan(till, receipt);
  await till.getByRole("button", { name: say("return.wholeLine", { number: 2 }) }).click();
  await expect(till.locator(".till-preview")).toContainText("20,45");
  await expectAccessible(till, "return");
  const preview = await till.locator(".till-preview").innerText();
  const [taken = "0"] = /−(\d+)/.exec(preview)?.slice(1) ?? [];
  await till.getByRole("button", { name: /^Rembourser 20,45/ }).click();
  await expect(till.getByRole("heading", { name: say("return.done2") })).toBeVisible();
  expect(await pointsOf(customer)).toBe(before - Number(taken));

  // A receipt of another shop is proved: by what was paid and the day, or by the customer's card.
  const shop = operator("add", "Cercle Lyon", "Lyon");
  const key = operator("key", shop, "Till 1");
  const SentAt = new Date().toISOString();
  const elsewhere = `S-${Date.now()}`;
  const form = { ReceiptNumber: elsewhere, SoldAt: SentAt, SentAt, CardNumber: number, Amount: "30.00" };
  await customer.request.post("/api/shop/purchase", { form, headers: { authorization: `Bearer ${key}` } });
  await till.getByRole("button", { name: say("next") }).click();
  await scan(till, elsewhere);
  await till.getByRole("button", { name: say("return.otherShop") }).click();
  await scan(till, number);
  await expect(till.getByRole("alert").filter({ hasText: say("return.chooseShop") })).toBeVisible();
  await till.getByLabel(say("return.shop")).selectOption(shop);
  await till.getByLabel(say("return.paid")).fill("31");
  await till.getByLabel(say("return.day")).fill(new Date().toLocaleDateString("sv-SE", { timeZone: "Europe/Paris" }));
  await till.getByRole("button", { name: say("return.find") }).click();
  await expect(till.getByRole("alert").filter({ hasText: text("fr", "refusal.receipt_not_found") })).toBeVisible();
  await expectAccessible(till, "proof");
  await scan(till, number);
  await till.getByRole("button", { name: say("return.wholeLine", { number: 1 }) }).click();
  await expect(till.locator(".till-preview")).toContainText("30,00");
  await till.getByRole("button", { name: /^Rembourser 30,00/ }).click();
  await expect(till.getByRole("heading", { name: say("return.done2") })).toBeVisible();
  await one.close();
  await two.close();
});

test("a new member has a card at once; a sale without a card has a code for its points", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const { till } = await openTill(context, "de");
  await till.getByRole("button", { name: text("de", "till.newMember") }).click();
  await till.locator("[name=Firstname]").fill("Hannah");
  await till.locator("[name=Lastname]").fill("Meier");
  await till.locator("[name=Email]").fill("hannah@");
  await till.locator("[name=Email]").evaluate((field: HTMLInputElement) => field.setAttribute("type", "text"));
  await till.getByRole("button", { name: text("de", "till.join.submit") }).click();
  await expect(till.locator(".till-form .error")).toBeVisible();
  await expectAccessible(till, "join");
  await till.locator("[name=Email]").fill(`hannah-${Date.now()}@exemple.fr`);
  await till.getByRole("button", { name: text("de", "till.join.submit") }).click();
  await expect(till.getByRole("img", { name: text("de", "till.join.qr") })).toBeVisible();
  await expectAccessible(till, "joined");
  await till.getByRole("button", { name: text("de", "till.join.sell") }).click();
  await expect(till.getByRole("heading", { name: "Hannah M." })).toBeVisible();
  await till.getByRole("button", { name: text("de", "till.drop") }).click();
  await till.getByRole("button", { name: text("de", "till.without") }).click();
  await till.locator("#amount").fill("20");
  await till.getByRole("button", { name: text("de", "till.record") }).click();
  await expect(till.getByRole("img", { name: text("de", "till.claimQr") })).toBeVisible();
  await context.close();
});

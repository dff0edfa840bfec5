import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { APIRequestContext } from "@playwright/test";
import { at, expect, expectAccessible, locales, test, text } from "../support/browser.ts";
import { mailedLink } from "../support/mailbox.ts";
import { expectReflow } from "../support/measure.ts";
import { openOffice, personOf } from "../support/office-desk.ts";

/** The back office's shops and webhooks. */
const t = (id: string, values = {}) => text("fr", id, values);

/** What a till or a server of the shop sends with its key. */
const caller = (request: APIRequestContext, key: string) => (path: string, form: Record<string, string>) => {
  const now = new Date().toISOString();
  const headers = { authorization: `Bearer ${key}`, cookie: "" };
  return request.post(`/api/shop/${path}`, { headers, form: { SoldAt: now, SentAt: now, ...form } });
};

test("a new shop: its key, what waits for a decision, its day, its people and its first till", async ({
  browser,
  context,
  request,
}) => {
  const page = await openOffice(context, "owner", "/office/shops");
  const name = `Cercle Vaise ${Date.now()}`;
  await page.getByRole("button", { name: t("office.shops.add") }).click();
  const adding = page.getByRole("dialog", { name: t("office.shops.add") });
  await adding.getByRole("button", { name: t("office.shops.addAction") }).click();
  await expect(adding.getByText(t("field.required")).first()).toBeVisible();
  await adding.getByLabel(t("office.shops.name"), { exact: true }).fill(name);
  await adding.getByLabel(t("office.shops.city")).fill("Lyon");
  await adding.getByRole("button", { name: t("office.shops.addAction") }).click();
  await expect(page.getByText(t("office.shops.addDone", { name }))).toBeVisible();
  await expectAccessible(page, "shops");
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();

  await page.getByRole("button", { name: t("office.shops.rename") }).click();
  const renaming = page.getByRole("dialog", { name: t("office.shops.rename") });
  await renaming.getByLabel(t("office.shops.name"), { exact: true }).fill(`${name} bis`);
  await renaming.getByRole("button", { name: t("office.shops.renameAction") }).click();
  await expect(page.getByRole("heading", { name: `${name} bis`, level: 1 })).toBeVisible();

  const open = (tab: string) =>
    page
      .locator(".office-tabs")
      .getByRole("link", { name: t(`office.shop.tab.${tab}`) })
      .click();
  await open("tills");
  await page.getByRole("button", { name: t("office.keys.add") }).click();
  const making = page.getByRole("dialog", { name: t("office.keys.add") });
  await making.getByLabel(t("office.keys.name")).fill("Serveur");
  await making.getByLabel(t("office.scope.report")).check();
  await making.getByRole("button", { name: t("office.keys.addAction") }).click();
  const shown = page.getByRole("dialog", { name: t("office.keys.shownTitle") });
  const key = await shown.locator(".office-secret").innerText();
  expect(key).toMatch(/^cercle_/);
  await shown.getByRole("button", { name: t("office.secret.done") }).click();
  await expect(page.getByText(key)).toBeHidden();

  const call = caller(request, key);
  const ahead = new Date(Date.now() + 3_600_000).toISOString();
  const sent = [
    await call("purchase", { ReceiptNumber: "V-1", Amount: "40.00" }),
    await call("purchase", { ReceiptNumber: "V-2", Amount: "12.50", SoldAt: ahead }),
    await call("return", { ReceiptNumber: "R-1", OriginalReceiptNumber: "V-9", Amount: "15.00" }),
    await call("close", {
      ...{ Day: new Intl.DateTimeFormat("sv", { timeZone: "Europe/Paris" }).format(new Date()) },
      ...{ Count: "3", Amount: "52.50", VoucherAmount: "0.00" },
    }),
  ];
  expect(sent.map((response) => response.status())).toEqual([200, 200, 200, 200]);
  await page.reload();
  await open("day");
  // The list opens the page of a receipt, which leads back to its day.
  await page.getByRole("link", { name: "V-1" }).click();
  await expect(page.getByRole("heading", { name: t("office.receipt.title", { number: "V-1" }) })).toBeVisible();
  await expect(page.getByRole("table", { name: t("office.receipt.ifReturned") })).toContainText("40,00");
  await expectAccessible(page, "a receipt");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectReflow(page, "a receipt");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goBack();
  await page.getByRole("button", { name: t("office.day.amount") }).click();
  await expect(page.getByRole("columnheader", { name: t("office.day.amount") })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  const differences = page.getByRole("table", { name: t("office.report.differences") });
  await expect(differences.getByRole("row").nth(1)).toHaveText(`${t("office.report.sales")}32`);
  await expectAccessible(page, "a shop");

  await open("cases");
  await expectAccessible(page, "cases of a shop");
  // By the keyboard alone: a return that belongs to another receipt.
  await page.getByRole("button", { name: `${t("office.conflict.decide")}, R-1` }).press("Enter");
  const deciding = page.getByRole("dialog", { name: t("office.conflict.return_without_sale") });
  await expectAccessible(page, "a decision");
  await deciding.getByLabel(t("office.conflict.attach")).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type("V-2");
  // Past the shop and the proof of another shop's receipt.
  const reason = deciding.getByLabel(t("office.conflict.reason"));
  for (let n = 0; n < 10 && !(await reason.evaluate((field) => field === document.activeElement)); n += 1)
    await page.keyboard.press("Tab");
  await page.keyboard.type("Mauvais numéro saisi");
  await deciding.getByRole("button", { name: t("office.conflict.attach_action") }).press("Enter");
  await expect(deciding.getByRole("alert")).toHaveText(t("refusal.more_than_bought"));
  await deciding.getByLabel(t("office.conflict.original"), { exact: true }).fill("V-1");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "R-1" })).toBeVisible();
  await page.getByRole("button", { name: `${t("office.conflict.decide")}, V-2` }).click();
  const clock = page.getByRole("dialog", { name: t("office.conflict.clock_in_future") });
  await clock.getByLabel(t("office.conflict.reason")).fill("Caisse remise à l’heure");
  await clock.getByRole("button", { name: t("office.conflict.confirm_action") }).click();
  await expect(page.getByText(t("office.conflict.none"))).toBeVisible();

  await open("team");
  await page.getByRole("button", { name: t("office.people.add") }).click();
  const person = page.getByRole("dialog", { name: t("office.people.add") });
  await person.getByLabel(t("office.firstname")).fill("Inès");
  await person.getByLabel(t("office.lastname"), { exact: true }).fill("Roy");
  // An address that a person has stands beside its field, which takes the focus; nothing is said above the form.
  const address = person.getByLabel(t("office.email"));
  await address.fill((await personOf(context, "service")).Email);
  await person.getByRole("button", { name: t("office.people.addAction") }).press("Enter");
  await expect(address).toHaveAccessibleDescription(t("refusal.email_taken"));
  await expect(address).toBeFocused();
  await expect(person.getByRole("alert")).toBeHidden();
  const email = `ines.${Date.now()}@cercle.example`;
  await address.fill(email);
  await person.getByRole("button", { name: t("office.people.addAction") }).click();
  await expect(page.getByText(t("office.people.pinSent", { name: "Inès Roy" }))).toBeVisible();
  await expect(page.getByRole("row", { name: /Inès Roy/ })).toContainText(t("office.people.noPin"));

  // She chooses her PIN on her own phone, in three languages, by the mailed link.
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  const link = await mailedLink(phone.request, email, "/office/pin");
  for (const locale of locales) {
    await phone.goto(at(locale, link));
    await expect(phone.getByLabel(text(locale, "office.pin.again"))).toBeVisible();
    await expectAccessible(phone, `choosing a PIN, ${locale}`);
    await expectReflow(phone, `choosing a PIN, ${locale}`);
  }
  await phone.goto(link);
  const pin = phone.getByLabel(t("office.people.pin"), { exact: true });
  await pin.fill("123456");
  await phone.getByLabel(t("office.pin.again")).fill("123456");
  await phone.keyboard.press("Enter");
  await expect(pin).toHaveAccessibleDescription(new RegExp(t("field.pin_easy")));
  await pin.fill("482915");
  await phone.getByLabel(t("office.pin.again")).fill("482915");
  await phone.getByRole("button", { name: t("office.pin.action") }).click();
  await expect(phone.getByRole("heading", { name: t("office.pin.done") })).toBeVisible();
  await expectAccessible(phone, "a PIN that was chosen");
  await phone.setViewportSize({ width: 1440, height: 900 });
  await phone.goto(link);
  await expect(phone.getByRole("heading", { name: t("office.invitation.ended") })).toBeVisible();
  await phone.context().close();
  await page.reload();
  await expect(page.getByRole("row", { name: /Inès Roy/ })).toContainText(t("office.people.hasPin"));

  await page.getByRole("button", { name: t("office.tills.pair") }).click();
  const pairing = page.getByRole("dialog", { name: t("office.tills.pair") });
  await pairing.getByLabel(t("office.tills.name")).fill("Cabines");
  await pairing.getByRole("button", { name: t("office.tills.makeCode") }).click();
  await expect(pairing.getByRole("timer")).toBeVisible();
  await expectAccessible(page, "a pairing code");
  const code = (await pairing.locator(".office-code").innerText()).replace(" ", "");
  const device = await (await browser.newContext()).newPage();
  await device.goto(`/till#code=${code}`);
  await expect(device.getByLabel(t("till.pair.code"))).toHaveValue(code);
  await device.getByRole("button", { name: t("till.pair.submit") }).click();
  await device.getByText("Inès R.").click();
  await device.keyboard.type("482915");
  await expect(device.locator(".till-ready")).toBeVisible();
  await device.context().close();
  await pairing.getByRole("button", { name: t("office.secret.done") }).click();
  await open("tills");
  await expect(page.getByRole("row", { name: /Cabines/ })).toContainText(t("office.tills.paired"));
});

test("who works in a shop begins there, and sees none of its keys", async ({ context }) => {
  const page = await openOffice(context, "shop");
  await expect(page.getByRole("heading", { name: t("office.report.title") })).toBeVisible();
  await page
    .locator(".office-tabs")
    .getByRole("link", { name: t("office.shop.tab.tills") })
    .click();
  await expect(page.getByRole("heading", { name: t("office.shops.keys"), exact: true })).toBeHidden();
  await expect(page.getByRole("link", { name: t("office.menu.webhooks") })).toBeHidden();
});

test("a webhook: its secret, a test event, a pause, and what was sent", async ({ context }) => {
  let received = 0;
  const receiver = createServer((incoming, answer) => {
    incoming.resume();
    incoming.on("end", () => {
      received += 1;
      answer.end("merci");
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const url = `http://localhost:${(receiver.address() as AddressInfo).port}/hook`;
  const page = await openOffice(context, "owner", "/office/webhooks");
  await page.getByRole("button", { name: t("office.webhook.add") }).click();
  const adding = page.getByRole("dialog", { name: t("office.webhook.add") });
  await adding.getByLabel(t("office.webhook.url")).fill("http://10.0.0.1/hook");
  await adding.getByLabel(t("office.webhook.owner")).fill("it@partner.example");
  await adding.getByLabel(t("office.webhook.allEvents")).uncheck();
  await adding.getByLabel("programme.changed").check();
  await adding.getByRole("button", { name: t("office.webhook.addAction") }).click();
  await expect(adding.getByText(t("field.invalid"))).toBeVisible();
  await adding.getByLabel(t("office.webhook.url")).fill(url);
  await adding.getByRole("button", { name: t("office.webhook.addAction") }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await page.getByRole("button", { name: t("office.secret.done") }).click();
  await page.getByRole("button", { name: `${t("office.webhook.test")}, ${url}` }).click();
  await expect(page.getByText(t("office.webhook.testDone"))).toBeVisible();
  await expect(async () => {
    await page.reload();
    const sent = page.getByRole("table", { name: t("office.delivery.title") }).getByRole("row");
    await expect(sent.filter({ hasText: url })).toContainText(t("office.delivery.delivered"), { timeout: 1_000 });
  }).toPass();
  expect(received).toBe(1);
  await expectAccessible(page, "webhooks");
  await page
    .getByRole("button", { name: new RegExp(`^${t("office.audit.details")}, webhook.test`) })
    .first()
    .click();
  await expect(page.getByRole("dialog", { name: "webhook.test" }).getByText("merci")).toBeVisible();
  await expectAccessible(page, "a delivery");
  await page.getByRole("button", { name: t("office.close") }).click();
  await page.getByRole("button", { name: `${t("office.webhook.pause")}, ${url}` }).click();
  await expect(page.getByRole("row", { name: url }).first()).toContainText(t("office.webhook.paused"));
  receiver.closeAllConnections();
  receiver.close();
});

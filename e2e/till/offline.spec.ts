import { expect, expectAccessible, test, text } from "../support/browser.ts";
import { joinAs, obtainVoucher } from "../support/member.ts";
import { openTill, scan } from "../support/till-device.ts";

test.use({ tolerated: /ERR_INTERNET_DISCONNECTED|40[0149]|Failed to load resource/, serviceWorkers: "allow" });

const say = (id: string, values = {}) => text("fr", `till.${id}`, values);

test("without a network a person who has worked here opens the till by PIN; a lock made there stays until a PIN, also when the network is back", async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, serviceWorkers: "allow" });
  const { till, pin } = await openTill(context);
  await till.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  const alix = till.getByRole("button", { name: /^Alix M\./ });
  const lock = async () => {
    await alix.click();
    await till.getByRole("button", { name: say("lock") }).click();
  };
  const people = till.locator(".till-people").getByRole("button", { name: /^Alix M\./ });
  const ready = till.locator(".till-ready");
  await lock();
  await people.click();
  await till.keyboard.type(pin);
  await expect(ready).toBeVisible();
  // The PIN's hash is stored when the till is open already.
  await expect
    .poll(() =>
      till.evaluate(
        () =>
          new Promise((resolve) => {
            const opening = indexedDB.open("cercle-till");
            opening.onsuccess = () => {
              const database = opening.result;
              const counting = database.transaction("pin").objectStore("pin").count();
              counting.onsuccess = () => {
                database.close();
                resolve(counting.result);
              };
            };
          }),
      ),
    )
    .toBe(1);

  await context.setOffline(true);
  await lock();
  await expect(till.getByText(say("whoOfflinePin"))).toBeVisible();
  await expectAccessible(till, "offline sign-in");
  // The network is back: the till does not open by itself.
  await context.setOffline(false);
  await expect(till.getByText(say("whoOfflinePin"))).toBeHidden({ timeout: 15_000 });
  await expect(people).toBeVisible();
  const state = await (await context.request.get("/api/till/state")).json();
  expect(state.SignedIn).toBeNull();

  // Loaded again without a network: a wrong PIN is told, the right one opens it, and a sale can be saved.
  await context.setOffline(true);
  await till.reload();
  await people.click();
  await till.keyboard.type(pin === "135790" ? "135791" : "135790");
  await expect(till.getByRole("alert").filter({ hasText: say("pinWrong") })).toBeVisible();
  await till.keyboard.type(pin);
  await expect(ready).toBeVisible();
  await till.getByRole("button", { name: say("without") }).click();
  await till.locator("#amount").fill("12");
  await till.getByRole("button", { name: say("keep") }).click();
  await expect(till.locator(".till-band")).toContainText("en attente.");
  // The person stays signed in when the network is back, and the sale is sent.
  await context.setOffline(false);
  await expect(till.locator(".till-band")).toContainText(say("queue.sent2"), { timeout: 20_000 });
  expect((await (await context.request.get("/api/till/state")).json()).SignedIn).toMatchObject({ Name: "Alix M." });
  await context.close();
});

test("the sale in hand outlives a reload and a change of language, with its voucher; an unusual amount is asked for once", async ({
  context: customer,
  browser,
}) => {
  const { number } = await joinAs(customer, { firstname: "Camille", points: 250 });
  await obtainVoucher(customer);
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
  const { till } = await openTill(context);
  await scan(till, number);
  await till.locator(".till-voucher").first().click();
  await expect(till.locator('.till-voucher[aria-pressed="true"]')).toBeVisible();
  await till.locator("#amount").fill("60");
  await expect(till.locator(".till-sum")).toContainText("50,00");
  await till.reload();
  await expect(till.getByRole("heading", { name: "Camille L." })).toBeVisible();
  await expect(till.locator('.till-voucher[aria-pressed="true"]')).toBeVisible();
  await expect(till.locator(".till-sum")).toContainText("50,00");
  await till.goto("/de/till");
  await expect(till.locator(".till-sum")).toContainText("50,00");
  await till.locator("#amount").fill("2999");
  const record = till.locator(".till-record");
  await record.click();
  await expect(till.getByRole("alert").filter({ hasText: "3.059,00" })).toBeVisible();
  await expectAccessible(till, "unusual amount");
  await record.click();
  await expect(till.locator(".till-done")).toBeVisible();
  // Recorded, it is not in hand any more.
  await till.reload();
  await expect(till.locator(".till-ready")).toBeVisible();
  await context.close();
});

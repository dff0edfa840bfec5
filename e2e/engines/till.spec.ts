import { type Driver, until } from "./driver.ts";
import { expect, site, test } from "./engine.ts";
import {
  becomeMember,
  enterKey,
  expectNoFaults,
  isGone,
  isShown,
  makeMember,
  phone,
  picture,
  says,
  showsCode,
  subscribe,
  t,
  visit,
} from "./steps.ts";

/** Scans as a clerk does: again, if the machine was too busy to type as fast as a scanner. */
const scanCode = (window: Driver, code: string, shown: string) =>
  until(shown, async () => {
    await window.press(code, enterKey);
    await until(shown, () => window.run((wanted) => document.querySelector(wanted) !== null, shown), 3);
    return true;
  });

async function enterPin(window: Driver, pin: string) {
  await window.click(".till-people button");
  await isGone(window, ".till-people");
  await window.press(pin);
  await isShown(window, ".till-ready");
}

test("a card without a network, and a till with and without one", async ({ openWindow, cable, request }) => {
  const member = await makeMember(request, { voucher: true });
  const { Code, Pin } = await (await request.get("/sandbox/till.json")).json();
  const window = await openWindow({ ...phone, width: 1024, height: 768 });
  await test.step("the card is shown without a network", async () => {
    await becomeMember(window, member);
    await visit(window, subscribe);
    await until("a stored card and its service worker", () =>
      window.run(
        async () =>
          navigator.serviceWorker.controller !== null &&
          (await caches.keys()).some((name) => name.startsWith("cercle-card-")),
      ),
    );
    cable.pull();
    await window.goto(site + subscribe);
    await says(window, t("offline.kicker"));
    await showsCode(window, `EAN13:${member.number}`);
    await picture(window, "offline");
    await cable.plug();
  });
  await test.step("a till is paired, a person signs in", async () => {
    await window.goto(`${site}/till`);
    await window.type("[name=Code]", Code);
    await window.click(`text=${t("till.pair.submit")}`);
    await enterPin(window, Pin);
    await window.run(async () => void (await navigator.serviceWorker.ready));
  });
  await test.step("the menu is as high as what it holds; there is no camera, and the till says so", async () => {
    await window.click(".till-status button:last-of-type");
    await picture(window, "till-menu");
    expect(
      await window.run(() => {
        const [menu, last] = [".till-menu", ".till-menu > :last-child"].map((one) =>
          document.querySelector(one)?.getBoundingClientRect(),
        );
        return menu && last && menu.bottom - last.bottom < 60;
      }),
    ).toBe(true);
    await window.click(`text=${t("till.close")}`);
    await window.click(`[aria-label="${t("till.camera.open")}"]`);
    await isShown(window, ".camera [role=alert]");
    await window.click(`text=${t("till.camera.close")}`);
    await isShown(window, ".till-ready");
  });
  await test.step("a sale with a scanned card and a voucher", async () => {
    await scanCode(window, member.number, ".till-points");
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
    await scanCode(window, receipt.trim(), ".till-lines");
    await window.click(`text=${t("till.return.whole")}`);
    await isShown(window, ".till-preview");
    await window.click(".till-giving .solid");
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
    await scanCode(window, member.number, "#amount");
    await says(window, member.number.slice(-4));
    await window.type("#amount", "10");
    await says(window, "10,00");
    await window.click(`text=${t("till.keep")}`);
    await says(window, t("till.waiting"));
    // The screen opens without a network too, and nothing is lost.
    await window.goto(`${site}/till`);
    await says(window, t("till.whoOfflinePin"));
    await enterPin(window, Pin);
    await cable.plug();
    await until("the points of the sale", async () => (await points()) > before, 40);
    await expectNoFaults(window);
  });
});

import { personOf } from "../support/office-desk.ts";
import { site, test } from "./engine.ts";
import { expectNoFaults, isOn, isShown, makeMember, picture, t } from "./steps.ts";

const pages = [
  ...["inbox", "approvals", "shops", "programme", "campaigns", "hold-out", "segments", "figures", "month-end"],
  ...["webhooks", "clients", "team", "audit", "look-ups", "move", "cases", "me"],
];

test("the back office: signing in and every page", async ({ openWindow, request }) => {
  const { email } = await makeMember(request);
  const window = await openWindow({ width: 1280, height: 900, pixelRatio: 1 });
  const isPage = (part: string) =>
    test.step(part, async () => {
      await isShown(window, "main h1");
      await expectNoFaults(window);
    });
  await test.step("signing in by password and code", async () => {
    const { Email, Password, Code } = await personOf({ request }, "owner");
    await window.goto(`${site}/office`);
    await window.type("[name=Email]", Email);
    await window.type("[name=Password]", Password);
    await window.type("[name=Code]", Code);
    await picture(window, "office-sign-in");
    await window.click("form [type=submit]");
    await isShown(window, ".office-menu");
    // Anyone who is not signed in gets 401, which Chromium's console says.
    await window.takeFaults();
  });
  await window.goto(`${site}/office/customers?search=${email}`);
  await isPage("customers");
  await picture(window, "office-customers");
  await window.click("main table a");
  await isOn(window, "/office/customer");
  await isPage("customer");
  await picture(window, "office-customer");
  for (const page of pages) {
    await window.goto(`${site}/office/${page}`);
    await isPage(page);
    if (["figures", "month-end", "segments"].includes(page)) await picture(window, `office-${page}`);
    if (page === "shops") {
      await window.click("main table a");
      await isOn(window, "/office/shop");
      await isPage("shop");
    }
  }
  await test.step("a form in a panel", async () => {
    await window.goto(`${site}/office/campaigns`);
    await window.click(`text=${t("office.campaigns.add")}`);
    await isShown(window, "dialog[open] [type=date]");
    await picture(window, "office-campaign");
    await expectNoFaults(window);
  });
});

import { until } from "./driver.ts";
import { expect, site, test } from "./engine.ts";
import {
  becomeMember,
  enterKey,
  expectNoFaults,
  isShown,
  makeMember,
  password,
  phone,
  picture,
  showsCode,
  subscribe,
  t,
  visit,
} from "./steps.ts";

/** What people set in their system or browser, by the engine's own settings. */

test("with more contrast and less motion: darker words and lines, nothing moves, codes can be scanned", async ({
  openWindow,
  request,
}) => {
  const member = await makeMember(request);
  const window = await openWindow({ ...phone, prefers: ["contrast", "stillness"] });
  await becomeMember(window, member);
  await visit(window, subscribe);
  const found = await window.run(() => ({
    contrast: matchMedia("(prefers-contrast: more)").matches,
    stillness: matchMedia("(prefers-reduced-motion: reduce)").matches,
    soft: getComputedStyle(document.querySelector("main .text-soft") ?? document.body).color,
    ink: getComputedStyle(document.body).color,
  }));
  expect(found).toMatchObject({ contrast: true, stillness: true, soft: found.ink });
  await showsCode(window, `EAN13:${member.number}`);
  await picture(window, "contrast");
  await window.click("header button[aria-haspopup=dialog]");
  await isShown(window, "dialog[open]");
  expect(await window.run(() => document.getAnimations().length)).toBe(0);
  await expectNoFaults(window);
});

test("in a dark, private window without storage, service workers, passkeys and camera, customers and tills can work", async ({
  openWindow,
  request,
}) => {
  const member = await makeMember(request);
  const window = await openWindow({ ...phone, prefers: ["dark"], refuses: true });
  await test.step("signing in, and the card", async () => {
    await visit(window, "/authenticate/login");
    expect(await window.run(() => matchMedia("(prefers-color-scheme: dark)").matches)).toBe(true);
    await window.type("[name=Email]", member.email);
    await window.type("[name=Password]", password);
    await window.click("form [type=submit]");
    await until("the account", () => window.run(() => location.pathname.startsWith("/account")));
    await visit(window, subscribe);
    await showsCode(window, `EAN13:${member.number}`);
    const paper = await window.run(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(Math.max(...(paper.match(/\d+/g) ?? []).slice(0, 3).map(Number)), paper).toBeLessThan(60);
    await picture(window, "dark");
    await expectNoFaults(window);
  });
  await test.step("a till finds members and says that it has no camera", async () => {
    const { Code, Pin } = await (await request.get("/sandbox/till.json", { maxRetries: 2 })).json();
    await window.goto(`${site}/till`);
    await window.type("[name=Code]", Code);
    await window.click(`text=${t("till.pair.submit")}`);
    await window.click(".till-people button");
    await isShown(window, ".till-keys");
    await window.press(Pin);
    await isShown(window, ".till-ready");
    await window.click(`[aria-label="${t("till.camera.open")}"]`);
    await isShown(window, ".camera [role=alert]");
    await window.click(`text=${t("till.camera.close")}`);
    await window.type(".till-field input", member.number);
    await window.press(enterKey);
    await isShown(window, ".till-points");
    await expectNoFaults(window);
  });
});

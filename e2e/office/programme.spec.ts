import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectWords, test, text } from "../support/browser.ts";
import { expectReflow } from "../support/measure.ts";
import { openOffice } from "../support/office-desk.ts";

/** The programme in the back office: a draft by two people, its simulation, its publication and its withdrawal. */
const t = (id: string, values = {}) => text("fr", id, values);
const p = (id: string, values = {}) => t(`office.programme.${id}`, values);

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).press("Enter");
const openTab = (page: Page, name: string) =>
  page
    .getByRole("navigation", { name: p("tabs") })
    .getByRole("button", { name })
    .press("Enter");
/** Types over what a field holds, by the keyboard alone. */
async function write(page: Page, label: string, words: string) {
  await page.getByLabel(label, { exact: true }).first().focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(words);
}

// The second person to save is refused on purpose.
test.use({ tolerated: /409.*programme\/draft|programme\/draft.*409|status of 409/ });

test("a draft is written by two people, simulated, published by the second and withdrawn, by the keyboard alone", async ({
  browser,
  context,
}) => {
  const page = await openOffice(context, "marketing", "/office/programme");
  await expect(page.getByRole("heading", { name: t("office.menu.programme"), level: 1 })).toBeVisible();
  await expectAccessible(page, "today's rules");
  await press(page, p("begin"));

  await openTab(page, p("tab.points"));
  await write(page, p("field.gift"), "300");
  await expect(page.getByText(p("unsaved"))).toBeVisible();
  await press(page, p("save"));
  await expect(page.getByText(p("unsaved"))).toBeHidden();

  // A colleague saves in between: what was typed is still there, beside what they saved.
  const theirs = await browser.newContext();
  const owner = await openOffice(theirs, "owner", "/office/programme");
  await openTab(owner, p("tab.points"));
  await write(owner, p("field.per_euro"), "2");
  await write(page, p("field.period"), "18");
  await press(owner, p("save"));
  await expect(owner.getByText(p("unsaved"))).toBeHidden();
  await press(page, p("save"));
  const conflict = page.getByRole("alert").filter({ hasText: p("conflict") });
  await expect(conflict.getByRole("row", { name: p("rule.per_euro") })).toContainText("21");
  await expectAccessible(page, "two people");
  await press(page, p("takeTheirs"));
  await expect(page.getByLabel(p("field.per_euro"), { exact: true })).toHaveValue("2");

  // Which items earn: what is on sale no longer does.
  await openTab(page, p("tab.lines"));
  await page.getByRole("checkbox", { name: t("office.priceType.sale") }).press("Space");
  await expectAccessible(page, "items");

  // What is wrong is said beside the field, and keeps the draft from being asked for.
  await openTab(page, p("tab.tiers"));
  const silk = page.getByRole("region", { name: "Soie" });
  await silk.getByLabel(p("threshold")).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("4000");
  await expect(page.getByRole("region", { name: "Cachemire" }).getByText(t("field.ascending"))).toBeVisible();
  await expectAccessible(page, "a mistake");
  await silk.getByLabel(p("threshold")).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("900");
  await press(page, p("save"));
  await expect(page.getByText(p("unsaved"))).toBeHidden();

  await openTab(page, p("tab.differences"));
  await expect(page.getByRole("row", { name: "Soie" })).toContainText(p("change.threshold"));
  await expectWords(page);
  const frame = page.frameLocator("iframe");
  await expect(frame.getByRole("heading", { level: 1 })).toBeVisible();
  await press(page, "DE");
  await expect(frame.getByText("Kaschmir").first()).toBeVisible();

  await press(page, t("office.simulation.start"));
  await expect(page.getByText(t("office.simulation.issued"), { exact: true })).toBeVisible();
  await expectAccessible(page, "differences");
  await expectReflow(page, "differences");

  // The first of the next month is offered.
  await press(page, p("ask"));
  const asking = page.getByRole("dialog", { name: p("ask") });
  await expectAccessible(page, "asking");
  await asking.getByRole("button", { name: p("ask") }).press("Enter");
  await expect(page.getByText(p("state.asked"))).toBeVisible();
  await expect(page.getByRole("button", { name: p("publish"), exact: true })).toBeHidden();

  await owner.reload();
  await press(owner, p("publish"));
  await owner
    .getByRole("dialog", { name: p("publishTitle") })
    .getByRole("button", { name: p("publish") })
    .press("Enter");
  await expect(owner.getByText(p("published", { version: 2 }))).toBeVisible();
  await openTab(owner, p("tab.versions"));
  const second = owner.getByRole("row").filter({ hasText: p("versionState.scheduled") });
  await second.getByRole("link", { name: p("read") }).press("Enter");
  await expect(owner.getByRole("row", { name: `${p("rule.gift")} 250` })).toContainText(p("change.value"));
  await owner.getByRole("link", { name: p("toToday") }).press("Enter");
  await openTab(owner, p("tab.versions"));
  await second.getByRole("button", { name: p("withdraw") }).press("Enter");
  await owner
    .getByRole("dialog", { name: p("withdrawTitle") })
    .getByRole("button", { name: p("withdraw") })
    .press("Enter");
  await expect(owner.getByText(p("versionState.withdrawn"), { exact: true })).toBeVisible();
  await theirs.close();
});

import { randomBytes } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import { expect, expectAccessible, test, text } from "../support/browser.ts";
import { expectReflow } from "../support/measure.ts";
import { openOffice } from "../support/office-desk.ts";

/** The back office's metrics. */
// A period that ends before it begins is refused.
test.use({ tolerated: /400/ });

const t = (id: string, values = {}) => text("fr", id, values);

/** Without anything to count, there is no chart. */
const joinClub = ({ request }: BrowserContext) =>
  request.post("/api/customer", {
    form: {
      ...{ Email: `${randomBytes(6).toString("hex")}@exemple.fr`, Password: "Secret-2026" },
      ...{ Firstname: "Élise", Lastname: "Compte", Birthday: "1990-05-17", LoyaltySubscribe: "true" },
    },
    headers: { "sec-fetch-site": "same-origin" },
  });

test("a period is chosen, a chart read by its table and its bars, and a definition opened, by keyboard alone", async ({
  context,
}) => {
  await joinClub(context);
  const day = (ago: number) =>
    new Intl.DateTimeFormat("sv", { timeZone: "Europe/Paris" }).format(Date.now() - ago * 24 * 3_600_000);
  const page = await openOffice(context, "marketing", `/office/figures?From=${day(0)}&To=${day(0)}`);
  await expectAccessible(page, "metrics");
  const press = async (name: string) => {
    const control = page.getByRole("link", { name, exact: true }).or(page.getByRole("button", { name, exact: true }));
    await control.first().focus();
    await page.keyboard.press("Enter");
  };
  await press(t("office.figures.thisMonth"));
  await expect(page.getByRole("link", { name: t("office.figures.thisMonth") })).toHaveAttribute("aria-current", "true");

  const definition = page.getByText(t("office.definition.members")).first();
  await expect(definition).toBeHidden();
  await page.locator("summary").first().focus();
  await page.keyboard.press("Enter");
  await expect(definition).toBeVisible();

  await page.goto(`/office/figures?From=${day(364)}&To=${day(0)}`);
  await press(t("office.figures.tableOf", { what: t("office.figures.days") }));
  await expect(page.getByRole("table", { name: t("office.figures.days") }).getByRole("row")).toHaveCount(366);
  const jump = page
    .getByRole("table", { name: t("office.figures.days") })
    .getByRole("link")
    .last();
  await expect(jump).toHaveAttribute("href", new RegExp(`/office/figures\\?From=${day(0)}&To=${day(0)}$`));
  await press(t("office.figures.tableOf", { what: t("office.figures.outstanding") }));
  await expect(page.getByRole("table", { name: t("office.figures.outstanding") })).toBeVisible();
  await page.locator(".office-chart .whole").first().focus();
  await expect(page.locator(".office-chart .tip").first()).toBeVisible();
  await expectAccessible(page, "metrics of a year, with their tables");
  await page.setViewportSize({ width: 768, height: 900 });
  await expectReflow(page, "metrics");
  // The buttons of the period are one size.
  const heights = page
    .locator(".office-head .button")
    .evaluateAll((all: HTMLElement[]) => all.map(({ offsetHeight }) => offsetHeight));
  expect(new Set(await heights).size).toBe(1);

  await page.goto("/office/figures?From=2020-01-01&To=2020-01-31");
  await expect(page.getByText(t("office.figures.empty"))).toBeVisible();

  const from = page.getByLabel(t("office.figures.from"), { exact: true });
  await from.fill("2020-02-15");
  await press(t("office.show"));
  await expect(from).toHaveAccessibleDescription(t("field.after_end"));
  await expect(from).toBeFocused();
  await expect(from).toHaveValue("2020-02-15");
  await from.fill("2020-01-15");
  await press(t("office.show"));
  await expect(page.getByText(t("office.figures.empty"))).toBeVisible();
  await expect(page.getByRole("button", { name: t("office.show") })).toBeFocused();
});

test("a campaign is launched in three languages, approved by a colleague, marked in the chart and ended early", async ({
  browser,
  context,
}) => {
  await joinClub(context);
  const page = await openOffice(context, "marketing", "/office/campaigns");
  await page.getByRole("button", { name: t("office.campaigns.add") }).click();
  const panel = page.getByRole("dialog", { name: t("office.campaigns.add") });
  const launch = () => panel.getByRole("button", { name: t("office.campaigns.launch") }).click();
  await launch();
  await expect(panel.getByText(t("field.required")).first()).toBeVisible();
  const name = `Ventes privées ${randomBytes(3).toString("hex")}`;
  for (const language of ["fr", "en", "de"]) {
    const values = { language: t(`office.lang.${language}`) };
    await panel.getByLabel(t("office.campaigns.nameIn", values)).fill(name);
    await panel.getByLabel(t("office.campaigns.textIn", values)).fill("Deux fois plus de points");
  }
  await panel.getByLabel(t("office.campaigns.multiplier")).fill("1,5");
  // No sale of the tests beside this one reaches it.
  await panel.getByLabel(t("office.campaigns.minimumField")).fill("90000");
  // No new member has this status: the pages of other tests do not load what lists it.
  await panel.getByLabel(t("office.campaigns.tierField")).selectOption("Cachemire");
  await panel.getByLabel(t("office.campaigns.to")).fill("2099-12-31");
  await expectAccessible(page, "a new campaign");
  await launch();
  await expect(page.getByText(t("office.campaigns.added"))).toBeVisible();
  const row = page.getByRole("row", { name: new RegExp(name) });
  await expect(row.getByText(t("office.campaigns.waiting"))).toBeVisible();
  const approve = t("office.approvals.approve");
  await expect(row.getByRole("button", { name: approve })).toHaveCount(0);
  const colleague = await openOffice(await browser.newContext(), "owner", "/office/campaigns");
  const theirs = colleague.getByRole("row", { name: new RegExp(name) });
  await theirs.getByRole("button", { name: approve }).click();
  await colleague.getByRole("dialog").getByRole("button", { name: approve }).click();
  await expect(theirs.getByText(t("office.campaigns.running"))).toBeVisible();
  await expectAccessible(colleague, "campaigns");
  await theirs.getByRole("link", { name: t("office.campaigns.result") }).click();
  await expect(colleague.getByRole("heading", { name })).toBeVisible();
  await expectAccessible(colleague, "the result of a campaign");
  await page.getByRole("link", { name: t("office.menu.figures") }).click();
  await page.getByRole("link", { name: t("office.figures.thisMonth") }).click();
  await expect(page.locator(".office-chart").getByText(name)).toBeVisible();
  await page.getByRole("link", { name: t("office.menu.campaigns") }).click();
  await row.getByRole("button", { name: t("office.campaigns.end") }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("office.campaigns.end") })
    .click();
  await expect(row.getByText(t("office.campaigns.over"))).toBeVisible();
});

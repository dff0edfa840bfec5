import { expect, expectAccessible, test, text } from "./browser.ts";
import { expectReflow } from "./measure.ts";
import { openOffice } from "./office-desk.ts";

/** The back office's figures. */
const t = (id: string, values = {}) => text("fr", id, values);

test("a period is chosen, a chart read by its table and its bars, and a definition opened, by keyboard alone", async ({
  context,
}) => {
  const today = new Date().toISOString().slice(0, 10);
  const page = await openOffice(context, "marketing", `/office/figures?From=${today}&To=${today}`);
  await expectAccessible(page, "figures");
  const press = async (name: string) => {
    const control = page.getByRole("link", { name, exact: true }).or(page.getByRole("button", { name, exact: true }));
    await control.first().focus();
    await page.keyboard.press("Enter");
  };
  await press(t("office.figures.lastYear"));
  await expect(page.getByRole("link", { name: t("office.figures.lastYear") })).toHaveAttribute("aria-current", "true");

  const definition = page.getByText(t("office.definition.members")).first();
  await expect(definition).toBeHidden();
  await page.locator("summary").first().focus();
  await page.keyboard.press("Enter");
  await expect(definition).toBeVisible();

  await press(t("office.figures.tableOf", { what: t("office.figures.days") }));
  await expect(page.getByRole("table", { name: t("office.figures.days") }).getByRole("row")).toHaveCount(366);
  await press(t("office.figures.tableOf", { what: t("office.figures.outstanding") }));
  await expect(page.getByRole("table", { name: t("office.figures.outstanding") })).toBeVisible();
  await page.locator(".office-chart .whole").first().focus();
  await expect(page.locator(".office-chart .tip").first()).toBeVisible();
  await expectAccessible(page, "figures of a year, with their tables");
  await page.setViewportSize({ width: 768, height: 900 });
  await expectReflow(page, "figures");

  await page.goto("/office/figures?From=2020-01-01&To=2020-01-31");
  await expect(page.getByText(t("office.figures.empty"))).toBeVisible();
});

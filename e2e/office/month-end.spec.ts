import { expect, expectAccessible, test, text } from "../support/browser.ts";
import { grant, joinAs } from "../support/member.ts";
import { openOffice } from "../support/office-desk.ts";

const t = (id: string, values = {}) => text("fr", id, values);

test("a month is drafted, closed, taken away as CSV and printed", async ({ context }) => {
  const page = await openOffice(context, "owner");
  const { email } = await joinAs(page, { firstname: "Élise" });
  const today = new Date();
  const last = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 15, 12));
  await grant(email, 70, last);
  await page.goto("/office/month-end");
  const state = page.locator(".office-month-state");
  await state.getByRole("button", { name: t("office.monthEnd.draft") }).click();
  await expect(page.getByText(t("office.monthEnd.drafted"))).toBeVisible();
  await expectAccessible(page, "month end, drafted");

  await page.getByRole("button", { name: t("office.monthEnd.close") }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("office.monthEnd.close") })
    .click();
  await expect(state).toContainText(t("office.monthEnd.state.closed"));
  await expect(page.getByRole("button", { name: t("office.monthEnd.close") })).toBeHidden();

  const link = page.getByRole("link", { name: t("office.csv") });
  const csv = await page.request.get((await link.getAttribute("href")) ?? "");
  expect(await csv.text()).toContain(`${last.toISOString().slice(0, 7)};;70;`);

  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".office-menu")).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

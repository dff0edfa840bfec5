import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { addCampaign } from "#office/campaigns/calls.ts";
import { onCall, openPage, refuse, t } from "#testing/browser/open-page.tsx";
import { FormContext, staffForms } from "#ui/form/form.tsx";
import { CampaignPanel } from "./campaign-panel.tsx";
import "#office/screen/office.css";

const choices = { Today: "2026-03-10", Campaigns: [], Tiers: [], Shops: [], Segments: [], LineCodes: [] };

test("days that never come and hours in the wrong order are told at their fields, until they are changed", async () => {
  const sent = onCall(
    addCampaign,
    refuse("invalid", [
      { field: "ToHour", code: "hours_order" },
      { field: "Weekdays", code: "no_such_day" },
    ]),
  );
  await openPage({
    Component: () => (
      <FormContext value={staffForms}>
        <CampaignPanel page={choices} onDone={() => {}} onClose={() => {}} />
      </FormContext>
    ),
  });
  const hour = page.getByLabelText(t("office.campaigns.toHour"));
  await hour.fill("2");
  const friday = page.getByLabelText("ven.");
  await friday.click();
  await page.getByLabelText("sam.").click();
  await page.getByRole("button", { name: t("office.campaigns.launch") }).click();
  await expect.element(hour).toHaveAccessibleDescription(t("field.hours_order"));
  await expect.element(friday).toHaveAccessibleDescription(t("field.no_such_day"));
  expect(sent.map(({ fields }) => fields["Weekdays"])).toEqual(["5,6"]);
  await friday.click();
  await expect.element(page.getByText(t("field.no_such_day"))).not.toBeInTheDocument();
  await hour.fill("23");
  await expect.element(page.getByText(t("field.hours_order"))).not.toBeInTheDocument();
});

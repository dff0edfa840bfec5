import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { listShops } from "#office/shops/calls.ts";
import * as calls from "#office/team/calls.ts";
import { AuditLog, loadAudit } from "#office/team/screen/audit-log.tsx";
import { accept, button, onCall, openPage, refuse, t, textbox } from "#testing/browser/open-page.tsx";
import { FormContext, staffForms } from "#ui/form/form.tsx";

const customer = textbox(t("office.audit.customer"));
const show = button(t("office.show"));

test("a filter that is refused says so beside its field and keeps what was typed; the focus is never lost", async () => {
  const empty = accept<typeof calls.readAudit>({ Entries: [], Actions: ["purchase"], NextCursor: null });
  onCall(calls.listStaff, accept<typeof calls.listStaff>({ Staff: [] }));
  onCall(listShops, accept<typeof listShops>({ Shops: [] }));
  onCall(calls.readAudit, (sent) =>
    sent.fields["Customer"] === "abc" ? refuse("invalid", [{ field: "Customer", code: "invalid" }])(sent) : empty(sent),
  );
  const Component = () => (
    <FormContext value={staffForms}>
      <AuditLog />
    </FormContext>
  );
  await openPage({ Component, loader: loadAudit });
  await customer.fill("abc");
  await page.getByLabelText(t("office.audit.what")).selectOptions("purchase");
  await show.click();
  await expect.element(customer).toHaveAccessibleDescription(t("field.invalid"));
  await expect.element(customer).toHaveFocus();
  await expect.element(customer).toHaveValue("abc");
  await expect.element(page.getByLabelText(t("office.audit.what"))).toHaveValue("purchase");
  expect(page.getByText(t("office.audit.none")).elements()).toEqual([]);
  await customer.fill("7");
  await show.click();
  await expect.element(page.getByText(t("office.audit.none"))).toBeVisible();
  await expect.element(show).toHaveFocus();
  // The link that leads to everything goes with the filters.
  await page.getByRole("link", { name: t("office.all") }).click();
  await expect.element(customer).toHaveValue("");
  await expect.element(page.getByLabelText(t("office.audit.what"))).toHaveValue("");
  await expect.element(show).toHaveFocus();
});

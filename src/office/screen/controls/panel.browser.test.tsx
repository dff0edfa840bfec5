import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openPage, t } from "#testing/browser/open-page.tsx";
import { TextArea } from "#ui/form/select.tsx";
import { Panel } from "./panel.tsx";
import "#office/screen/office.css";

function Example() {
  const [open, setOpen] = useState(true);
  return open ? (
    <Panel title="Note" onClose={() => setOpen(false)}>
      <TextArea name="Note" label={t("office.note")} />
    </Panel>
  ) : (
    <p>closed</p>
  );
}

test("Escape closes a panel in which nothing was typed, and keeps a note that was", async () => {
  await openPage({ Component: Example });
  const field = page.getByLabelText(t("office.note"));
  await field.fill("Rappeler demain");
  await userEvent.keyboard("{Escape}");
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByText(t("office.typedStays"))).toBeVisible();
  await expect.element(field).toHaveValue("Rappeler demain");
  await field.fill("");
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByText("closed")).toBeVisible();
});

import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openPage, t } from "#testing/browser/open-page.tsx";
import { TextArea } from "#ui/form/select.tsx";
import { Confirm } from "./confirm.tsx";
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

test("what is confirmed has no fields: a refusal about one, such as a start that has passed, is its message", async () => {
  const failure = { code: "invalid", detail: "Check the fields", fields: { StartsAt: "Too soon" } } as const;
  const nothing = () => {};
  await openPage({
    Component: () => (
      <Confirm
        title="Publish"
        text=""
        action="Publish"
        busy={false}
        {...{ failure, onConfirm: nothing, onClose: nothing }}
      />
    ),
  });
  await expect.element(page.getByRole("alert")).toHaveTextContent("Too soon");
});

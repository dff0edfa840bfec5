import { useState } from "react";
import { expect, test, vi } from "vitest";
import { useTexts } from "#i18n/use-texts.tsx";
import { alert, lastname, save } from "#testing/browser/names-form.tsx";
import { openPage } from "#testing/browser/open-page.tsx";
import { Field } from "./field.tsx";
import { bySubmit, Form, FormContext, type FormFailure, Submit, staffForms } from "./form.tsx";

/** A form of the till or the back office, refused as the test says. */
function Staffed({ failures, onSend }: { failures: FormFailure[]; onSend: () => void }) {
  const { t } = useTexts();
  const [sent, setSent] = useState(0);
  const send = () => {
    onSend();
    setSent(sent + 1);
  };
  return (
    <FormContext value={staffForms}>
      <Form failure={failures[sent - 1]} busy={false} onSubmit={bySubmit(send)}>
        <Field name="Firstname" label={t("identity.firstname")} />
        <Field name="Lastname" label={t("identity.lastname")} />
        <Submit>{t("informations.save")}</Submit>
      </Form>
    </FormContext>
  );
}

test("a form of staff is checked by the server: the first wrong field takes the focus, else the message above the fields", async () => {
  const onSend = vi.fn();
  const failures: FormFailure[] = [{ fields: { Lastname: "Trop long" } }, { detail: "Indisponible", fields: {} }];
  await openPage({ Component: () => <Staffed failures={failures} onSend={onSend} /> });
  await save.click();
  expect(onSend).toHaveBeenCalledTimes(1);
  await expect.element(lastname).toHaveFocus();
  await expect.element(lastname).toHaveAccessibleDescription("Trop long");
  await lastname.fill("Martin");
  await expect.element(lastname).not.toHaveAttribute("aria-invalid");
  await save.click();
  await expect.element(alert).toHaveTextContent("Indisponible");
  await expect.element(alert).toHaveFocus();
});

test("a double click sends a form of staff once", async () => {
  const onSend = vi.fn();
  await openPage({ Component: () => <Staffed failures={[]} onSend={onSend} /> });
  await save.dblClick();
  expect(onSend).toHaveBeenCalledTimes(1);
});

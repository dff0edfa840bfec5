import { useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { changePassword } from "#identity/calls.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { action, alert, firstname, Names, save, send, succeed } from "#testing/browser/names-form.tsx";
import { inputNamed, onCall, openPage, refuse, t } from "#testing/browser/open-page.tsx";
import { FormFrame } from "./page-form.tsx";

/** A page whose customer another tab can change, as the account's frame has it. */
function framed() {
  const heard: Refused[] = [];
  const onRefused = (refused: Refused) => heard.push(refused);
  let become = (_customer: string) => {};
  function Component() {
    const [customer, setCustomer] = useState("7");
    become = setCustomer;
    return (
      <FormFrame value={{ fields: { ForCustomer: customer }, onRefused }}>
        <p>customer {customer}</p>
        <Names />
      </FormFrame>
    );
  }
  return { Component, heard, become: (customer: string) => become(customer) };
}

test("a form carries the customer it is shown to, and follows the page to another before it is sent", async () => {
  const sent = onCall(changePassword, succeed);
  const { Component, become } = framed();
  await openPage({ Component, action });
  expect(inputNamed("ForCustomer").value).toBe("7");
  become("8");
  await expect.element(page.getByText("customer 8")).toBeVisible();
  await send();
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]?.fields["ForCustomer"]).toBe("8");
});

test("a form refused because another customer signed in stays the first one's, with what was typed", async () => {
  const sent = onCall(changePassword, refuse("other_customer"));
  const { Component, heard, become } = framed();
  await openPage({ Component, action });
  await send();
  await expect.element(alert).toHaveTextContent(t("refusal.other_customer"));
  expect(heard.map(({ problem }) => problem?.code)).toEqual(["other_customer"]);
  become("8");
  await expect.element(page.getByText("customer 8")).toBeVisible();
  await expect.element(firstname).toHaveValue("Annabelle");
  await expect.element(save).toBeVisible();
  await save.click();
  await expect.poll(() => sent).toHaveLength(2);
  expect(sent.map(({ fields }) => fields["ForCustomer"])).toEqual(["7", "7"]);
});

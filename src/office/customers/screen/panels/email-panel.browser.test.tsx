import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { sendEmail } from "#office/customers/calls.ts";
import type { CustomerRecord } from "#office/customers/screen/customer.data.ts";
import { accept, onCall, openPage, t } from "#testing/browser/open-page.tsx";
import { FormContext, staffForms } from "#ui/form/form.tsx";
import { EmailPanel } from "./email-panel.tsx";
import "#office/screen/office.css";

const record = {
  ...{ IdCustomer: 7, Email: "lea@exemple.fr", EmailVerified: false, State: "member" },
  Vouchers: [
    { IdCustomerReward: 12, State: "available", Value: { Amount: "10.00", Currency: "EUR" }, Code: "…XYZ" },
    { IdCustomerReward: 13, State: "used", Value: { Amount: "20.00", Currency: "EUR" }, Code: "…ABC" },
  ],
} as unknown as CustomerRecord;

test("an email is sent again under the names the API knows, a voucher's with the voucher", async () => {
  const sent = onCall(sendEmail, accept<typeof sendEmail>({}));
  let done = "";
  const onDone = (words: string) => {
    done = words;
  };
  await openPage({
    Component: () => (
      <FormContext value={staffForms}>
        <EmailPanel record={record} onDone={onDone} onClose={() => {}} />
      </FormContext>
    ),
  });
  await page.getByLabelText(t("office.resend.letter"), { exact: true }).selectOptions(t("office.resend.voucher"));
  await page.getByRole("button", { name: t("office.resend.action") }).click();
  const fields = { IdCustomer: "7", EmailContent: "voucher", IdCustomerReward: "12", Reason: "request", Note: "" };
  await expect.poll(() => sent.map((one) => one.fields)).toEqual([fields]);
  await expect.poll(() => done).toBe(t("office.resend.done"));
});

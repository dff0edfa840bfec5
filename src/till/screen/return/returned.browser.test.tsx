import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { t, textsOf } from "#testing/browser/open-page.tsx";
import { Returned, type ReturnedSale } from "./returned.tsx";

const points = { Available: 250, Pending: 0, NextPending: null, Debt: 0 };
const answer: ReturnedSale = {
  Points: { Taken: 36, ...points },
  Refunds: [{ Line: "2", Amount: "36.87" }],
  ReissuedVouchers: [],
  CancelledVouchers: [],
};

function show(returned: ReturnedSale) {
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  const none = { onFailure: () => expect.fail(), onNext: () => {} };
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <Returned answer={returned} voided={false} receiptNumber="L2-4841" member {...none} />
    </TextsProvider>,
  );
  return root;
}
const undo = () => page.getByRole("button", { name: "Annuler, encore" });

test("a return shows its number and is undone with one press, which says what the customer pays again", async () => {
  const sent = vi
    .spyOn(globalThis, "fetch")
    .mockResolvedValue(Response.json({ Points: { Restored: 36, ...points, Available: 286 }, Refunds: answer.Refunds }));
  const root = show(answer);
  await expect.element(page.getByText("L2-4841")).toBeVisible();
  await undo().click();
  const amount = "36,87 €";
  await expect.element(page.getByText(t("till.return.collect", { amount }))).toBeVisible();
  await expect.element(page.getByText("286 points")).toBeVisible();
  expect(sent.mock.calls[0]?.[0]).toBe("/api/till/return/undo");
  root.unmount();
  sent.mockRestore();
});

test("a return with which a voucher came back offers no undo", async () => {
  const root = show({ ...answer, ReissuedVouchers: [{ Value: "10.00", ExpiresAt: "2026-12-17T22:59:59.999Z" }] });
  await expect.element(page.getByText("L2-4841")).toBeVisible();
  expect(undo().elements()).toEqual([]);
  root.unmount();
});

import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { t, textsOf } from "#testing/browser/open-page.tsx";
import type { CardTaker } from "./other-shop.tsx";
import { ReturnView } from "./return.tsx";

const line = { Line: "1", Paid: "36.87", VoucherShare: "0.00", Earns: true, Left: "36.87", Returned: false };
const receipt = {
  ...{ IdShop: 2, ShopName: "Web", ReceiptNumber: "W-1", SoldAt: "2026-10-24T10:00:00.000Z", Customer: "Camille L." },
  ...{ Member: { Name: "Camille L." }, Whole: false, Lines: [line], Vouchers: [], Earned: 36, Voidable: false },
  Return: {
    Points: { Taken: 36, Available: 250, Pending: 0, NextPending: null, Debt: 0 },
    ...{ Refunds: [{ Line: "1", Amount: "36.87" }], ReissuedVouchers: [], CancelledVouchers: [] },
  },
};
const listed = { IdShop: 2, ShopName: "Web", SoldAt: receipt.SoldAt, Paid: "36.87" };

test("without a receipt the scanned card lists them; what comes back is carried into a new sale", async () => {
  const sent = vi.spyOn(globalThis, "fetch").mockImplementation(async (address) =>
    Response.json(
      String(address).includes("customer/receipts")
        ? {
            Name: "Camille L.",
            Receipts: [
              { ...listed, ReceiptNumber: "W-1", Left: "36.87" },
              { ...listed, ReceiptNumber: "W-2", Left: "0.00" },
            ],
          }
        : receipt,
    ),
  );
  const takeCard: CardTaker = { current: undefined };
  const onExchange = vi.fn();
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  const none = { onFailure: () => expect.fail(), onSell: undefined, onNext: () => {} };
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <ReturnView receipt={undefined} card={undefined} idShop={1} {...{ takeCard, onExchange, ...none }} />
    </TextsProvider>,
  );
  await expect.element(page.getByRole("heading", { name: t("till.return.title") })).toBeVisible();
  takeCard.current?.("2900000000018");
  await expect.element(page.getByRole("button", { name: "W-2" })).toBeDisabled();
  await page.getByRole("button", { name: "W-1" }).click();
  await page.getByRole("button", { name: t("till.return.wholeLine", { number: 1 }) }).click();
  await page.getByRole("button", { name: t("till.return.exchange") }).click();
  const proof = { CardNumber: "2900000000018", EntryMode: "scanned" };
  const returnOf = { OriginalReceiptNumber: "W-1", OriginalIdShop: 2, ...proof, Lines: [{ Line: "1" }] };
  const exchange = { receiptNumber: "W-1", creditCents: 3_687, returnOf };
  expect(onExchange).toHaveBeenCalledWith(exchange, receipt.Member);
  root.unmount();
  sent.mockRestore();
});

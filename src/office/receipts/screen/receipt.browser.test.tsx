import { createRoot } from "react-dom/client";
import { createMemoryRouter, Outlet } from "react-router";
import { RouterProvider } from "react-router/dom";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { readReceipt } from "#office/receipts/calls.ts";
import { onCall, t, textsOf } from "#testing/browser/open-page.tsx";
import { loadReceipt, ReceiptPage } from "./receipt.tsx";

const line = { Line: "1", Price: "35.00", VoucherShare: "0.00", Paid: "35.00", Returned: "0.00", Earns: true };
const receipt = {
  ...{ IdShop: 2, ShopName: "Lyon", ReceiptNumber: "N-1", SoldAt: "2026-11-18T10:00:00Z", TillName: "Caisse 1" },
  ...{ ArrivedAt: "2026-11-18T10:00:00Z", Seller: null, Voided: false, Waiting: false, Attachable: false },
  Customer: { IdCustomer: 7, Name: "Léa Martin", CardNumber: "…0018" },
  Lines: [{ ...line, PriceType: "sale", Codes: ["Archives"] }],
  Total: { Price: "35.00", VoucherShare: "0.00", Paid: "35.00" },
  Points: {
    ...{ Paid: "35.00", PointsPerEuro: 1, Multiplier: 1, TierName: null, Base: 35, CampaignName: null },
    ...{ CampaignPoints: 0, Total: 35, Taken: 0, ArrivesAt: null, ExpiresAt: null },
  },
  ...{ Vouchers: [], Returns: [], IfReturned: [] },
};

test("a receipt that was claimed later explains its points without the status of its day; lines say what they are", async () => {
  onCall(readReceipt, () => Response.json(receipt));
  const children = [{ path: "receipt", Component: ReceiptPage, loader: loadReceipt }];
  const office = { id: "office", loader: () => ({ Role: "owner" }), HydrateFallback: () => null, Component: Outlet };
  const initialEntries = ["/receipt?shop=2&number=N-1"];
  const router = createMemoryRouter([{ ...office, children }], { initialEntries });
  const root = createRoot(document.body.appendChild(document.createElement("main")));
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
  await expect.element(page.getByText("1 point par euro", { exact: true })).toBeVisible();
  await expect.element(page.getByText(`${t("office.priceType.sale")}, Archives`)).toBeVisible();
  root.unmount();
});

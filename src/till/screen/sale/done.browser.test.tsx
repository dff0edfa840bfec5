import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { t, textsOf } from "#testing/browser/open-page.tsx";
import { DoneView } from "./done.tsx";
import type { Member, Sold } from "./use-sale.ts";

test("three articles at 24.90 without a voucher: the sum is exact and no discount is shown", async () => {
  const sold = {
    ...{ Points: { Earned: 74, Available: 324, Debt: 0 }, Tier: { IdLoyaltyTier: 1, Name: "Coton", Multiplier: 1 } },
    Lines: ["1", "2", "3"].map((Line) => ({ Line, Paid: "24.90", VoucherShare: "0.00" })),
    Vouchers: [],
  } as unknown as Sold;
  const member = { Name: "Camille L.", Confirmed: true } as Member;
  const customer = { cardNumber: "2900000000018", member, scanned: true, vouchersListed: true, foundAt: new Date() };
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <DoneView
        done={{ sold, receiptNumber: "T-1", total: 7_470, customer }}
        onFailure={() => expect.fail()}
        onReturn={() => {}}
        onNext={() => {}}
      />
    </TextsProvider>,
  );
  await expect.element(page.getByText("74,70 €")).toBeVisible();
  expect(page.getByText("0,00").elements()).toEqual([]);
  await expect.element(page.getByText(t("till.forName", { name: "Camille" }))).toBeVisible();
  let slip = "";
  const print = vi.spyOn(window, "print").mockImplementation(() => {
    slip = document.querySelector(".till-slip")?.textContent ?? "";
  });
  await page.getByRole("button", { name: t("till.print") }).click();
  await expect.poll(() => slip).toContain("T-1");
  expect(slip).toContain(t("till.slip"));
  print.mockRestore();
  const sent = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({}));
  await page.getByRole("button", { name: t("till.email") }).click();
  await expect.element(page.getByRole("button", { name: t("till.emailed") })).toBeDisabled();
  expect(String(sent.mock.calls[0]?.[0])).toContain("till/receipt/email");
  sent.mockRestore();
  root.unmount();
});

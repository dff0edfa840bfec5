import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { t, textsOf } from "#testing/browser/open-page.tsx";
import type { Programme } from "#till/screen/use-programme.ts";
import { ChangePoints } from "./change-points.tsx";
import type { SaleInHand } from "./use-sale.ts";

const programme = {
  Rewards: [{ IdLoyaltyReward: 1, Points: 250, Value: { Amount: "10.00", Currency: "EUR" } }],
} as unknown as Programme;
const member = { CustomerToken: "token", Points: 550, Debt: 0, Confirmed: true, Vouchers: [] };

function show(customer: object, onTake = vi.fn()) {
  const change = vi.fn();
  const inHand = { sale: { customer }, latest: { current: { customer } }, change } as unknown as SaleInHand;
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <ChangePoints {...{ inHand, programme, onTake }} online onFailure={() => expect.fail()} />
    </TextsProvider>,
  );
  return { root, change, onTake };
}

test("two presses turn points into a voucher, which the sale takes", async () => {
  const Voucher = { Code: "…XYZ", VoucherToken: "vt_1", Value: "10.00", ExpiresAt: "2026-12-31T00:00:00Z" };
  const sent = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ Voucher, Points: { Available: 300 } }));
  const { root, change, onTake } = show({ member, cardNumber: "2900000000018", scanned: true, vouchersListed: true });
  await page.getByRole("button", { name: "Changer 250 points en 10" }).click();
  expect(sent).not.toHaveBeenCalled();
  await page.getByRole("button", { name: "Le client est d’accord : 250 points en 10" }).click();
  await expect.poll(() => onTake).toHaveBeenCalledWith("vt_1");
  expect(change.mock.calls[0]?.[0]).toMatchObject({ customer: { member: { Points: 300, Vouchers: [Voucher] } } });
  root.unmount();
  sent.mockRestore();
});

test("found without a scan, the code on the customer's phone is asked for", async () => {
  const sent = vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ Voucher: {}, Points: {} }));
  for (const found of [
    { cardNumber: "2900000000018", vouchersListed: true },
    { cardNumber: undefined, vouchersListed: false },
  ]) {
    const { root } = show({ member, scanned: false, ...found });
    await expect.element(page.getByText(t("till.points.needCard"))).toBeVisible();
    const offer = page.getByRole("button", { name: "Changer 250 points en 10" });
    await expect.element(offer).toBeDisabled();
    await page.getByLabelText(t("till.points.code")).fill("482 915");
    await offer.click();
    await page.getByRole("button", { name: "Le client est d’accord : 250 points en 10" }).click();
    await expect.poll(() => sent).toHaveBeenCalled();
    const body = sent.mock.calls[0]?.[1]?.body;
    expect(body instanceof FormData && body.get("Code")).toBe("482915");
    sent.mockClear();
    root.unmount();
  }
  sent.mockRestore();
});

import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { t, textsOf } from "#testing/browser/open-page.tsx";
import type { Sale, SaleInHand } from "./use-sale.ts";
import { Vouchers } from "./vouchers.tsx";

test("a card of nobody known needs the network only while there is none", async () => {
  const customer = {
    cardNumber: "2900000000018",
    member: undefined,
    scanned: true,
    vouchersListed: true,
    foundAt: new Date(),
  };
  const inHand = { sale: { customer, scanned: [], holds: {} } as unknown as Sale } as SaleInHand;
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  const show = (online: boolean) =>
    root.render(
      <TextsProvider texts={textsOf.fr}>
        <Vouchers inHand={inHand} firstname={undefined} online={online} onTake={() => {}} />
      </TextsProvider>,
    );
  const words = () => page.getByText(t("till.needsNetwork"));
  show(false);
  await expect.element(words()).toBeVisible();
  show(true);
  await expect.element(words()).not.toBeInTheDocument();
  expect(page.getByText(t("till.vouchers")).elements()).toEqual([]);
  root.unmount();
});

test("found by an address, the screen says that the card is needed, not that there is no voucher", async () => {
  const member = { Name: "Camille L.", Vouchers: [] };
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  const show = (vouchersListed: boolean) => {
    const customer = { member, vouchersListed, scanned: false, foundAt: new Date() };
    const inHand = { sale: { customer, scanned: [], holds: {} } as unknown as Sale } as SaleInHand;
    root.render(
      <TextsProvider texts={textsOf.fr}>
        <Vouchers inHand={inHand} firstname="Camille" online onTake={() => {}} />
      </TextsProvider>,
    );
  };
  show(false);
  await expect.element(page.getByText(t("till.vouchersNeedCard"))).toBeVisible();
  expect(page.getByText(t("till.noVouchers")).elements()).toEqual([]);
  show(true);
  await expect.element(page.getByText(t("till.noVouchers"))).toBeVisible();
  root.unmount();
});

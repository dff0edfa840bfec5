import { useState } from "react";
import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { t, textsOf } from "#testing/browser/open-page.tsx";
import { useTurns } from "#till/screen/browser/use-turns.ts";
import { failureOf } from "#till/screen/failure.ts";
import { type Refused, RefusedView } from "./refused.tsx";
import { useRecord } from "./use-record.ts";
import { useSale } from "./use-sale.ts";

const onKept = vi.fn();

/** A sale of 20 euros in hand, without a network. */
function Till() {
  const inHand = useSale(failureOf, false);
  const [refused, setRefused] = useState<Refused>();
  const { record } = useRecord(inHand, {
    ...{ online: false, idStaff: 1, idShop: 1, inTurn: useTurns(), onFailure: failureOf, onKept },
    ...{ onRefused: setRefused, onDone: () => expect.fail(), onStopped: () => expect.fail() },
  });
  const none = { onWithout: () => {}, onKeep: undefined, onBack: () => {}, notice: undefined };
  if (refused) return <RefusedView refused={refused} inHand={inHand} online={false} onRetry={record} {...none} />;
  const add = () => inHand.change({ receiptNumber: "T-20", lines: [{ cents: 2_000, earns: true }] });
  return (
    <>
      <button type="button" onClick={add}>
        add
      </button>
      <button type="button" onClick={record}>
        record
      </button>
    </>
  );
}

test("a sale that the device cannot store is not lost silently: the cashier is told, and it stays in hand", async () => {
  const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("The disk is full.", "QuotaExceededError");
  });
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <Till />
    </TextsProvider>,
  );
  await page.getByRole("button", { name: "add" }).click();
  await page.getByRole("button", { name: "record" }).click();
  await expect.element(page.getByText(t("till.refused.notStoredText"))).toBeVisible();
  await expect.element(page.getByText(/^La vente est intacte.*20,00/)).toBeVisible();
  expect(onKept).not.toHaveBeenCalled();
  // There is room again.
  put.mockRestore();
  await page.getByRole("button", { name: t("till.again") }).click();
  await expect.poll(() => onKept).toHaveBeenCalledOnce();
  root.unmount();
  sessionStorage.clear();
});

/** A sale of a member with a voucher in hand, on a page that is loaded again and again. */
function InHand() {
  const inHand = useSale(failureOf, false);
  const { sale, change, setSale, clear, formerlyHeld } = inHand;
  const customer = { cardNumber: "2900000000018", member: undefined, scanned: true, vouchersListed: true };
  const add = () => {
    change({
      receiptNumber: "T-21",
      customer: { ...customer, foundAt: new Date() },
      lines: [{ cents: 500, earns: false }],
    });
    setSale((known) => ({ ...known, holds: { QK4TB7XW2HPD: new Date().toISOString() } }));
  };
  return (
    <>
      <button type="button" onClick={add}>
        add
      </button>
      <button type="button" onClick={() => clear({ keepHolds: true })}>
        clear
      </button>
      <p>
        {sale.receiptNumber} {sale.lines[0]?.cents} {sale.customer?.foundAt.getFullYear()} {formerlyHeld.join()}
      </p>
    </>
  );
}

test("the sale in hand is there again after a reload, its vouchers to be held again; a finished one is not", async () => {
  const load = () => {
    const root = createRoot(document.body.appendChild(document.createElement("div")));
    root.render(<InHand />);
    return root;
  };
  const year = String(new Date().getFullYear());
  let root = load();
  await page.getByRole("button", { name: "add" }).click();
  await expect.element(page.getByRole("paragraph")).toHaveTextContent(`T-21 500 ${year}`);
  root.unmount();
  root = load();
  await expect.element(page.getByRole("paragraph")).toHaveTextContent(`T-21 500 ${year} QK4TB7XW2HPD`);
  await page.getByRole("button", { name: "clear" }).click();
  root.unmount();
  root = load();
  await expect.element(page.getByRole("paragraph")).not.toHaveTextContent("T-21");
  root.unmount();
});

import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { t, textsOf } from "#testing/browser/open-page.tsx";
import { dismissRefused, enqueue, openSaleQueue, saleQueue } from "#till/queue/sale-queue.ts";
import { retrySeconds, sendQueue, sendState } from "#till/queue/send-queue.ts";
import type { Sale } from "#till/screen/sale/use-sale.ts";
import { QueueView } from "./queue-view.tsx";

const onAgain = vi.fn();
const onSendNow = vi.fn();
let root: Root;

const inHand: Sale = {
  ...{ receiptNumber: "T-9", customer: undefined, lines: [{ cents: 500, earns: true }], scanned: [], holds: {} },
  ...{ soldAt: undefined, sent: false, again: undefined },
};
function show(saleInHand?: Sale): void {
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <QueueView
        online
        justKept={false}
        saleInHand={saleInHand}
        onSendNow={onSendNow}
        onAgain={onAgain}
        onNext={() => {}}
      />
    </TextsProvider>,
  );
}
const sale = (ReceiptNumber: string, IdShop: number) => ({
  ...{ ReceiptNumber, IdShop, SoldAt: "2026-11-16T14:51:00.000Z", Amount: "89.00", IdStaff: 3 },
});
/** Sold for two shops; the device is a till of the second, which has refused one. */
async function refuse(): Promise<void> {
  await openSaleQueue(2);
  await enqueue(sale("refused", 2));
  await sendQueue(async () => ({ Outcomes: [{ ReceiptNumber: "refused", Status: 409 }] }));
}

beforeEach(() => {
  onAgain.mockClear();
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(async () => {
  root.unmount();
  document.body.replaceChildren();
  for (const { ReceiptNumber } of saleQueue.get().refused) await dismissRefused(ReceiptNumber);
});

const again = () => page.getByRole("button", { name: t("till.queue.again") });

test("what was sold for another shop is told as not sent, and is not rung up here", async () => {
  await enqueue(sale("elsewhere", 1));
  await openSaleQueue(2);
  show();
  await expect.element(page.getByRole("heading")).toHaveTextContent("1 vente non envoyée.");
  await expect.element(page.getByText(t("till.queue.notSentText"))).toBeVisible();
  expect(again().elements()).toEqual([]);
  // One that was refused beside it is loud, and is the one that can be rung up again.
  await refuse();
  await expect.element(page.getByRole("heading")).toHaveTextContent("1 vente refusée.");
  await again().click();
  expect(onAgain).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ ReceiptNumber: "refused" }));
});

test("while a sale is in hand none is rung up again, and the one that is in hand again cannot be ticked off", async () => {
  await refuse();
  show(inHand);
  await expect.element(page.getByText(t("till.queue.finishFirst"))).toBeVisible();
  expect(again().elements()).toEqual([]);
  show({ ...inHand, again: { receiptNumber: "refused", soldAt: undefined } });
  await expect.element(page.getByText(t("till.queue.inHand"))).toBeVisible();
  expect(page.getByRole("button", { name: t("till.queue.dismiss") }).elements()).toEqual([]);
});

test("where the server could not take a sale, that is said, with when it is tried again, and it can be sent now", async () => {
  await openSaleQueue(2);
  await enqueue(sale("kept", 2));
  show();
  await expect.element(page.getByText(t("till.queue.sending", { count: 1 }))).toBeVisible();
  sendState.set({ sending: false, failed: true });
  await expect.element(page.getByText(t("till.queue.fault", { seconds: retrySeconds }))).toBeVisible();
  await page.getByRole("button", { name: t("till.queue.sendNow") }).click();
  expect(onSendNow).toHaveBeenCalledOnce();
  sendState.set({ sending: true, failed: true });
  await expect.element(page.getByRole("button", { name: t("till.working") })).toHaveAttribute("aria-disabled", "true");
  sendState.set(sendState.initial);
  await sendQueue(async () => ({ Outcomes: [{ ReceiptNumber: "kept", Status: 200 }] }));
});

test("a sale that waits can be removed or corrected before it is sent; once it was sent it cannot", async () => {
  await openSaleQueue(2);
  await enqueue(sale("wrong", 2));
  await enqueue(sale("changed", 2));
  await enqueue(sale("sent", 2));
  show();
  const remove = () => page.getByRole("button", { name: t("till.queue.remove"), exact: true });
  await remove().first().click();
  await page.getByRole("button", { name: t("till.queue.removeSure") }).click();
  await expect.poll(() => saleQueue.get().waiting.map((one) => one.ReceiptNumber)).toEqual(["changed", "sent"]);
  await page
    .getByRole("button", { name: t("till.queue.correct") })
    .first()
    .click();
  await expect.poll(() => onAgain).toHaveBeenCalledOnce();
  expect(onAgain).toHaveBeenCalledWith(expect.objectContaining({ ReceiptNumber: "changed", code: "correcting" }));
  // Held back, it is not sent meanwhile; its response is lost on the way.
  await sendQueue(async () => Promise.reject(new TypeError("Failed to fetch"))).catch(() => {});
  await expect.element(page.getByText(t("till.queue.tried"))).toBeVisible();
  expect(page.getByRole("button", { name: t("till.queue.correct") }).elements()).toEqual([]);
  // It was right after all.
  await page.getByRole("button", { name: t("till.queue.sendAsItWas") }).click();
  const accepted: string[] = [];
  await sendQueue(async (items) => {
    accepted.push(...items.map(({ ReceiptNumber }) => ReceiptNumber));
    return { Outcomes: items.map(({ ReceiptNumber }) => ({ ReceiptNumber, Status: 200 })) };
  });
  expect(accepted).toEqual(["changed", "sent"]);
});

test("a card that is no member's any more is reported with the code for the points, until a person has seen to it", async () => {
  await openSaleQueue(2);
  await enqueue(sale("former", 2));
  show();
  const Answer = { Customer: "unknown" as const, ClaimCode: "ABCDFGHJKMNP" };
  await sendQueue(async () => ({ Outcomes: [{ ReceiptNumber: "former", Status: 200, Answer }] }));
  await expect.element(page.getByRole("heading")).toHaveTextContent("1 vente sans points.");
  await expect.element(page.getByText(/ABCDFGHJKMNP/)).toBeVisible();
  expect(again().elements()).toEqual([]);
  await page.getByRole("button", { name: t("till.queue.dismiss") }).click();
  await expect.element(page.getByRole("heading")).toHaveTextContent(t("till.queue.sent2"));
});

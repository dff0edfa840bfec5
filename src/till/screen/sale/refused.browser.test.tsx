import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { t, textsOf } from "#testing/browser/open-page.tsx";
import type { Failure } from "#till/screen/failure.ts";
import { type Refused, RefusedView } from "./refused.tsx";
import type { Sale, SaleInHand } from "./use-sale.ts";

let root: Root;
beforeEach(() => {
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

const sale: Sale = {
  ...{ receiptNumber: "T-9", customer: undefined, lines: [{ cents: 2_000, earns: true }], scanned: [], holds: {} },
  ...{ soldAt: undefined, sent: false, again: undefined },
};
const failed = (part: Partial<Failure>): Failure => ({
  ...{ offline: false, fault: false, code: undefined, detail: undefined, waitSeconds: undefined },
  ...part,
});

function show(
  kind: Refused["kind"],
  failure: Failure,
  more: { sale?: Partial<Sale>; online?: boolean; onKeep?: () => void; notice?: string } = {},
): void {
  const inHand = { sale: { ...sale, ...more.sale }, quote: undefined, total: 2_000, toPayCents: 2_000 };
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <RefusedView
        refused={{ kind, code: kind === "voucher" ? "QK4TB7XW2HPD" : "", failure }}
        inHand={inHand as SaleInHand}
        online={more.online ?? true}
        notice={more.notice}
        onRetry={() => {}}
        onWithout={() => {}}
        onKeep={more.onKeep}
        onBack={() => {}}
      />
    </TextsProvider>,
  );
}
/** The black button is the last. */
const buttons = () => page.getByRole("button").elements();
const solid = () => buttons().filter((one) => one.classList.contains("solid"));

test("a sale that may be recorded says so with its number, and is first of all tried again", async () => {
  const offline = failed({ offline: true });
  show("network", offline, { sale: { sent: true }, online: false });
  await expect.element(page.getByText(t("till.numberStays", { number: "T-9" }))).toBeVisible();
  await expect.element(page.getByRole("definition")).toHaveTextContent("T-9");
  await expect.element(page.getByRole("heading")).toHaveTextContent(t("till.refused.network2"));
  expect(solid()).toEqual([page.getByRole("button", { name: t("till.again") }).element()]);
  expect(buttons().at(-1)).toBe(solid()[0]);
  show("network", offline, { sale: { sent: true }, online: true, notice: t("till.misread") });
  await expect.element(page.getByRole("heading")).toHaveTextContent(t("till.refused.back2"));
  await expect.element(page.getByRole("status")).toHaveTextContent(t("till.misread"));
  // What can wait on this device waits there.
  show("sale", failed({ fault: true }), { sale: { sent: true }, onKeep: vi.fn() });
  await expect.element(page.getByRole("button", { name: t("till.keep") })).toHaveClass("solid");
  await expect.element(page.getByText(t("till.countsOnce", { number: "T-9" }))).toBeVisible();
  expect(solid()).toHaveLength(1);
});

test("a sale that was never sent is as it was, and without a network goes on without its vouchers", async () => {
  show("network", failed({ offline: true }), { sale: { holds: { QK4TB7XW2HPD: "" } }, online: false });
  await expect.element(page.getByText(/^La vente est intacte/)).toBeVisible();
  expect(solid().map((one) => one.textContent)).toEqual([t("till.goOnWithoutAny")]);
  expect(page.getByText("T-9").elements()).toEqual([]);
});

test("only what may pass by itself can be tried again", async () => {
  const again = page.getByRole("button", { name: t("till.again") });
  show("voucher", failed({ code: "voucher_held", waitSeconds: 60 }));
  await expect.element(again).toBeVisible();
  show("voucher", failed({ code: "voucher_used", detail: t("refusal.voucher_used") }));
  await expect.element(page.getByText(t("refusal.voucher_used"))).toBeVisible();
  expect(buttons().map((one) => one.textContent)).toEqual([t("till.goOnWithout")]);
  show("sale", failed({ code: "receipt_known", detail: t("refusal.receipt_known") }));
  await expect.element(page.getByText(t("refusal.receipt_known"))).toBeVisible();
  expect(again.elements()).toEqual([]);
  show("sale", failed({ code: "too_many", waitSeconds: 10 }));
  await expect.element(again).toBeVisible();
});

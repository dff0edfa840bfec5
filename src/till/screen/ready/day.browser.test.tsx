import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { t, textsOf } from "#testing/browser/open-page.tsx";
import { Day, type LastDay } from "./day.tsx";

const nothing = () => {};
const answer = {
  ...{ Net: "70.50", Sales: 2, Returns: 0, Voided: 0 },
  Sellers: [{ IdStaff: 1, Name: "Alix M.", Net: "70.50", Sales: 2, Returns: 0 }],
  Receipts: [
    {
      ...{ Kind: "sale", ReceiptNumber: "T-1", At: new Date().toISOString(), Amount: "70.50", Returned: "0.00" },
      ...{ Voided: false, Exchange: false, Correctable: true, Customer: "Camille L.", Tier: "Soie", Points: 88 },
      ...{ Seller: "Alix M.", HasClaimCode: false },
    },
  ],
};

/** The day on a screen of its own, as after each sale. */
function show(online: boolean, lastDay: LastDay) {
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <Day
        {...{ online, lastDay, onNotice: nothing, onReturn: nothing, onCorrect: nothing, onUndone: nothing }}
        {...{ onCount: nothing, onQueue: nothing, onSendNow: nothing, onFailure: () => expect.fail() }}
      />
    </TextsProvider>,
  );
  return root;
}

test("offline the day stays as it was read last, with its time; what needs the network cannot be pressed", async () => {
  const sent = vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(answer));
  const lastDay: LastDay = { current: undefined };
  const online = show(true, lastDay);
  await expect.element(page.getByRole("button", { name: /^Annuler, encore/ })).toBeEnabled();
  online.unmount();
  const offline = show(false, lastDay);
  await expect.element(page.getByText(/^Hors ligne\s: chiffres de \d\d:\d\d\.$/)).toBeVisible();
  await expect.element(page.getByText("70,50 €").first()).toBeVisible();
  await expect.element(page.getByRole("button", { name: /^Annuler, encore/ })).toBeDisabled();
  const correct = page.getByRole("button", { name: t("till.day.correctOf", { number: "T-1" }) });
  await expect.element(correct).toBeDisabled();
  expect(sent).toHaveBeenCalledOnce();
  offline.unmount();
  sent.mockRestore();
});

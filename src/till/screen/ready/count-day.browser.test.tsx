import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { t, textsOf } from "#testing/browser/open-page.tsx";
import { CountDay } from "./count-day.tsx";

test("the end of the day shows what is expected, and after the count the difference", async () => {
  const Expected = { Count: 8, Amount: "700.50" };
  const sent = vi
    .spyOn(globalThis, "fetch")
    .mockResolvedValue(Response.json({ Expected, Difference: { Count: 0, Amount: "-10.00" } }));
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <CountDay day={{ Sales: 7, Returns: 1, Net: "700.50" }} onFailure={() => expect.fail()} onNext={() => {}} />
    </TextsProvider>,
  );
  await expect.element(page.getByText("8 tickets, 700,50 €")).toBeVisible();
  await page.getByLabelText(t("till.count.receipts")).fill("8,5");
  await page.getByLabelText(t("till.count.amount")).fill("690,50");
  await page.getByRole("button", { name: t("till.count.submit") }).click();
  await expect.element(page.getByText(t("till.count.wrong"))).toBeVisible();
  expect(sent).not.toHaveBeenCalled();
  await page.getByLabelText(t("till.count.receipts")).fill("8");
  await page.getByRole("button", { name: t("till.count.submit") }).click();
  await expect.element(page.getByText("−10,00 €")).toBeVisible();
  root.unmount();
  sent.mockRestore();
});

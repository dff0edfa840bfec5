import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { pairTill } from "#office/shops/calls.ts";
import { accept, button, onCall, openPage, t, textbox } from "#testing/browser/open-page.tsx";
import { PairPanel } from "./pair-panel.tsx";

test("a code that has ended is not to be scanned, and one press makes a new one for the same till", async () => {
  const [past, ahead] = [-1, 600].map((seconds) => new Date(Date.now() + seconds * 1_000).toISOString());
  const made = (Code: string, EndsAt = "") =>
    accept<typeof pairTill>({ Code, EndsAt, Url: `http://localhost/till#code=${Code}`, QrSvg: "<svg/>" });
  const sent = onCall(pairTill, made("ABCD2345", past));
  await openPage({ Component: () => <PairPanel shopId={2} onClose={() => {}} /> });
  await textbox(t("office.tills.name")).fill("Cabines");
  await button(t("office.tills.makeCode")).click();
  await expect.element(page.getByText(t("office.tills.codeEnded"))).toBeVisible();
  expect(page.getByText(t("office.tills.scan")).elements()).toEqual([]);
  onCall(pairTill, made("WXYZ6789", ahead));
  await button(t("office.tills.newCode")).click();
  await expect.element(page.getByText("WXYZ 6789")).toHaveFocus();
  await expect.element(page.getByText(t("office.tills.scan"))).toBeVisible();
  expect(sent.map(({ fields }) => fields)).toEqual([
    { IdShop: "2", TillName: "Cabines" },
    { IdShop: "2", TillName: "Cabines" },
  ]);
});

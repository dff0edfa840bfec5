import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { button, openPage, spoken, t, textbox } from "#testing/browser/open-page.tsx";
import { Report } from "./report.tsx";

const numbers = Array.from({ length: 17 }, (_, n) => `T-${n + 1}`);

function loader({ request }: LoaderFunctionArgs) {
  const none = { Count: 0, Amount: "0.00" };
  return {
    ...{ IdShop: 2, Day: new URL(request.url).searchParams.get("day") ?? "2026-11-16", Conflicts: [] },
    ...{ Sales: none, Returns: none, Vouchers: none, Points: { Earned: 0, Taken: 0 } },
    ...{ LostVouchers: [], ArrivedAfterClose: numbers, ReturnsAfterClose: [] },
    Close: { ClosedAt: "2026-11-16T19:00:00.000Z", Differences: [] },
  };
}

const sums = { Sales: 0, Returns: 0, Voids: 0, Net: "0.00" };
const day = {
  ...{ Day: "2026-11-16", Receipts: [], Tills: [], Sellers: [], Counts: [], Missing: [] },
  Total: {
    ...{ ...sums, Returned: "0.00", Voided: "0.00", WithCard: 0, Points: 0 },
    Vouchers: { Count: 0, Amount: "0.00" },
  },
};

function ReportPage() {
  return <Report shopId={2} report={useLoaderData<typeof loader>()} day={day} today="2026-11-17" />;
}

test("of many late sales it says how many are not named, and another day leaves the focus where it was", async () => {
  await openPage({ Component: ReportPage, loader });
  const listed = t("office.report.more", { numbers: numbers.slice(0, 10).join(", "), more: 7 });
  const late = page.getByText(/T-10/);
  await expect.element(late).toHaveTextContent(spoken(t("office.report.late", { count: 17, numbers: listed })));
  await expect.element(late).toHaveTextContent("T-10 et 7 autres");
  const day = textbox(t("office.audit.day"));
  await day.fill("2026-11-15");
  await button(t("office.show")).click();
  await expect.element(page.getByText("dimanche 15 novembre 2026")).toBeVisible();
  await expect.element(button(t("office.show"))).toHaveFocus();
  const before = page.getByRole("link", { name: t("office.report.before") });
  await before.click();
  await expect.element(day).toHaveValue("2026-11-14");
  await expect.element(before).toHaveFocus();
  // The link to the day after is gone once today is shown.
  for (let n = 0; n < 3; n += 1) await page.getByRole("link", { name: t("office.report.after") }).click();
  await expect.element(day).toHaveValue("2026-11-17");
  await expect.element(button(t("office.show"))).toHaveFocus();
});

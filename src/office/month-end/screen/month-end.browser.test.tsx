import { createRoot } from "react-dom/client";
import { createMemoryRouter, Outlet } from "react-router";
import { RouterProvider } from "react-router/dom";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { closeMonth, draftMonth, readMonthEnd } from "#office/month-end/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { button, onCall, refuse, t, textsOf } from "#testing/browser/open-page.tsx";
import { loadMonthEnd, MonthEnd } from "./month-end.tsx";

type Read = ResponseBody<typeof readMonthEnd>;

const drafted: Read = {
  Months: [
    { Month: "2026-02", State: "ended", Points: null, LiabilityCents: null, ClosedAt: null, ClosedBy: null },
    { Month: "2026-01", State: "draft", Points: 300, LiabilityCents: null, ClosedAt: null, ClosedBy: null },
  ],
  ...{ Next: "2026-01", Month: "2026-01", Job: null },
  Book: {
    DraftedAt: "2026-03-01T04:30:00.000Z",
    Accounts: [{ Name: "points", Opening: 0, Movements: [{ Name: "issued_welcome", Amount: 300 }], Closing: 300 }],
    ...{ Expiry: [], TierNames: ["Coton"], Earlier: [] },
    Liability: {
      ...{ RewardPoints: 250, RewardCents: 1_000, Source: "chosen", ChosenPercent: 100, Ages: [] },
      ...{ PointsCents: 1_200, PendingCents: 0, VouchersCents: 0, TotalCents: 1_200 },
    },
  },
};
const { Months } = drafted;
/** January is closed, and February is the month to be closed next. */
const closed: Read = {
  Months: Months.map((month) =>
    month.Month === "2026-01" ? { ...month, State: "closed", ClosedAt: "2026-03-01T09:00:00.000Z" } : month,
  ),
  ...{ Next: "2026-02", Month: "2026-02", Job: null, Book: null },
};

function openMonthEnd(first: Read) {
  let read = first;
  onCall(readMonthEnd, () => Response.json(read));
  const office = { id: "office", loader: () => ({ Role: "owner" }), HydrateFallback: () => null, Component: Outlet };
  const children = [{ path: "month-end", Component: MonthEnd, loader: loadMonthEnd }];
  const router = createMemoryRouter([{ ...office, children }], { initialEntries: ["/month-end"] });
  createRoot(document.body.appendChild(document.createElement("main"))).render(
    <TextsProvider texts={textsOf.fr}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
  return {
    show(next: Read) {
      read = next;
    },
  };
}
const closing = button(t("office.monthEnd.close"));

test("a closing that takes longer than its call is shown until the month is closed", async () => {
  const { show } = openMonthEnd(drafted);
  onCall(closeMonth, () => {
    show({ ...drafted, Job: "closing" });
    return Response.json({ InProgress: true });
  });
  await closing.click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("office.monthEnd.close") })
    .click();
  await expect.element(page.getByText(t("office.monthEnd.job.closing"))).toBeVisible();
  await expect.element(closing).not.toBeInTheDocument();
  await expect.element(button(t("office.monthEnd.draftAgain"))).not.toBeInTheDocument();
  show({ ...drafted, Job: "failed" });
  await expect.element(page.getByText(t("office.monthEnd.job.failed"))).toBeVisible();
  await expect.element(closing).toBeVisible();
  show({ ...drafted, Job: "closing" });
  await expect.element(page.getByText(t("office.monthEnd.job.closing"))).toBeVisible();
  show(closed);
  await expect.element(page.getByText(t("office.monthEnd.closed", { month: "janvier 2026" }))).toBeVisible();
  await expect.element(page.getByText(t("office.monthEnd.job.closing"))).not.toBeInTheDocument();
});

test("a draft that is computed is shown when it is there; one that another person has begun is told", async () => {
  const { show } = openMonthEnd({ ...drafted, Job: "drafting" });
  await expect.element(page.getByText(t("office.monthEnd.job.drafting"))).toBeVisible();
  show(drafted);
  await expect.element(page.getByText(t("office.monthEnd.drafted"))).toBeVisible();
  onCall(draftMonth, (sent) => {
    show({ ...drafted, Job: "drafting" });
    return refuse("month_busy")(sent);
  });
  await button(t("office.monthEnd.draftAgain")).click();
  await expect.element(page.getByRole("alert")).toBeVisible();
  await expect.element(page.getByText(t("office.monthEnd.job.drafting"))).toBeVisible();
});

test("a month whose figures were no longer those of the draft says why it was not closed", async () => {
  openMonthEnd({ ...drafted, Job: "changed" });
  await expect.element(page.getByText(t("office.monthEnd.job.changed"))).toBeVisible();
  await expect.element(closing).toBeVisible();
});

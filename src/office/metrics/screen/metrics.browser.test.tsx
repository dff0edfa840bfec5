import { createRoot } from "react-dom/client";
import { createMemoryRouter, Outlet } from "react-router";
import { RouterProvider } from "react-router/dom";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { mostTiers } from "#loyalty/programme/rules.ts";
import { readMetrics } from "#office/metrics/calls.ts";
import { button, onCall, t, textsOf } from "#testing/browser/open-page.tsx";
import { loadMetrics, Metrics } from "./metrics.tsx";
import "#ui/tokens.css";
import "./metrics.css";

const shop = { IdShop: 3, Name: "Lyon", Sales: 2, Cents: 9_000, Share: 1, Points: 90, PreviousPoints: 0 };
const metricsOf = ({ From = "2026-03-01", To = "2026-03-10" }: Record<string, string>) => ({
  ...{ Today: "2026-03-10", Period: { From, To }, Before: { From: "2026-02-19", To: "2026-02-28" }, Compare: "before" },
  ...{ IdShop: null, AllShops: [], Shops: [{ ...shop, VouchersUsed: 0, Joined: 1 }] },
  Figures: [
    { ...{ Name: "issued", Value: 90, Previous: 0, Cents: null, PreviousCents: null, Definition: "Points" } },
    ...["members", "joined", "sales", "basket", "repeat_share", "outstanding"].map((Name) => ({
      ...{ Name, Value: 1, Previous: 1, Cents: null, PreviousCents: null, Definition: Name },
    })),
  ],
  Days: [{ Day: "2026-03-04", Points: 90, Mean: 90, PreviousPoints: null, PreviousMean: null }],
  Outstanding: {
    Months: [
      { Month: "2028-03", Points: 90, Cents: 360, Tiers: [40, 50] },
      { Month: "2028-04", Points: 1_200, Cents: 4_800, Tiers: [1_000, 200] },
    ],
    ...{ TierNames: ["Coton", "Soie"], RewardPoints: 250, RewardCents: 1_000 },
  },
  Charts: { Days: "<svg></svg>", Outstanding: "<svg></svg>" },
});

function openMetrics(changes: Partial<ReturnType<typeof metricsOf>> = {}) {
  const asked = onCall(readMetrics, ({ fields }) => Response.json({ ...metricsOf(fields), ...changes }));
  const children = [
    { path: "figures", Component: Metrics, loader: loadMetrics },
    { path: "shop", Component: () => "receipts" },
  ];
  const office = { id: "office", loader: () => ({ Role: "owner" }), HydrateFallback: () => null, Component: Outlet };
  const router = createMemoryRouter([{ ...office, children }], { initialEntries: ["/figures"] });
  const root = createRoot(document.body.appendChild(document.createElement("main")));
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
  return { asked, router };
}
const tableOf = (title: string) => button(t("office.figures.tableOf", { what: title }));

test("from the chart of days to its table, the day, the shop of that day and its receipts", async () => {
  const { asked, router } = openMetrics();
  await expect.element(page.getByRole("heading", { level: 1, name: /^1er.+10 mars 2026$/ })).toBeVisible();
  await tableOf(t("office.figures.days")).click();
  await page.getByRole("link", { name: "4 mars 2026" }).click();
  await expect.poll(() => asked.at(-1)?.fields).toMatchObject({ From: "2026-03-04", To: "2026-03-04" });
  await expect.element(page.getByRole("heading", { level: 1, name: "4 mars 2026" })).toBeVisible();
  await page.getByRole("link", { name: "Lyon" }).click();
  await expect
    .poll(() => router.state.location.pathname + router.state.location.search)
    .toBe("/shop?id=3&day=2026-03-04");
});

test("where the charts are below each other, each is as wide as its page", async () => {
  await page.viewport(820, 844);
  openMetrics();
  await expect.element(page.getByRole("heading", { name: t("office.figures.days") })).toBeVisible();
  const widthOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().width;
  expect(widthOf(".office-charts > section")).toBe(widthOf(".office-charts"));
  await page.viewport(390, 844);
});

test("points by month of expiry have their totals below, and are sorted by a press", async () => {
  openMetrics();
  await tableOf(t("office.figures.outstanding")).click();
  const table = page.getByRole("table", { name: t("office.figures.outstanding") });
  const firstMonths = () => [...table.element().querySelectorAll("tbody tr")].map((row) => row.textContent);
  await expect.element(table).toBeVisible();
  expect(firstMonths().at(-1)).toMatch(/1.040.*250.*1.290.*52/);
  const points = table.getByRole("button", { name: t("office.figures.pointsHead") });
  await points.click();
  await points.click();
  await expect.poll(() => firstMonths()[0]).toContain("avril");
});

test("every status that a programme may have has a colour of its own, in the bars as in the legend", async () => {
  const tiers = Array.from({ length: mostTiers }, (_, tier) => tier);
  const bars = tiers.map((tier) => `<rect class="tier-${tier}" width="1" height="1"/>`).join("");
  openMetrics({
    Outstanding: { ...metricsOf({}).Outstanding, TierNames: tiers.map((tier) => `Statut ${tier}`) },
    Charts: { Days: "<svg></svg>", Outstanding: `<svg class="office-chart">${bars}</svg>` },
  });
  await expect.element(page.getByText("Statut 0", { exact: true })).toBeInTheDocument();
  const fills = [...document.querySelectorAll("svg rect")].map((bar) => getComputedStyle(bar).fill);
  const marks = [...document.querySelectorAll(".legend i")].map((mark) => getComputedStyle(mark).backgroundColor);
  expect(new Set(fills).size).toBe(mostTiers);
  expect(new Set(marks).size).toBe(mostTiers);
});

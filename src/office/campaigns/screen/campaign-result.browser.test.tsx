import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { readResult } from "#office/campaigns/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { accept, onCall, openPage, spoken } from "#testing/browser/open-page.tsx";
import { CampaignResult, loadCampaignResult } from "./campaign-result.tsx";
import "#office/screen/office.css";

type Result = ResponseBody<typeof readResult>;
const group = { Members: 900, RevenueCents: 3_600_000 };
const measured: Result = {
  ...{ Name: { fr: "Ventes", en: "Sale", de: "Verkauf" }, State: "measured", Metric: "revenue", Voucher: false },
  ...{ From: "2026-03-01T00:00:00.000Z", Until: "2026-04-01T00:00:00.000Z", ControlPercent: 10, ControlNote: null },
  Groups: [
    { ...group, Control: false, Mean: 4_630 },
    { ...group, Control: true, Mean: 4_120 },
  ],
  ...{ Difference: { Value: 510, Low: 183, High: 837 }, Verdict: "more", MoreWeeks: null },
  ...{ CostCents: 120_000, CostPerMemberCents: 133, Chart: null },
};
const share = {
  Metric: "returning",
  Difference: { Value: 0.04, Low: 0.014, High: 0.066 },
  CostPerMemberCents: 100,
} as const;
const purchases = {
  Metric: "purchases",
  Difference: { Value: 0.5, Low: 0.2, High: 0.8 },
  CostPerMemberCents: 135,
} as const;

test.each<[string, Partial<Result>, string[]]>([
  [
    "what it brought and from which margin on it is worth it",
    {},
    ["€5.10 per member (€1.83 to €8.37)", "margin on €5.10 is more than €1.33"],
  ],
  [
    "what each further purchase cost",
    purchases,
    ["0.50 more purchases per member (0.20 to 0.80)", "€2.70 for each of these"],
  ],
  ["what each further buyer cost", share, ["4 more of 100 members to buy (1.4 to 6.6)", "€25.00 for each of them"]],
  [
    "that it did harm",
    { ...share, Verdict: "less", Difference: { Value: -0.04, Low: -0.066, High: -0.014 } },
    ["4 fewer", "Do not repeat it"],
  ],
  [
    "how long it would take to tell",
    { Verdict: "unclear", MoreWeeks: 3 },
    ["Not enough data to tell; about 3 more weeks needed"],
  ],
  [
    "between which percentage points no difference can be seen",
    { ...share, Verdict: "unclear", Difference: { Value: 0.001, Low: -0.019, High: 0.021 } },
    ["between \u22121.9 and +2.1 percentage points"],
  ],
  ["that nobody was compared", { ControlPercent: 0, ControlNote: "All of them" }, ["Without a control group"]],
  [
    "nothing while it runs",
    { State: "running", Groups: [], Difference: null, Verdict: null, CostCents: null },
    ["Running. The result will be here from 1 Apr"],
  ],
])("to a reader who knows no statistics the result says %s", async (_, changes, words) => {
  onCall(readResult, accept<typeof readResult>({ ...measured, ...changes }));
  await openPage({ Component: CampaignResult, loader: loadCampaignResult }, { locale: "en" });
  const banner = page.getByRole("status").first();
  await expect.element(banner).toBeVisible();
  const said = spoken(banner.element().textContent ?? "");
  for (const one of words) expect(said).toContain(one);
});

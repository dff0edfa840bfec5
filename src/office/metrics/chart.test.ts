import { expect, test } from "vitest";
import { barChart } from "./bar-chart.server.tsx";
import { lineChart } from "./line-chart.server.tsx";

const periods = {
  period: { from: "2026-03-01", to: "2026-03-02" },
  before: { from: "2026-02-27", to: "2026-02-28" },
};
const day = { Points: 40, Mean: 40, PreviousPoints: 20, PreviousMean: 20 };
const days = [
  { Day: "2026-03-01", ...day },
  { Day: "2026-03-02", ...day, Points: 80 },
];
const hostile = `<script>alert("1")</script> & 'co'`;
const escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#x27;co&#x27;";

test("a line runs through each day, and the name of a campaign is text, whatever it holds", () => {
  const svg = lineChart(days, periods, [{ day: "2026-03-02", name: hostile }], "en");
  expect(svg).toContain('<path class="now" d="M60 105L448 16"></path>');
  expect(svg).toContain(`${escaped}, 2 Mar</text>`);
  expect(svg).not.toContain("<script");
});

test("a bar is made of its statuses from the lowest up, and their names are text", () => {
  const months = [{ Month: "2026-03", Points: 100, Tiers: [75, 0, 25] }];
  const svg = barChart({ Months: months, TierNames: ["Cotton", hostile, "Silk"] }, "en");
  const [first, second] = svg.matchAll(/<rect class="tier-(\d)" x="65" y="([\d.]+)" width="31.7" height="([\d.]+)">/g);
  expect(first?.slice(1)).toEqual(["0", "60.5", "133.5"]);
  expect(second?.slice(1)).toEqual(["2", "16", "44.5"]);
  expect(svg).toContain(`>${escaped}</text>`);
  expect(svg).toContain('aria-label="March 2026 : 100"');
});

test("a month in which nothing expires has its place among the bars, and each January its year", () => {
  const expiring = (Month: string) => ({ Month, Points: 100, Tiers: [100] });
  const months = [expiring("2026-11"), expiring("2027-02")];
  const svg = barChart({ Months: months, TierNames: ["Cotton"] }, "en");
  const labels = [...svg.matchAll(/text-anchor="middle"[^>]*>([^<]+)</g)].map(([, label]) => label);
  expect(labels).toEqual(["Nov", "2026", "Dec", "Jan", "2027", "Feb"]);
  expect(svg.match(/aria-label="\w+ \d{4} : /g)).toHaveLength(2);
  // A long axis leaves out its first label where that of the year is near.
  const long = barChart({ Months: [...months, expiring("2028-03")], TierNames: ["Cotton"] }, "en");
  expect(long).not.toContain(">2026<");
});

import { expect, test } from "vitest";
import { resultChart } from "./result-chart.server.tsx";

const rows = {
  reached: { value: 54.13, low: 52.82, high: 55.43 },
  control: { value: 59.9, low: 56.02, high: 63.79 },
  difference: { value: -5.78, low: -9.88, high: -1.68 },
};

test("the line of zero crosses no words when members who got a campaign did less", () => {
  const chart = resultChart(rows, "purchases", "fr");
  const baselines = Array.from(chart.matchAll(/<text [^>]*y="([\d.]+)"/g), ([, y]) => Number(y));
  const lines = Array.from(chart.matchAll(/<line class="base"[^>]*y1="([\d.]+)" y2="([\d.]+)"/g), ([, ...ends]) =>
    ends.map(Number),
  );
  expect([baselines.length, lines.length]).toEqual([6, 3]);
  for (const [top = 0, bottom = 0] of lines)
    expect(baselines.filter((baseline) => top < baseline + 4 && bottom > baseline - 12)).toEqual([]);
});

test("what is less than nothing has the minus sign of the tables", () => {
  for (const metric of ["revenue", "purchases", "returning"] as const)
    expect(resultChart(rows, metric, "de").match(/[-\u2212]\d/g), metric).toEqual(
      expect.not.arrayContaining([expect.stringContaining("-")]),
    );
});

test("parts of the members have one decimal each, and differ by percentage points, as each language writes them", () => {
  const shares = {
    reached: { value: 0.55, low: 0.517, high: 0.583 },
    control: { value: 0.5, low: 0.451, high: 0.549 },
    difference: { value: 0.05, low: -0.009, high: 0.109 },
  };
  const said = (locale: "fr" | "en" | "de") =>
    Array.from(resultChart(shares, "returning", locale).matchAll(/class="ink">([^<]+)</g), ([, words = ""]) =>
      words.replace(/\s/g, " "),
    );
  expect(said("fr")).toEqual([
    "55,0 % (51,7 % à 58,3 %)",
    "50,0 % (45,1 % à 54,9 %)",
    "+5,0 points de pourcentage (\u22120,9 à +10,9)",
  ]);
  expect(said("en")).toEqual([
    "55.0% (51.7% to 58.3%)",
    "50.0% (45.1% to 54.9%)",
    "+5.0 percentage points (\u22120.9 to +10.9)",
  ]);
  expect(said("de")[2]).toBe("+5,0 Prozentpunkte (\u22120,9 bis +10,9)");
});

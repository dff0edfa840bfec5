import { test } from "@playwright/test";

/** One line of the table in docs/bench.md. */
export function report(what: string, metrics: string, ratio: number | string, limit: string): void {
  const line = `| ${what} | ${metrics} | ${typeof ratio === "number" ? ratio.toFixed(2) : ratio} | ${limit} |`;
  test.info().annotations.push({ type: "measured", description: line });
  console.log(line);
}

export const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

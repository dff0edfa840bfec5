import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";

const run = promisify(execFile);

test("every example of the partner's guide works, from top to bottom", async ({ baseURL }) => {
  const guide = readFileSync("docs/shop-integration.md", "utf8");
  const examples = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, example]) => example ?? "");
  expect(examples.length).toBeGreaterThanOrEqual(8);
  const script = examples.join("echo\n").replace("http://localhost:3000", baseURL ?? "");
  const { stdout } = await run("sh", ["-ec", script]);
  const answers = stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  const [identified, quoted, sold, unnamed, returned, exchanged, amended, recorded, batch, report, joined, events] =
    answers;
  expect(identified.Customers[0]).toMatchObject({ Name: "Ada E.", Points: 250 });
  expect(quoted.Points.Earned).toBe(129);
  const { ArrivesAt, NextPending } = sold.Points;
  expect(sold.Points).toEqual({ ArrivesAt, NextPending, Earned: 129, Available: 250, Pending: 129, Debt: 0 });
  expect(NextPending).toMatchObject({ Points: 129 });
  expect(Date.parse(ArrivesAt)).toBeGreaterThan(Date.now() + 13 * 86_400_000);
  expect(unnamed.ClaimUrl).toContain(`/r/${unnamed.ClaimCode}`);
  expect(returned).toMatchObject({ Refunds: [{ Line: "2", Amount: "39.95" }], Points: { Taken: 40, Pending: 89 } });
  expect(exchanged).toMatchObject({ Points: { Earned: 45, Taken: 89 }, Refunds: [{ Amount: "89.90" }] });
  expect(amended.Added).toEqual([{ Line: "1", Amount: "6.00" }]);
  expect(recorded).toMatchObject({ Lines: [{ Left: "30.00" }], Amendments: [{ AmendNumber: 1 }] });
  expect(batch.Outcomes.map(({ Status }: { Status: number }) => Status)).toEqual([200, 200]);
  expect(joined).toMatchObject({ Name: "Ada E.", CardNumber: expect.stringMatching(/^29\d{11}$/) });
  expect(events).toMatchObject({ Events: expect.any(Array), NextAfter: expect.any(Number) });
  expect(report.Sales.Count).toBeGreaterThanOrEqual(4);
});

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createMetrics } from "#platform/metrics.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const rules = readFileSync("deploy/prometheus-rules.yml", "utf8");
const ruleTestsFile = "deploy/prometheus-rules.test.yml";
const ruleTests = readFileSync(ruleTestsFile, "utf8");
const dashboard = readFileSync("deploy/grafana-dashboard.json", "utf8");
const alarms = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);

test("every alarm has its runbook, and no runbook is left over", () => {
  const runbooks = [...readFileSync("docs/runbooks.md", "utf8").matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(runbooks).toEqual(alarms);
});

test("alarms and dashboard name metrics and states that the product has", async () => {
  const metrics = createMetrics();
  const product = await openTestProduct({}, { metrics, release: "1.0.0+abc" });
  await product.product.jobs["loyalty:invariants"]?.({}, product.database);
  const text = await metrics.text();
  const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const expressions = `${rules}\n${dashboard}`;
  for (const [, name = ""] of expressions.matchAll(/\b((?:cercle|process|nodejs)_\w+)/g))
    expect(known, name).toContain(name.replace(/_(bucket|count|sum)$/, ""));
  for (const [, name, state] of expressions.matchAll(/(cercle_\w+)\{state=\\?"(\w+)\\?"/g))
    expect(text).toContain(`${name}{state="${state}"}`);
});

test("each alarm is silent at its limit and fires above it", ({ skip }) => {
  for (const alarm of alarms)
    for (const outcome of ["is silent", "fires"]) expect(ruleTests).toContain(`name: ${alarm} ${outcome}`);
  const { error, status, stdout, stderr } = spawnSync("promtool", ["test", "rules", ruleTestsFile], {
    encoding: "utf8",
  });
  if (error) skip("promtool is not installed");
  expect(stdout + stderr).toContain("SUCCESS");
  expect(status).toBe(0);
});

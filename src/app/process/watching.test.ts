import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createMetrics } from "#platform/metrics.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const rules = readFileSync("deploy/prometheus-rules.yml", "utf8");
const ruleTestsFile = "deploy/prometheus-rules.test.yml";
const ruleTests = readFileSync(ruleTestsFile, "utf8");
const dashboard = readFileSync("deploy/grafana-dashboard.json", "utf8");
const runbooks = readFileSync("docs/runbooks.md", "utf8");
const alarms = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);

test("every alarm has its runbook, and no runbook is left over", () => {
  expect([...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)).toEqual(alarms);
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

test("the database takes every query of the runbooks", async () => {
  const { database } = await openTestProduct();
  const queries = [...runbooks.matchAll(/`(select [^`]+)`/g)].map(([, query = ""]) => query);
  expect(queries.length).toBeGreaterThan(20);
  for (const query of queries) await database.execute(sql.raw(`explain ${query.replace(/\b(ID|PID)\b/g, "1")}`));
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

import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { Rules } from "#loyalty/programme/rules.ts";
import * as calls from "#office/programme/calls.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { inTurns } from "./simulate.server.ts";

const { addMember, database, openOffice, openShop, runJobs } = await openTestOffice();
const marketing = await openOffice("marketing");
const shop = await openShop();
for (let member = 0; member < 3; member += 1)
  await shop.sell({ CardNumber: (await addMember()).card, Amount: "20.00" });

beforeEach(async () => {
  await database.execute(sql`update loyalty_draft set state = 'discarded' where state in ('open', 'asked')`);
});

async function save(changes: Partial<Rules>, Revision = 0) {
  const { Rules: rules } = (await marketing.call(calls.readRules)).Current;
  const draft = { Label: "Essai", Rules: JSON.stringify({ ...rules, ...changes }) };
  return marketing.call(calls.saveDraft, { ...draft, Revision: String(Revision) });
}

const start = (Revision: number) => marketing.call(calls.startSimulation, { Revision: String(Revision) });
const simulation = async () => (await marketing.call(calls.readSimulation)).Simulation;

test("a draft that is saved before its simulation runs ends it: another revision is not played", async () => {
  const { Revision } = await save({ pointsPerEuro: 2 });
  await start(Revision);
  await save({ tiers: [] }, Revision);
  await runJobs();
  expect(await simulation()).toMatchObject({ State: "cancelled", Revision, Outdated: true, Result: null });
});

test("a simulation that fails says so and is not tried again", async () => {
  const { Revision } = await save({ pointsPerEuro: 2 });
  await start(Revision);
  // Nothing that a form can save: a fault of the product.
  await database.execute(sql`update loyalty_draft set rules = jsonb_set(rules, '{tiers}', '[]') where state = 'open'`);
  expect(await runJobs({ mayFail: true })).toHaveLength(1);
  expect(await simulation()).toMatchObject({ State: "failed", Result: null });
  await runJobs({ retries: true });
  expect(await simulation()).toMatchObject({ State: "failed" });
});

test("between two members the process does its other work", async () => {
  const order: (number | string)[] = [];
  for await (const member of inTurns([1, 2])) {
    order.push(member);
    setImmediate(() => order.push("other work"));
  }
  expect(order).toEqual([1, "other work", 2, "other work"]);
});

import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { readProgramme } from "#loyalty/calls.ts";
import { findDraft } from "#loyalty/programme/versions/draft.server.ts";
import { openTestClub } from "#testing/club.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { manageProgramme } from "./manage-programme.server.ts";

const { call, clock, database } = await openTestClub();
const folder = await mkdtemp(join(tmpdir(), "programme-"));
const file = join(folder, "club.json");
const run = (...words: string[]) => manageProgramme(database, words, clock.now);
const edit = async (change: (text: string) => string) => writeFile(file, change(await readFile(file, "utf8")));

beforeEach(async () => {
  clock.now = new Date(clock.now.getTime() + 60_000);
  await database.execute(sql`update loyalty_draft set state = 'discarded' where state in ('open', 'asked')`);
  await run("export", file);
});

test("what is exported can be imported again, and says that nothing changed", async () => {
  expect(await run("import", file)).toContain("nothing to do");
  expect(await readFile(file, "utf8")).toContain('\n  "pointsPerEuro": 1,');
});

test("a changed file becomes the draft of the back office, and leaves an open one alone", async () => {
  await edit((text) => text.replace('"pointsPerEuro": 1', '"pointsPerEuro": 2'));
  expect(await run("import", file)).toContain("1 changes");
  expect(await findDraft(database)).toMatchObject({ label: "club.json", rules: { pointsPerEuro: 2 }, savedBy: null });
  await expect(run("import", file)).rejects.toThrow("A draft is open");
  const { rows } = await database.execute(sql`select made_by, after from audit_log where action = 'programme_saved'`);
  const after = { revision: 1, label: "club.json", changed: { pointsPerEuro: 2 } };
  expect(rows).toEqual([{ made_by: "command", after }]);
});

test("with --publish it is in force at once, unless something in it is wrong or a later version waits", async () => {
  const { WelcomePoints } = await call(readProgramme);
  const gift = (points: number) => (text: string) => text.replace(/"welcomePoints": \d+/, `"welcomePoints": ${points}`);
  const rate = (points: number) => (text: string) => text.replace(/"pointsPerEuro": \d+/, `"pointsPerEuro": ${points}`);
  await edit(rate(0));
  await expect(run("import", file, "--publish")).rejects.toThrow("pointsPerEuro: Enter a number above zero");
  await edit(rate(1));
  await edit(gift(WelcomePoints + 11));
  expect(await run("import", file, "--publish")).toMatch(/Version \d+ is in force, with 1 changes/);
  expect((await call(readProgramme)).WelcomePoints).toBe(WelcomePoints + 11);
  const { rows } = await database.execute(sql`select made_by from audit_log where action = 'programme_published'`);
  expect(rows).toEqual([{ made_by: "command" }]);
  await publishNow(database, {}, { now: clock.now, startsAt: new Date(clock.now.getTime() + 30_000) });
  await edit(gift(WelcomePoints + 12));
  await expect(run("import", file, "--publish")).rejects.toThrow("withdraw it first");
});

test("an event that the product brings and no version has had is offered by the next", async () => {
  const birthday = 6;
  const without = await openTestClub();
  const manage = (...words: string[]) => manageProgramme(without.database, words, without.clock.now);
  await manage("export", file);
  const rules = JSON.parse(await readFile(file, "utf8"));
  // A database of before the product brought it.
  await without.database.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`delete from loyalty_event where id = ${birthday}`);
  });
  await manage("export", file);
  expect(JSON.parse(await readFile(file, "utf8")).events).toHaveLength(rules.events.length - 1);
  await writeFile(file, JSON.stringify(rules));
  expect(await manage("import", file, "--publish")).toContain("with 1 changes");
  const { Events } = await without.call(readProgramme);
  expect(Events.map(({ IdLoyaltyProgramEvent }) => IdLoyaltyProgramEvent)).toContain(birthday);
});

test("what is no programme is refused in one line", async () => {
  await writeFile(file, "{}");
  await expect(run("import", file)).rejects.toThrow("is no programme");
  await expect(run("import", join(folder, "absent.json"))).rejects.toThrow("cannot be read");
  for (const words of [
    [],
    ["export"],
    ["import"],
    ["copy", file],
    ["export", file, "--publish"],
    ["import", file, "x"],
  ])
    await expect(run(...words)).rejects.toThrow("Usage:");
});

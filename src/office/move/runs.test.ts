import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { moveRuns } from "#move/move.tables.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { createMoves, lot, person, writePackage } from "#testing/move.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as calls from "./calls.ts";

const moveDir = mkdtempSync(join(tmpdir(), "packages-"));
const { clock, database, openOffice, runJobs } = await openTestOffice({ MOVE_DIR: moveDir });
const { countRows } = createMoves(database);
clock.now = new Date("2026-11-18T10:00:00Z");

test("an owner uploads a package, checks and rehearses it, and another one commits it", async () => {
  const folder = writePackage(
    {
      members: [person("o1"), person("o2", { Email: "no address" })],
      lots: [lot("o1", "a", 100)],
    },
    { totals: { Members: 2 } },
  );
  execFileSync("tar", ["-czf", join(folder, "club.tar.gz"), "-C", folder, "manifest.json", "members.csv", "lots.csv"]);
  const bytes = readFileSync(join(folder, "club.tar.gz"));
  const owner = await openOffice("owner");
  const Package = "club.tar.gz";
  const send = (from: number, to: number, Last: string) =>
    owner.call(calls.uploadPackage, {
      ...{ Package, Offset: String(from), Part: bytes.subarray(from, to).toString("base64"), Last },
    });
  await send(0, 100, "false");
  // A part that was sent again after a lost response is not added twice.
  await send(0, 100, "false");
  expect((await owner.call(calls.listMoves)).Packages).toEqual([]);
  await send(100, bytes.length, "true");
  expect((await owner.call(calls.listMoves)).Packages).toMatchObject([{ Name: Package }]);

  const start = async (office: typeof owner, Step: "check" | "rehearse" | "commit", more: object = {}) => {
    const { IdRun } = await office.call(calls.startMove, { Package, Step, ...more });
    await runJobs();
    return office.call(calls.readMove, { IdRun: String(IdRun) });
  };
  const checked = await start(owner, "check");
  expect(checked.Run).toMatchObject({ Step: "check", State: "done", Rejected: 1, Equal: null });
  // The rejected address takes its member with it.
  expect(checked.Checked).toMatchObject({
    Files: [
      { File: "members.csv", Manifest: 2, Rejected: 1 },
      { File: "lots.csv", Manifest: 1, Rejected: 0 },
    ],
    Measures: expect.arrayContaining([
      { Name: "Members", Manifest: 2, Package: 2, Moved: 1 },
      { Name: "PointsAvailable", Manifest: expect.any(Number), Package: 100, Moved: 100 },
    ]),
  });
  const rehearsed = await start(owner, "rehearse");
  expect(rehearsed).toMatchObject({
    Checked: null,
    Run: { State: "done", Equal: true, StartedBy: expect.any(String) },
    Reasons: [{ Reason: "email", Count: 1 }],
    Rejections: [{ File: "members.csv", Line: 3, Column: "Email" }],
    Chart: expect.stringContaining("<svg"),
  });
  expect(await refusalOf(owner.call(calls.startMove, { Package, Step: "commit" }))).toMatchObject({
    code: "second_person",
  });
  const second = await openOffice("owner");
  // Without a word about the rejected row it is not committed.
  const { Run } = await start(second, "commit");
  expect(Run.State).toBe("failed");
  for (const [LanguageIsoCode, words] of Object.entries({ fr: "refusées", en: "rejected", de: "abgelehnt" })) {
    const read = await second.call(calls.readMove, { IdRun: String(Run.IdRun), LanguageIsoCode });
    expect(read.Run.Failure).toMatch(new RegExp(`^1 .*${words}`));
  }
  expect(await countRows("move_member")).toBe(0);
  expect((await start(second, "commit", { AcceptRejected: "1" })).Run).toMatchObject({ State: "done", Equal: true });
  expect(await countRows("move_member")).toBe(1);
});

test("another archive under the same name is not committed in place of the one that a second person chose", async () => {
  const Package = "swapped.tar.gz";
  const pack = (name: string, sourceId: string) => {
    const folder = writePackage({ members: [person(sourceId)] });
    execFileSync("tar", ["-czf", join(moveDir, name), "-C", folder, "manifest.json", "members.csv"]);
  };
  const [owner, second] = [await openOffice("owner"), await openOffice("owner")];
  pack(Package, "chosen");
  pack("own.tar.gz", "own");
  for (const name of [Package, "own.tar.gz"]) {
    await owner.call(calls.startMove, { Package: name, Step: "rehearse" });
    await runJobs();
  }
  const { IdRun } = await second.call(calls.startMove, { Package, Step: "commit" });
  copyFileSync(join(moveDir, "own.tar.gz"), join(moveDir, Package));
  const before = await countRows("move_member");
  await runJobs();
  expect((await second.call(calls.readMove, { IdRun: String(IdRun) })).Run.State).toBe("failed");
  expect(await countRows("move_member")).toBe(before);
  for (const name of [Package, "own.tar.gz"]) rmSync(join(moveDir, name));
});

test("a run that was killed does not say that it runs, and keeps nobody from the next", async () => {
  const owner = await openOffice("owner");
  await database.insert(moveRuns).values({
    ...{ step: "rehearse", state: "running", source: "killed", packageHash: "", release: "" },
    ...{ takenAt: clock.now, startedAt: clock.now, progress: {} },
  });
  const [run] = (await owner.call(calls.listMoves)).Runs;
  expect(run).toMatchObject({
    Source: "killed",
    State: "failed",
    Failure: expect.stringContaining("Arrêté avant la fin"),
  });
});

test("a package that is not there, or lies elsewhere, is refused", async () => {
  const owner = await openOffice("owner");
  for (const Package of ["nothing", "../packages", "/etc"])
    expect(await refusalOf(owner.call(calls.startMove, { Package, Step: "check" }))).toMatchObject({ code: "invalid" });
});

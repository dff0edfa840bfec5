import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { eq } from "drizzle-orm";
import { readRelease, releaseName } from "#app/process/release.server.ts";
import { CommandRefused } from "#commands/command.server.ts";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { exportClub } from "#move/export/export.server.ts";
import { moveRuns } from "#move/move.tables.server.ts";
import { unpacked } from "#move/package/unpack.server.ts";
import { differencesOf, type Reconciliation, shownMeasure } from "#move/reconcile/reconcile.server.ts";
import { writeReports } from "#move/reconcile/report.server.ts";
import { type MoveProgress, runMove, type Step } from "#move/run.server.ts";
import { sentenceOf } from "#move/stopped.server.ts";
import type { Database } from "#platform/database/database.server.ts";

const usage = `Usage: npm run move -- check FOLDER
       npm run move -- rehearse FOLDER
       npm run move -- commit FOLDER [--accept-rejected N] [--batch MEMBERS]
       npm run move -- report RUN
       npm run move -- export FOLDER [--anonymise]`;

interface Context {
  print(line: string): void;
  now(): Date;
}

/** Moves a club in, step by step. Answers whether everything is equal. */
export async function moveCommand(database: Database, words: string[], context: Context): Promise<boolean> {
  const { command, target, flags } = parse(words);
  if (command === "report") return report(database, Number(target), context);
  if (command === "export") return exportTo(database, target, flags.anonymise === true, context);
  if (!isStep(command)) throw new CommandRefused(usage);
  try {
    return await unpacked(target, async (folder) => {
      const outcome = await runMove({
        ...{ database, folder, step: command, release, now: context.now },
        ...{ passwords: createPasswordHashes(), progress: createPrinter(context) },
        acceptRejected: Number(flags["accept-rejected"] ?? 0),
        ...(flags.batch && { batchLines: Number(flags.batch) }),
      });
      const path = folder === target ? join(folder, "/") : `${target}.`;
      await writeReports(database, path, outcome);
      const { staged } = outcome.sums;
      context.print(
        `Run ${outcome.run}: ${staged.Members} members, ${staged.PointsAvailable} points available, ${staged.VouchersOpen} vouchers.`,
      );
      context.print(`${outcome.rejected} rows or values rejected: ${path}rejected.csv`);
      return outcome.result ? printResult(outcome.result, context) : true;
    });
  } catch (error) {
    throw refusalOf(error);
  }
}

const flagsOf: Record<string, string[]> = { commit: ["accept-rejected", "batch"], export: ["anonymise"] };

function parse(words: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { "accept-rejected": { type: "string" }, batch: { type: "string" }, anonymise: { type: "boolean" } },
    });
    const [command = "", target = "", ...more] = positionals;
    const isKnown = Object.keys(values).every((flag) => flagsOf[command]?.includes(flag));
    const areNumbers = [values["accept-rejected"], values.batch].every((value) => /^\d{1,6}$/.test(value ?? "0"));
    if (target && more.length === 0 && isKnown && areNumbers && values.batch !== "0")
      return { command, target, flags: values };
  } catch {
    // A flag that does not exist, or one without its value.
  }
  throw new CommandRefused(usage);
}

function refusalOf(error: unknown): unknown {
  const sentence = sentenceOf(error);
  return sentence === undefined ? error : new CommandRefused(sentence);
}

const isStep = (word: string): word is Step => word === "check" || word === "rehearse" || word === "commit";
const release = releaseName(readRelease(join(dirname(fileURLToPath(import.meta.url)), "..", "client")));

async function report(database: Database, run: number, context: Context): Promise<boolean> {
  const [found] = await database
    .select()
    .from(moveRuns)
    .where(eq(moveRuns.id, run || 0));
  if (!found?.result) throw new CommandRefused(`There is no reconciliation of run ${run}.`);
  return printResult(found.result as Reconciliation, context);
}

async function exportTo(database: Database, folder: string, anonymise: boolean, context: Context): Promise<boolean> {
  try {
    const rows = await exportClub(database, folder, { now: context.now(), anonymise });
    for (const [file, count] of Object.entries(rows)) context.print(`${file}: ${count} rows`);
    return true;
  } catch (error) {
    throw refusalOf(error);
  }
}

function printResult(result: Reconciliation, { print }: Context): boolean {
  const cells = (...all: string[]) =>
    all.map((cell, index) => (index === 0 ? cell.padEnd(26) : cell.padStart(14))).join("");
  print(cells("", "old system", "package", "explained", "ledger", "difference"));
  for (const one of [...result.Measures, ...result.Statuses]) {
    const shown = [one.OldSystem, one.Package, one.Explained, one.Ledger, one.Difference];
    print(cells(one.Name, ...shown.map((number) => shownMeasure(one.Name, number))));
  }
  for (const { Name, Compared, Different } of result.Checks)
    print(`${Name}: ${Compared} compared, ${Different} differ`);
  const differences = differencesOf(result);
  for (const one of differences) print(one);
  print(
    differences.length === 0 ? "Everything is equal, and every invariant holds." : `${differences.length} differences.`,
  );
  print(`Signed ${result.Signature}`);
  return result.Equal;
}

/** A line at most every two seconds: what, how much, how fast, and how long still. */
function createPrinter({ print, now }: Context): (progress: MoveProgress) => void {
  let printedAt = 0;
  let begun = { what: "", at: 0 };
  return ({ what, done, of }) => {
    const at = now().getTime();
    if (what !== begun.what) begun = { what, at };
    else if (at - printedAt < 2_000) return;
    printedAt = at;
    const seconds = Math.max(1, at - begun.at) / 1_000;
    const left = done > 0 ? Math.round((seconds / done) * (of - done)) : undefined;
    print(
      of <= 1
        ? what
        : `${what}: ${done} of ${of}, ${Math.round(done / seconds)}/s${left === undefined ? "" : `, ${left} s left`}`,
    );
  };
}

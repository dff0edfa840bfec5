import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { textsOf } from "#brand/texts.server.ts";
import { parseRules } from "#loyalty/programme/parse-rules.server.ts";
import { defaultProgrammeId, queryProgramme } from "#loyalty/programme/programme.server.ts";
import { checkRules, type Rules } from "#loyalty/programme/rules.ts";
import { findWrongNumbers } from "#loyalty/programme/stated-numbers/stated-numbers.ts";
import { compareRules } from "#loyalty/programme/versions/differences.ts";
import { changedRules, nextIds, saveDraft } from "#loyalty/programme/versions/draft.server.ts";
import { lockVersions, publishVersion, rulesOf } from "#loyalty/programme/versions/versions.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { CommandRefused } from "./command.server.ts";

const usage = "Usage: npm run programme -- export FILE | import FILE [--publish]";

/** The rules of the club as a file that people can read, compare and keep. */
export async function manageProgramme(database: Database, words: string[], now: Date): Promise<string> {
  const [action, file, flag, ...more] = words;
  if (!file || more.length > 0 || (flag !== undefined && flag !== "--publish")) throw new CommandRefused(usage);
  if (action === "export" && flag === undefined) return exportRules(database, file, now);
  if (action === "import") return importRules(database, file, { publishes: flag !== undefined, now });
  throw new CommandRefused(usage);
}

async function exportRules(database: Database, file: string, now: Date): Promise<string> {
  const current = await queryProgramme(database, defaultProgrammeId, now);
  // In the order of the form, and not in the database's.
  const rules = parseRules(JSON.stringify(rulesOf(current)), current.known, await nextIds(database));
  await writeFile(file, `${JSON.stringify(rules, null, 2)}\n`);
  return `${file} holds version ${current.version}, in force now.`;
}

/** A file becomes the draft of the back office; with --publish, where there is none, a version that begins at once. */
async function importRules(database: Database, file: string, { publishes, now }: { publishes: boolean; now: Date }) {
  const text = await readFile(file, "utf8").catch(() => {
    throw new CommandRefused(`${file} cannot be read.`);
  });
  const current = await queryProgramme(database, defaultProgrammeId, now);
  const rules = parse(text, current.known, await nextIds(database), file);
  const changed = compareRules(rulesOf(current), rules).filter(({ changes }) => changes.length > 0).length;
  if (changed === 0) return `${file} says what is in force: nothing to do.`;
  const label = basename(file).slice(0, 60);
  const problems = checkRules(rules).map(({ field, code }) => `${field}: ${textsOf.en.t(`field.${code}`)}`);
  const warnings = findWrongNumbers(rules).map(
    ({ field, text, number }) => `${field}: "${text}" states ${number}, which the rules do not have.`,
  );
  if (!publishes) {
    await database
      .transaction(async (tx) => {
        const { revision } = await saveDraft(tx, { revision: 0, label, rules }, { staffId: null, now });
        const own = changedRules(rulesOf(current), rules);
        const [before, after] = [
          { revision: 0, changed: own.before },
          { revision, label, changed: own.after },
        ];
        await writeAudit(tx, { madeBy: "command", action: "programme_saved", before, after, at: now });
      })
      .catch((error: unknown) => {
        if (error instanceof Refusal && error.code === "draft_changed")
          throw new CommandRefused("A draft is open in the back office: publish or discard it first.");
        throw error;
      });
    const saved = `${file} is a draft now, with ${changed} changes. It is published in the back office.`;
    return [saved, ...problems, ...warnings].join("\n");
  }
  if (problems.length > 0) throw new CommandRefused(problems.join("\n"));
  const version = await database.transaction(async (tx) => {
    const { next: number, latestStart } = await lockVersions(tx, defaultProgrammeId);
    if (latestStart > now) throw new CommandRefused("A later version is published already: withdraw it first.");
    await publishVersion(tx, defaultProgrammeId, rules, { number, label, startsAt: now, publishedBy: null, now });
    const after = { version: number, label, startsAt: now, changed };
    await writeAudit(tx, {
      madeBy: "command",
      action: "programme_published",
      before: { version: current.version },
      after,
      at: now,
    });
    return number;
  });
  return [`Version ${version} is in force, with ${changed} changes.`, ...warnings].join("\n");
}

function parse(
  text: string,
  known: Pick<Rules, "events">,
  next: Awaited<ReturnType<typeof nextIds>>,
  file: string,
): Rules {
  try {
    return parseRules(text, known, next);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new CommandRefused(`${file} is no programme: ${error.errors?.[0]?.field ?? "Rules"} is malformed.`);
  }
}

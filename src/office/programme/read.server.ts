import { desc, sql } from "drizzle-orm";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { defaultProgrammeId, findVersion, queryProgramme } from "#loyalty/programme/programme.server.ts";
import { programmes } from "#loyalty/programme/programme.tables.server.ts";
import { checkRules, type Rules } from "#loyalty/programme/rules.ts";
import { findWrongNumbers } from "#loyalty/programme/stated-numbers/stated-numbers.ts";
import { findDraft, nextIds } from "#loyalty/programme/versions/draft.server.ts";
import { rulesOf } from "#loyalty/programme/versions/versions.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";

const nameOf = (id: unknown) => sql<string | null>`(select firstname || ' ' || lastname from staff where id = ${id})`;

/** What keeps rules from being published, in words. */
export const describeProblems = (rules: Rules, locale: Locale) =>
  checkRules(rules).map(({ field, code }) => ({ field, code, message: textsOf[locale].t(`field.${code}`) }));

/** Today's rules, every version, and the draft. */
export async function readProgrammePage(
  database: Database,
  caller: OfficeCaller,
  { now, locale }: { now: Date; locale: Locale },
) {
  const [current, versions, draft, ids] = await Promise.all([
    queryProgramme(database, defaultProgrammeId, now),
    listVersions(database, now),
    findDraft(database),
    nextIds(database),
  ]);
  return {
    Current: { Version: current.version, Rules: rulesOf(current) },
    Versions: versions,
    Draft: draft
      ? {
          Revision: draft.revision,
          Label: draft.label,
          Rules: draft.rules,
          State: draft.state === "asked" ? ("asked" as const) : ("open" as const),
          ...(await namesOf(database, draft)),
          SavedAt: draft.savedAt.toISOString(),
          StartsAt: draft.startsAt?.toISOString() ?? null,
          AskedAt: draft.askedAt?.toISOString() ?? null,
          AskedByMe: draft.askedBy === caller.staffId,
          Problems: describeProblems(draft.rules, locale),
          Warnings: findWrongNumbers(draft.rules),
        }
      : null,
    NextIds: { Tier: ids.tiers, Reward: ids.rewards },
    KnownEvents: current.known.events,
  };
}

async function namesOf(queries: Queries, { savedBy, askedBy }: { savedBy: number | null; askedBy: number | null }) {
  const { rows } = await queries.execute<{ saved: string | null; asked: string | null }>(
    sql`select ${nameOf(savedBy)} as saved, ${nameOf(askedBy)} as asked`,
  );
  return { SavedBy: rows[0]?.saved ?? null, AskedBy: rows[0]?.asked ?? null };
}

/** Every version, the newest first, without its rules. */
async function listVersions(queries: Queries, now: Date) {
  const rows = await queries
    .select({
      version: programmes.version,
      label: programmes.label,
      startsAt: programmes.startsAt,
      publishedAt: programmes.publishedAt,
      withdrawnAt: programmes.withdrawnAt,
      publishedBy: nameOf(programmes.publishedBy),
    })
    .from(programmes)
    .where(sql`coalesce(${programmes.versionOf}, ${programmes.id}) = ${defaultProgrammeId}`)
    .orderBy(desc(programmes.version));
  const begun = rows.filter(({ startsAt, withdrawnAt }) => !withdrawnAt && startsAt <= now);
  const current = Math.max(...begun.map(({ startsAt }) => startsAt.getTime()));
  return rows.map((row) => ({
    Version: row.version,
    Label: row.label,
    StartsAt: row.startsAt.toISOString(),
    PublishedAt: row.publishedAt?.toISOString() ?? null,
    PublishedBy: row.publishedBy,
    WithdrawnAt: row.withdrawnAt?.toISOString() ?? null,
    State: row.withdrawnAt
      ? ("withdrawn" as const)
      : row.startsAt > now
        ? ("scheduled" as const)
        : row.startsAt.getTime() === current
          ? ("current" as const)
          : ("past" as const),
  }));
}

/** One version with its rules. */
export async function readVersion(database: Database, version: number, now: Date) {
  const [listed, rules] = await Promise.all([
    listVersions(database, now),
    findVersion(database, defaultProgrammeId, version),
  ]);
  const found = listed.find(({ Version }) => Version === version);
  if (!found || !rules) throw new Refusal("not_found");
  return { ...found, Rules: rulesOf(rules) };
}

/** The draft's rules, or a version's. */
export async function rulesToPreview(database: Database, version: number | undefined, now: Date): Promise<Rules> {
  if (version !== undefined) return (await readVersion(database, version, now)).Rules;
  const draft = await findDraft(database);
  if (!draft) throw new Refusal("not_found");
  return draft.rules;
}

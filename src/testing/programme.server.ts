import { defaultProgrammeId, queryProgramme } from "#loyalty/programme/programme.server.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import { lockVersions, publishVersion, rulesOf } from "#loyalty/programme/versions/versions.server.ts";
import type { Database } from "#platform/database/database.server.ts";

/** Publishes today's rules with changes, in force at once or from another moment on; for tests. Returns the version. */
export async function publishNow(
  database: Database,
  changes: Partial<Rules> | ((rules: Rules) => Partial<Rules>),
  { now = new Date(), startsAt = now }: { now?: Date; startsAt?: Date } = {},
): Promise<number> {
  const rules = rulesOf(await queryProgramme(database, defaultProgrammeId, now));
  const changed = { ...rules, ...(typeof changes === "function" ? changes(rules) : changes) };
  return database.transaction(async (tx) => {
    const { next: number } = await lockVersions(tx, defaultProgrammeId);
    const version = { number, label: null, startsAt, publishedBy: null, now };
    await publishVersion(tx, defaultProgrammeId, changed, version);
    return number;
  });
}

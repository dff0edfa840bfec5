import { lte, sql } from "drizzle-orm";
import { z } from "zod";
import { locales } from "#i18n/locale.ts";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { links } from "#identity/links/links.tables.server.ts";
import { forgetJob, sendResetLink } from "#identity/password/password.server.ts";
import { retire } from "#identity/privacy/retention.server.ts";
import { sessions } from "#identity/session/session.tables.server.ts";
import { socialNonces } from "#identity/social/nonce.tables.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";
import type { Settings } from "#platform/settings.server.ts";

const forgotten = z.object({ email: z.string(), locale: z.enum(locales) });

/** The name of the job that clears away what has lapsed; once a day is plenty. */
export const sweepJob = "identity.sweep";

/** The name of the job that ends what nobody has used for years. */
const retentionJob = "identity.retention";

/** In UTC; letters go out by daylight. */
export const identitySchedule = [
  { name: sweepJob, pattern: "17 3 * * *" },
  { name: retentionJob, pattern: "40 8 * * *" },
];

/** What identity does out of a request's sight. */
export function identityJobs({ settings, club }: { settings: Settings; club: ClubHooks }): Jobs {
  return {
    [retentionJob]: (_payload, database) => retire(database, { settings, club }),
    [forgetJob]: (payload, database) => sendResetLink(database, settings, forgotten.parse(payload)),
    async [sweepJob](_payload, database) {
      await database.delete(sessions).where(lte(sessions.expiresAt, sql`now()`));
      await database.delete(links).where(lte(links.expiresAt, sql`now()`));
      await database.delete(socialNonces).where(lte(socialNonces.expiresAt, sql`now()`));
    },
  };
}

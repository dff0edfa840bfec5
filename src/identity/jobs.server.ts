import { lte, sql } from "drizzle-orm";
import { z } from "zod";
import { locales } from "#i18n/locale.ts";
import type { Jobs } from "#platform/jobs.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import { links, sessions, socialNonces } from "./identity.tables.server.ts";
import { forgetJob, sendResetLink } from "./password.server.ts";

const forgotten = z.object({ email: z.string(), locale: z.enum(locales) });

/** The name of the job that clears away what has lapsed; once a day is plenty. */
export const sweepJob = "identity.sweep";

/** What identity does out of a request's sight. */
export function identityJobs({ settings }: { settings: Settings }): Jobs {
  return {
    [forgetJob]: (payload, database) => sendResetLink(database, settings, forgotten.parse(payload)),
    async [sweepJob](_payload, database) {
      await database.delete(sessions).where(lte(sessions.expiresAt, sql`now()`));
      await database.delete(links).where(lte(links.expiresAt, sql`now()`));
      await database.delete(socialNonces).where(lte(socialNonces.expiresAt, sql`now()`));
    },
  };
}

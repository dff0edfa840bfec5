import { lte, sql } from "drizzle-orm";
import { z } from "zod";
import { locales } from "#i18n/locale.ts";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { emailHolds } from "#identity/customer/customer.tables.server.ts";
import { links } from "#identity/links/links.tables.server.ts";
import { deleteUnusedSamples } from "#identity/password/old-hashes/samples.server.ts";
import { forgetJob, sendResetLink } from "#identity/password/password.server.ts";
import { applyRetention } from "#identity/privacy/retention.server.ts";
import { deleteOldPreviousDetails } from "#identity/profile/previous-details.server.ts";
import { sessions } from "#identity/session/session.tables.server.ts";
import { codeJob, mailCode } from "#identity/sign-in/code/code.server.ts";
import { signInCodes } from "#identity/sign-in/code/code.tables.server.ts";
import { socialNonces } from "#identity/social/nonce.tables.server.ts";
import type { Jobs, Scheduled } from "#platform/jobs/jobs.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import { deleteExpiredChallenges } from "#platform/webauthn/challenges.server.ts";

const forgetPayload = z.object({ email: z.string(), locale: z.enum(locales) });
const codePayload = forgetPayload.extend({ id: z.string(), code: z.string() });

/** The job that deletes expired sessions, links, codes and the like, once a day. */
export const deleteExpiredJob = "identity.sweep";

/** The job that erases accounts unused for years. */
const retentionJob = "identity.retention";

/** Mails are sent during the day. */
export const identitySchedule: readonly Scheduled[] = [
  { name: deleteExpiredJob, pattern: "17 3 * * *" },
  { name: retentionJob, clubTime: "09:40" },
];

/** Identity's background jobs. */
export function identityJobs({ settings, club }: { settings: Settings; club: ClubHooks }): Jobs {
  return {
    [retentionJob]: (_payload, database) => applyRetention(database, { settings, club }),
    [forgetJob]: (payload, database) => sendResetLink(database, settings, forgetPayload.parse(payload)),
    [codeJob]: (payload, database) => mailCode(database, settings, codePayload.parse(payload)),
    async [deleteExpiredJob](_payload, database) {
      await database.delete(sessions).where(lte(sessions.expiresAt, sql`now()`));
      await database.delete(links).where(lte(links.expiresAt, sql`now()`));
      await database.delete(emailHolds).where(lte(emailHolds.until, sql`now()`));
      await database.delete(signInCodes).where(lte(signInCodes.expiresAt, sql`now()`));
      await deleteExpiredChallenges(database);
      await deleteOldPreviousDetails(database);
      await deleteUnusedSamples(database);
      await database.delete(socialNonces).where(lte(socialNonces.expiresAt, sql`now()`));
    },
  };
}

import { hash, randomBytes } from "node:crypto";
import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { webauthnChallenges } from "./challenges.tables.server.ts";

/** As long as a page may wait for a passkey. */
export const challengeMinutes = 10;

const hashOf = (challenge: string) => hash("sha256", challenge, "buffer");

/** A challenge for one ceremony of a subject, such as the sign-in of customers, or a session that adds a passkey. */
export async function issueChallenge(queries: Queries, subject: string): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32));
  await queries.insert(webauthnChallenges).values({
    challengeHash: hashOf(Buffer.from(challenge).toString("base64url")),
    subject,
    expiresAt: sql`now() + make_interval(mins => ${challengeMinutes})`,
  });
  return challenge;
}

/** Uses a challenge up, as the browser returned it. Of several concurrent requests only one succeeds. */
export async function consumeChallenge(queries: Queries, subject: string, challenge: string): Promise<boolean> {
  const used = await queries
    .delete(webauthnChallenges)
    .where(
      and(
        eq(webauthnChallenges.challengeHash, hashOf(challenge)),
        eq(webauthnChallenges.subject, subject),
        gt(webauthnChallenges.expiresAt, sql`now()`),
      ),
    )
    .returning({ one: sql`1` });
  return used.length > 0;
}

export async function deleteExpiredChallenges(queries: Queries): Promise<void> {
  await queries.delete(webauthnChallenges).where(lte(webauthnChallenges.expiresAt, sql`now()`));
}

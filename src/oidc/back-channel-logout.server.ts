import { randomUUID } from "node:crypto";
import { lte, sql } from "drizzle-orm";
import { importJWK, SignJWT } from "jose";
import { z } from "zod";
import type { Sealing } from "#platform/database/keys/sealing.server.ts";
import type { Jobs, Scheduled } from "#platform/jobs/jobs.server.ts";
import { post } from "#shop/webhooks/delivery/post.server.ts";
import { createFindClient } from "./clients.server.ts";
import { oidcArtifacts } from "./oidc.tables.server.ts";
import type { OidcSettings } from "./settings.server.ts";
import { readSigningKeys, rotateSigningKeys, signingAlgorithm } from "./signing-keys.server.ts";

export const logoutJob = "oidc:back-channel-logout";
const dailyJob = "oidc:daily";
const tokenSeconds = 120;
const event = "http://schemas.openid.net/event/backchannel-logout";

const Payload = z.object({ clientId: z.string(), subject: z.uuid(), sid: z.string() });

export const oidcSchedule: readonly Scheduled[] = [{ name: dailyJob, pattern: "41 2 * * *" }];

/** Tells a client that a sign-in has ended; db/functions/oidc_login_ended.sql queues it. Fails, and is repeated, until the client accepts it. */
export function oidcJobs({ settings, sealing }: { settings: OidcSettings; sealing: Sealing }): Jobs {
  return {
    async [logoutJob](payload, database) {
      const { clientId, subject, sid } = Payload.parse(payload);
      const client = await createFindClient(database)(clientId);
      const uri = client?.backchannel_logout_uri;
      if (!uri) return;
      const [key] = await readSigningKeys(database, sealing);
      if (!key) throw new Error("There is no signing key.");
      const token = await new SignJWT({ events: { [event]: {} }, sid })
        .setProtectedHeader({ alg: signingAlgorithm, kid: key.kid ?? "", typ: "logout+jwt" })
        .setIssuer(settings.publicUrl.origin)
        .setAudience(clientId)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime(`${tokenSeconds}s`)
        .setJti(randomUUID())
        .sign(await importJWK(key, signingAlgorithm));
      const answer = await post(
        new URL(uri),
        {
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams({ logout_token: token }).toString(),
        },
        { sandbox: settings.sandbox },
      );
      const accepted = answer.status !== null && answer.status >= 200 && answer.status < 300;
      if (!accepted)
        throw new Error(`The client ${clientId} did not accept the logout: ${answer.status ?? answer.error}`);
    },
    async [dailyJob](_payload, database) {
      await rotateSigningKeys(database, sealing);
      await database.delete(oidcArtifacts).where(lte(oidcArtifacts.expiresAt, sql`now()`));
    },
  };
}

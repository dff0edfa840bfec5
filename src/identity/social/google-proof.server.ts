import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import { z } from "zod";
import { Refusal } from "#platform/refusal.ts";
import { type Fetch, personOf, providerAway, providerMs, type SocialIdentity } from "./social-identity.server.ts";

/** The provider's own keys never make HMAC; naming the algorithms keeps `none` and tricks with public keys out. */
const algorithms = ["RS256", "ES256"];
const discoveryMs = 3_600_000;

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });
const Claims = z.object({
  sub: z.string().min(1).max(255),
  nonce: z.string(),
  azp: z.string().optional(),
  iat: z.number(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
  name: z.string().optional(),
});

/** Checks an id token, and tells whose it is and for which nonce it was made. */
export type CheckGoogle = (idToken: string) => Promise<SocialIdentity & { nonce: string }>;

export function createCheckGoogle(google: { issuer: string; clientId: string }, fetch: Fetch): CheckGoogle {
  const keys = publishedKeys(google.issuer, fetch);
  // The issuer is also written without its scheme by the provider that gave this kind its name.
  const issuer = [google.issuer, google.issuer.replace(/^https:\/\//, "")];
  return async (idToken) => {
    const { payload } = await jwtVerify(idToken, keys, {
      algorithms,
      issuer,
      audience: google.clientId,
      requiredClaims: ["exp", "iat"],
      clockTolerance: 30,
    }).catch((error) => {
      throw error instanceof errors.JOSEError ? new Refusal("proof_invalid") : error;
    });
    const read = Claims.safeParse(payload);
    // A token for several apps names the one it was handed to.
    if (!read.success || (read.data.azp ?? google.clientId) !== google.clientId) throw new Refusal("proof_invalid");
    const claims = read.data;
    return {
      provider: "google",
      id: claims.sub,
      emailVerified: claims.email_verified === true,
      ...personOf({ ...claims, given: claims.given_name, family: claims.family_name, full: claims.name }),
      issuedAt: new Date(claims.iat * 1_000),
      nonce: claims.nonce,
    };
  };
}

/** The provider's keys, found through its discovery document; kept for a while, asked for again when a new one signs. */
function publishedKeys(issuer: string, fetch: Fetch): JWTVerifyGetKey {
  let found: { keys: Promise<JWTVerifyGetKey>; at: number } | undefined;

  async function discover(): Promise<JWTVerifyGetKey> {
    const answer = await fetch(`${issuer}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(providerMs),
      redirect: "error",
    });
    const { issuer: named, jwks_uri } = Discovery.parse(await answer.json());
    if (named !== issuer) throw new Error("The discovery document is another issuer's.");
    return createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: providerMs, [customFetch]: fetch });
  }

  return async (header, token) => {
    try {
      if (!found || Date.now() - found.at > discoveryMs) found = { keys: discover(), at: Date.now() };
      const { keys } = found;
      return await (await keys)(header, token);
    } catch (error) {
      // Only an unknown key speaks against the proof; anything else is the provider's trouble.
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        throw new Refusal("proof_invalid");
      if (!(error instanceof errors.JOSEError)) found = undefined;
      throw providerAway();
    }
  };
}

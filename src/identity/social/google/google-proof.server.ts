import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import { z } from "zod";
import {
  type Fetch,
  personOf,
  providerTimeoutMs,
  providerUnavailable,
  type SocialIdentity,
} from "#identity/social/social-identity.server.ts";
import { Refusal } from "#platform/refusal.ts";

/** Named, so that neither `none` nor an HMAC keyed with the public key is accepted. */
const algorithms = ["RS256", "ES256"];
const discoveryCacheMs = 3_600_000;

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

/** Checks an id token, and returns whose it is and for which nonce it was made. */
export type CheckGoogle = (idToken: string) => Promise<SocialIdentity & { nonce: string }>;

export function createCheckGoogle(google: { issuer: string; clientId: string }, fetch: Fetch): CheckGoogle {
  const keys = publishedKeys(google.issuer, fetch);
  // Google also writes its issuer without the scheme.
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
    // A token for several apps names the one it was issued to.
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

/** The provider's keys, found through its discovery document. Cached; fetched again when an unknown key signs. */
function publishedKeys(issuer: string, fetch: Fetch): JWTVerifyGetKey {
  let cached: { keys: Promise<JWTVerifyGetKey>; at: number } | undefined;

  async function discover(): Promise<JWTVerifyGetKey> {
    const response = await fetch(`${issuer}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(providerTimeoutMs),
      redirect: "error",
    });
    const { issuer: named, jwks_uri } = Discovery.parse(await response.json());
    if (named !== issuer) throw new Error("The discovery document is another issuer's.");
    return createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: providerTimeoutMs, [customFetch]: fetch });
  }

  return async (header, token) => {
    try {
      if (!cached || Date.now() - cached.at > discoveryCacheMs) cached = { keys: discover(), at: Date.now() };
      const { keys } = cached;
      return await (await keys)(header, token);
    } catch (error) {
      // Only an unknown key makes the proof invalid; any other error is the provider's failure.
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        throw new Refusal("proof_invalid");
      if (!(error instanceof errors.JOSEError)) cached = undefined;
      throw providerUnavailable();
    }
  };
}

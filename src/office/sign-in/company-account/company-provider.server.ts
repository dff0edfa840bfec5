import type { Configuration } from "openid-client";
import type { StaffRole } from "#platform/api/endpoint.server.ts";
import type { CompanyAccountSettings } from "./settings.server.ts";

/** What the provider says about a person, read by our settings. */
export interface CompanyPerson {
  issuer: string;
  subject: string;
  email: string;
  firstname: string;
  lastname: string;
  /** When the person last authenticated at the provider; undefined where it does not say. */
  authenticatedAt: Date | undefined;
  /** Absent: none of the person's groups is mapped, or the address is of no allowed domain. */
  access: { role: StaffRole; shopId: number | null } | undefined;
  refreshToken: string | undefined;
}

/** What our side keeps of a request to the provider until the person comes back. */
export interface Begun {
  state: string;
  nonce: string;
  verifier: string;
}

/** The provider refuses the refresh token: the person's session there has ended. */
export class SessionEnded extends Error {}

/** An older sign-in at the provider is no fresh proof, whatever the clocks of both say to the second. */
const freshSeconds = 300;

type Claims = Record<string, unknown> & { sub: string; iss: string };

/** Staff sign in at the provider of their company (`openid-client`, which is loaded when first needed). */
export function createCompanyProvider(options: {
  settings: CompanyAccountSettings;
  redirectUri: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}) {
  const { settings, redirectUri } = options;
  let discovered: Promise<Configuration> | undefined;

  async function discover(): Promise<Configuration> {
    const client = await import("openid-client");
    return client.discovery(
      new URL(settings.issuer),
      settings.clientId,
      undefined,
      client.ClientSecretBasic(settings.clientSecret),
      {
        // The settings allow another scheme only while the sandbox is on.
        ...(settings.issuer.startsWith("http:") && { execute: [client.allowInsecureRequests] }),
        [client.customFetch]: (url, init) => options.fetch(url, init as RequestInit),
      },
    );
  }
  /** Of a provider that cannot be reached the next request tries again. */
  async function configuration(): Promise<Configuration> {
    discovered ??= discover();
    try {
      return await discovered;
    } catch (error) {
      discovered = undefined;
      throw error;
    }
  }

  /** Groups may be told at the user info endpoint alone. */
  async function withUserInfo(found: Configuration, claims: Claims, accessToken: string): Promise<Claims> {
    if (claims[settings.claim] !== undefined || !found.serverMetadata().userinfo_endpoint) return claims;
    const client = await import("openid-client");
    return { ...(await client.fetchUserInfo(found, accessToken, claims.sub)), ...claims };
  }

  return {
    /** The address at the provider. `fresh`: the person must authenticate there now. */
    async begin({ fresh }: { fresh: boolean }): Promise<{ url: string; begun: Begun }> {
      const client = await import("openid-client");
      const begun = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: settings.scope,
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: "S256",
        ...(fresh && { prompt: "login", max_age: "0" }),
      });
      return { url: url.href, begun };
    },

    /** Whom the provider has sent back with this address. */
    async finish(search: string, begun: Begun, { fresh }: { fresh: boolean }): Promise<CompanyPerson> {
      const client = await import("openid-client");
      const found = await configuration();
      const tokens = await client.authorizationCodeGrant(found, new URL(`${redirectUri}${search}`), {
        ...{ expectedState: begun.state, expectedNonce: begun.nonce, pkceCodeVerifier: begun.verifier },
        idTokenExpected: true,
        ...(fresh && { maxAge: freshSeconds }),
      });
      const claims = await withUserInfo(found, tokens.claims() as Claims, tokens.access_token);
      return personOf(claims, tokens.refresh_token, settings);
    },

    /** The person as the provider knows them now. */
    async check(refreshToken: string): Promise<CompanyPerson> {
      const client = await import("openid-client");
      const found = await configuration();
      try {
        const tokens = await client.refreshTokenGrant(found, refreshToken);
        const claims = tokens.claims() as Claims | undefined;
        const told = claims
          ? await withUserInfo(found, claims, tokens.access_token)
          : {
              iss: found.serverMetadata().issuer,
              ...(await client.fetchUserInfo(found, tokens.access_token, client.skipSubjectCheck)),
            };
        return personOf(told, tokens.refresh_token ?? refreshToken, settings);
      } catch (error) {
        if (error instanceof client.ResponseBodyError && error.status < 500) throw new SessionEnded();
        throw error;
      }
    },
  };
}

export type CompanyProvider = ReturnType<typeof createCompanyProvider>;

function personOf(claims: Claims, refreshToken: string | undefined, settings: CompanyAccountSettings): CompanyPerson {
  const text = (name: string) => (typeof claims[name] === "string" ? (claims[name] as string).trim() : "");
  const email = text("email").toLowerCase();
  const [localPart = "", ...domain] = email.split("@");
  const isOurs = localPart !== "" && settings.domains.some((one) => domain.join("@") === one) && !isUnverified(claims);
  const authTime = claims["auth_time"];
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email,
    firstname: text("given_name") || text("name").split(" ")[0] || localPart,
    lastname: text("family_name") || text("name").split(" ").slice(1).join(" ") || localPart,
    authenticatedAt: typeof authTime === "number" ? new Date(authTime * 1_000) : undefined,
    access: isOurs ? accessOf(claims[settings.claim], settings.roles) : undefined,
    refreshToken,
  };
}

/** Some providers do not say; some say it as a text. */
const isUnverified = (claims: Claims): boolean =>
  claims["email_verified"] !== undefined && String(claims["email_verified"]) !== "true";

/** The first mapping of the settings that fits one of the person's groups; never a default. `company-account.server.ts` gives it. */
function accessOf(told: unknown, roles: CompanyAccountSettings["roles"]) {
  const groups = new Set(Array.isArray(told) ? told : [told]);
  return Object.entries(roles).find(([group]) => groups.has(group))?.[1];
}

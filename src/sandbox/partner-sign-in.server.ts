import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { type Locale, localeOfCode, offeredLocales } from "#i18n/locale.ts";
import { readBody } from "#platform/api/fields.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";

/** A customer who is signed in at a shop of the sandbox, as the ID token tells it. */
interface PartnerSession {
  subject: string;
  name: string;
  card: string | undefined;
  /** By which the provider names this sign-in when it ends. */
  sid: string;
  /** By which the shop signs out. */
  idToken: string;
}

/** What a shop registers at the provider. */
interface PartnerAddresses {
  redirectUris: string[];
  logoutUris: string[];
  backChannelLogoutUri: string;
}

export interface PartnerDependencies {
  publicUrl: string;
  shopOrigin: string;
  /** The shop's registration at the provider. */
  oidcClient: (addresses: PartnerAddresses) => Promise<{ id: string; secret: string }>;
  /** Calls the provider. */
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Where the shop's pages are, and its page in a language. */
  path: string;
  homeOf: (locale: Locale) => string;
}

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/**
 * A shop signs its customers in with their account here, as docs/sign-in.md says: authorization code, PKCE, a secret, a
 * library of somebody else's, and a receiver of back-channel logouts. Its sessions are in memory: a restart ends them.
 */
export function partnerSignIn(deps: PartnerDependencies) {
  const { path, homeOf } = deps;
  const root = `/sandbox${path}`;
  const redirectUri = `${deps.shopOrigin}${root}/callback`;
  const sessions = new Map<string, PartnerSession>();
  const cookie = { path: root, httpOnly: true, sameSite: "Lax" } as const;
  const [begunCookie, sessionCookie] = ["sandbox.partner.begun", "sandbox.partner"];
  const addressOf = (locale: Locale) => `${deps.shopOrigin}${homeOf(locale)}`;

  async function connect() {
    // Loaded when it is first needed: it is a second of processor time.
    const library = await import("openid-client");
    const { id, secret } = await deps.oidcClient({
      redirectUris: [redirectUri],
      logoutUris: offeredLocales().map(addressOf),
      backChannelLogoutUri: `${deps.shopOrigin}${root}/logout`,
    });
    const configuration = await library.discovery(
      new URL(deps.publicUrl),
      id,
      undefined,
      library.ClientSecretBasic(secret),
      {
        // On this machine there is no https.
        execute: [library.allowInsecureRequests],
        [library.customFetch]: (url, init) => deps.fetch(url, init as RequestInit),
      },
    );
    return { library, configuration };
  }

  const app = new Hono<RequestEnv>();
  app.use(`${path}/*`, async (c, next) => {
    c.set("route", "sandbox partner");
    await next();
  });

  app.get(`${path}/sign-in/:locale`, async (c) => {
    const locale = localeOfCode(c.req.param("locale"));
    if (!locale) return c.notFound();
    const { library, configuration } = await connect();
    const [verifier, state] = [library.randomPKCECodeVerifier(), library.randomState()];
    setCookie(c, begunCookie, `${verifier} ${state} ${locale}`, cookie);
    const url = library.buildAuthorizationUrl(configuration, {
      ...{ redirect_uri: redirectUri, scope: "openid profile loyalty", state, code_challenge_method: "S256" },
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      ui_locales: locale,
    });
    return c.redirect(url.href);
  });

  app.get(`${path}/callback`, async (c) => {
    const [pkceCodeVerifier = "", expectedState = "", code = ""] = getCookie(c, begunCookie)?.split(" ") ?? [];
    const locale = localeOfCode(code);
    if (!locale) return c.notFound();
    const { library, configuration } = await connect();
    deleteCookie(c, begunCookie, cookie);
    const answer = new URL(`${redirectUri}${new URL(c.req.url).search}`);
    const checks = { pkceCodeVerifier, expectedState, idTokenExpected: true };
    // Declined, or begun in another browser: the customer is not signed in.
    const tokens = await library.authorizationCodeGrant(configuration, answer, checks).catch(() => undefined);
    const claims = tokens?.claims();
    if (claims) {
      const id = randomUUID();
      const { sub: subject, name = "", sid = "", loyalty_card: card } = claims as Record<string, string | undefined>;
      sessions.set(id, { subject: subject ?? "", name, card, sid, idToken: tokens?.id_token ?? "" });
      setCookie(c, sessionCookie, id, cookie);
    }
    return c.redirect(addressOf(locale));
  });

  app.get(`${path}/sign-out/:locale`, async (c) => {
    const locale = localeOfCode(c.req.param("locale"));
    if (!locale) return c.notFound();
    const id = getCookie(c, sessionCookie) ?? "";
    const session = sessions.get(id);
    sessions.delete(id);
    deleteCookie(c, sessionCookie, cookie);
    if (!session) return c.redirect(addressOf(locale));
    const { library, configuration } = await connect();
    const ending = { id_token_hint: session.idToken, post_logout_redirect_uri: addressOf(locale), ui_locales: locale };
    return c.redirect(library.buildEndSessionUrl(configuration, ending).href);
  });

  // The provider tells that a sign-in has ended (OpenID Connect Back-Channel Logout 1.0, 2.6).
  app.post(`${path}/logout`, async (c) => {
    const { logout_token: token = "" } = await readBody(c.req.raw);
    const { configuration } = await connect();
    const { issuer, jwks_uri = "" } = configuration.serverMetadata();
    const keys: JSONWebKeySet = await (await deps.fetch(jwks_uri, {})).json();
    const audience = configuration.clientMetadata().client_id;
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      ...{ issuer, audience, typ: "logout+jwt", requiredClaims: ["sid", "jti", "iat", "exp"] },
    }).catch(() => ({ payload: undefined }));
    const events = payload?.["events"] as Record<string, unknown> | undefined;
    if (!payload || "nonce" in payload || !events?.[logoutEvent]) return c.json({ error: "invalid_request" }, 400);
    for (const [id, { sid }] of sessions) if (sid === payload["sid"]) sessions.delete(id);
    return c.body(null, 204);
  });

  return { routes: app, sessionOf: (c: Context<RequestEnv>) => sessions.get(getCookie(c, sessionCookie) ?? "") };
}

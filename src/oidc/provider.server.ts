import { sql } from "drizzle-orm";
import type { Configuration, KoaContextWithOIDC, Provider } from "oidc-provider";
import { offeredLocales } from "#i18n/locale.ts";
import { createFindSession, tokenOf } from "#identity/session/session.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Sealing } from "#platform/database/keys/sealing.server.ts";
import { createArtifacts } from "./artifacts.server.ts";
import { claimsOf, claimsOfScopes, createFindSubject } from "./claims.server.ts";
import { isSecretOf } from "./clients.server.ts";
import { readSigningKeys, signingAlgorithm } from "./signing-keys.server.ts";

const minute = 60;
const day = 86_400;

export const authorizePath = "/oidc/authorize";

export interface ProviderDependencies {
  database: Database;
  issuer: string;
  sealing: Sealing;
  /** Signs the library's cookies. */
  cookieKey: string;
  pages: {
    logout: (context: KoaContextWithOIDC, form: string) => void;
    loggedOut: (context: KoaContextWithOIDC) => void;
  };
  onError: (context: KoaContextWithOIDC, error: string) => void;
  now: () => Date;
}

/** Our session of a request, with what the library calls the account. */
export function createFindLogin(database: Database) {
  const findSession = createFindSession(database);
  return async (headers: Headers) => {
    const found = tokenOf(new Request("http://localhost", { headers }));
    return found?.byCookie ? await findSession(found.token) : undefined;
  };
}

/** When the customer last proved who they are, in seconds. */
export const signedInAt = ({ provedAt, createdAt }: { provedAt: Date | null; createdAt: Date }): number =>
  Math.floor((provedAt ?? createdAt).getTime() / 1_000);

const headersOf = (context: KoaContextWithOIDC) => new Headers({ cookie: context.req.headers.cookie ?? "" });

/**
 * OpenID Connect for web shops and apps (`oidc-provider`). Our session is the only sign-in: the library's own session says
 * only at which clients it was used. The library is loaded when first needed, since most processes never need it.
 */
export async function createProvider(deps: ProviderDependencies): Promise<Provider> {
  const { database, issuer } = deps;
  const library = await import("oidc-provider");
  const { Check, base } = library.interactionPolicy;
  const findLogin = createFindLogin(database);
  const findSubject = createFindSubject(database);
  const logins = new WeakMap<object, ReturnType<typeof findLogin>>();
  /** Our session, read once for each request. */
  const loginOf = (context: KoaContextWithOIDC) => {
    const login = logins.get(context.req) ?? findLogin(headersOf(context));
    logins.set(context.req, login);
    return login;
  };

  const policy = base();
  // A customer who has signed out here, or in as somebody else, is asked again.
  policy.get("login")?.checks.add(
    new Check("other_session", "the session is another one", "login_required", async (context) => {
      const { accountId } = context.oidc.session ?? {};
      if (!accountId || context.oidc.result?.login) return Check.NO_NEED_TO_PROMPT;
      return (await loginOf(context))?.subject === accountId ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
    }),
  );
  // An ID token of an account that was merged into the customer's is a hint at the customer.
  policy.get("login")?.checks.remove("id_token_hint");
  policy.get("login")?.checks.add(
    new Check("id_token_hint", "the hint is another customer's", "login_required", async (context) => {
      const hint = context.oidc.entities["IdTokenHint"] as { payload: { sub: string } } | undefined;
      if (!hint) return Check.NO_NEED_TO_PROMPT;
      const { accountId } = context.oidc.session ?? {};
      const hinted = hint.payload.sub === accountId ? accountId : (await findSubject(hint.payload.sub))?.subject;
      return accountId && hinted === accountId ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
    }),
  );
  // Apps of the retailer need no consent either.
  policy.get("consent")?.checks.remove("native_client_prompt");

  const configuration: Configuration = {
    adapter: createArtifacts(database, { used: () => new library.errors.InvalidGrant("already used") }),
    jwks: { keys: (await readSigningKeys(database, deps.sealing)) as never },
    enabledJWA: { idTokenSigningAlgValues: [signingAlgorithm] },
    routes: {
      authorization: authorizePath,
      token: "/oidc/token",
      userinfo: "/oidc/userinfo",
      jwks: "/oidc/jwks",
      revocation: "/oidc/revoke",
      introspection: "/oidc/introspect",
      end_session: "/oidc/logout",
    },
    responseTypes: ["code"],
    scopes: ["openid", "email", "profile", "loyalty"],
    claims: claimsOfScopes,
    discovery: { ui_locales_supported: [...offeredLocales()] },
    // The claims of the scopes are in the ID token too: web shops read them there.
    conformIdTokenClaims: false,
    // No parameter: here the library lets us in after it has read its own session, and before it looks for the account. Our
    // session signs in at once, without a page between, which `prompt=none` would refuse.
    extraParams: {
      async our_session(context) {
        const { session } = context.oidc;
        if (!session || session.accountId) return;
        const login = await loginOf(context);
        if (!login || login.guest) return;
        session.loginAccount({ accountId: login.subject, loginTs: signedInAt(login), transient: false });
        // As after a page of ours: an id that somebody knew before the sign-in is worth nothing after it.
        if (!("new" in session)) session.resetIdentifier();
      },
    },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ["client_secret_basic", "none"],
    clientDefaults: { id_token_signed_response_alg: signingAlgorithm },
    extraClientMetadata: { properties: ["first_party"] },
    cookies: {
      names: { session: "oidc.session", interaction: "oidc.interaction", resume: "oidc.resume" },
      keys: [deps.cookieKey],
      long: { signed: true, httpOnly: true, sameSite: "lax", path: "/oidc" },
      short: { signed: true, httpOnly: true, sameSite: "lax" },
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      backchannelLogout: { enabled: true },
      revocation: { enabled: true },
      introspection: {
        enabled: true,
        allowedPolicy: (_context, client, token) =>
          client.clientAuthMethod !== "none" && "clientId" in token && token.clientId === client.clientId,
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: deps.pages.logout,
        postLogoutSuccessSource: deps.pages.loggedOut,
      },
    },
    ttl: {
      AuthorizationCode: minute,
      AccessToken: 10 * minute,
      IdToken: 10 * minute,
      RefreshToken: 30 * day,
      Grant: 180 * day,
      Session: 30 * day,
      Interaction: 30 * minute,
    },
    issueRefreshToken: (_context, client) => client.grantTypeAllowed("refresh_token"),
    // An app stays signed in when its customer signs out in the browser.
    expiresWithSession: (context) => context.oidc.client?.applicationType !== "native",
    rotateRefreshToken: true,
    interactions: { policy, url: (_context, interaction) => `/oidc/continue/${interaction.uid}` },
    async loadExistingGrant(context) {
      const { client, session, provider } = context.oidc;
      if (!client || !session?.accountId) return undefined;
      const known = context.oidc.result?.consent?.grantId ?? session.grantIdFor(client.clientId);
      const found = known ? await provider.Grant.find(known) : undefined;
      if (client["first_party"] !== true) return found;
      const asked = [...context.oidc.requestParamOIDCScopes];
      const granted = new Set(found?.getOIDCScope().split(" "));
      if (found && asked.every((scope) => granted.has(scope))) return found;
      const grant = found ?? new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(asked.join(" "));
      await grant.save();
      return grant;
    },
    async findAccount(_context, subject) {
      const customer = await findSubject(subject);
      return (
        customer && {
          accountId: customer.subject,
          claims: (_use, scope) =>
            claimsOf(database, customer, { withLoyalty: scope.split(" ").includes("loyalty"), now: deps.now() }),
        }
      );
    },
    renderError(context, { error }) {
      deps.onError(context, error);
    },
  };

  const provider = new library.Provider(issuer, configuration);
  const { prototype } = provider.Client as unknown as { prototype: Record<string, unknown> };
  prototype["compareClientSecret"] = function compare(this: { clientSecret: string }, given: string) {
    return isSecretOf(this.clientSecret, given);
  };
  // The end of a session queues a job with retries (db/functions/oidc_login_ended.sql); the library would call once.
  prototype["backchannelLogout"] = async () => {};
  provider.use(async (context, next) => {
    await next();
    // The library adds `oidc` to the context of its own routes.
    const { oidc } = context as Partial<KoaContextWithOIDC>;
    if (!oidc?.session?.accountId || !oidc.client || !oidc.entities.AuthorizationCode) return;
    const login = await loginOf(context as KoaContextWithOIDC);
    if (login?.subject !== oidc.session.accountId || !(await recordLogin(database, oidc, login)))
      throw new library.errors.SessionNotFound("signed out meanwhile");
  });
  return provider;
}

/** Records at which client our session was used, so that the sign-in there ends with it. False: the session has ended meanwhile. */
async function recordLogin(
  database: Database,
  { session, client }: KoaContextWithOIDC["oidc"],
  { customerId, sessionId, subject }: { customerId: number; sessionId: number; subject: string },
): Promise<boolean> {
  if (!session || !client) return false;
  // Locked: a sign-out waits, and then finds this row.
  const { rowCount } = await database.execute(sql`
    insert into oidc_login (uid, client_id, sid, grant_id, subject, outlives_session, customer_id, session_id)
    select ${session.uid}, ${client.clientId}, ${session.sidFor(client.clientId) ?? ""},
      ${session.grantIdFor(client.clientId) ?? ""}, ${subject}::uuid, ${client.applicationType === "native"}, customer_id, id
    from session where customer_id = ${customerId} and id = ${sessionId} for key share
    on conflict (uid, client_id) do update set sid = excluded.sid, grant_id = excluded.grant_id, subject = excluded.subject,
      outlives_session = excluded.outlives_session, customer_id = excluded.customer_id, session_id = excluded.session_id`);
  return rowCount === 1;
}

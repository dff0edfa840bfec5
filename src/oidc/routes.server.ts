import { type Context, Hono } from "hono";
import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import { textsOf } from "#brand/texts.server.ts";
import { type Locale, localeOfHeader, localePath } from "#i18n/locale.ts";
import { writtenEmail } from "#identity/customer/email/punycode.ts";
import type { Dependencies } from "#identity/dependencies.server.ts";
import { pagePaths } from "#identity/paths.ts";
import { loginGoToParameter } from "#identity/session/browser/redirect-after-sign-in.ts";
import { clearedTokenCookie } from "#identity/session/cookies.server.ts";
import { verifyCurrentPassword } from "#identity/session/reauthentication/reauthentication.server.ts";
import { endSession, recordSessionProof } from "#identity/session/session.server.ts";
import { requestSite } from "#platform/api/csrf.server.ts";
import { readBody } from "#platform/api/fields.server.ts";
import { localeOf } from "#platform/api/request-checks.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Changes } from "#platform/database/changes.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { storedSecret } from "#platform/database/keys/stored-keys.server.ts";
import { clientNetwork, countAll, type Limit } from "#platform/limits/limits.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { isProvedSince, leaveOtherSession } from "./artifacts.server.ts";
import {
  consentDocument,
  type Frame,
  leadsOn,
  logoutDocument,
  noticeDocument,
  proofDocument,
} from "./documents.server.tsx";
import { callNode } from "./node-bridge.server.ts";
import { authorizePath, createFindLogin, createProvider, signedInAt } from "./provider.server.ts";
import type { OidcSettings } from "./settings.server.ts";
import { createKeySealing } from "./signing-keys.server.ts";

const continuePath = "/oidc/continue";
/** Tells the page that goes on after a sign-in from one that is signed in already. */
const signedInParameter = "signed-in";

export interface OidcDependencies {
  database: Database;
  /** Checks passwords. */
  identity: Dependencies;
  limitRequests: Limit;
  settings: OidcSettings;
  changes: Changes;
  assets: Frame["assets"];
  now: () => Date;
}

/** The provider of this process, made when first needed, and again when the signing keys change. */
export function createOidc(deps: OidcDependencies) {
  const { database, settings, assets } = deps;
  const issuer = settings.publicUrl.origin;
  const sealing = createKeySealing(settings);
  const cookieKey = storedSecret(database, "oidc cookies");
  const frameOf = (context: KoaContextWithOIDC): Frame => ({ locale: localeOfKoa(context), assets });

  const load = deps.changes.cache("oidc_signing_key", async (_: "provider") =>
    createProvider({
      ...{ database, issuer, sealing, now: deps.now },
      cookieKey: (await cookieKey()).toString("base64url"),
      pages: {
        logout(context) {
          const secret = String((context.oidc.session?.state as { secret?: string } | undefined)?.secret ?? "");
          context.body = logoutDocument(frameOf(context), { action: `${issuer}/oidc/logout/confirm`, secret });
        },
        loggedOut(context) {
          const { t } = textsOf[localeOfKoa(context)];
          context.body = noticeDocument(frameOf(context), {
            ...{ title: t("oidc.loggedOut.title"), text: t("oidc.loggedOut.text") },
          });
        },
      },
      onError(context, error) {
        const { t } = textsOf[localeOfKoa(context)];
        context.type = "html";
        context.body = noticeDocument(frameOf(context), {
          ...{ title: t("oidc.error.title"), text: t("oidc.error.text", { error }) },
        });
      },
    }),
  );
  return { sealing, provider: () => load("provider") };
}

export type Oidc = ReturnType<typeof createOidc>;

/** The first language of the client's list that there is. */
const localeAsked = (parameters: Record<string, unknown> | undefined) =>
  localeOfHeader(String(parameters?.["ui_locales"] ?? "").replaceAll(" ", ","));

const localeOfKoa = (context: KoaContextWithOIDC) =>
  localeAsked((context as Partial<KoaContextWithOIDC>).oidc?.params) ??
  localeOf({
    req: {
      header: (name: string) => context.get(name) || undefined,
      raw: { headers: new Headers(context.headers as never) },
    },
  } as unknown as Context<RequestEnv>);

/** The endpoints of OpenID Connect, and the page between them and the sign-in. */
export function oidcRoutes(deps: OidcDependencies, oidc: Oidc): Hono<RequestEnv> {
  const { database, settings, assets, limitRequests } = deps;
  const issuer = settings.publicUrl.origin;
  const findLogin = createFindLogin(database);
  const app = new Hono<RequestEnv>();

  const call = (c: Context<RequestEnv>, listener: Parameters<typeof callNode>[0], request = c.req.raw) =>
    callNode(listener, request, { issuer, address: c.get("address") });

  app.on(["GET", "POST"], `${continuePath}/:uid`, async (c) => {
    c.set("route", "oidc continue");
    const uid = c.req.param("uid");
    const provider = await oidc.provider();
    const form = c.req.method === "POST" ? await readForm(c.req.raw, issuer) : undefined;
    // The body has been read; what follows needs the cookies alone.
    const request = new Request(c.req.raw.url, { headers: c.req.raw.headers });
    const login = await findLogin(c.req.raw.headers);
    if (login && !login.guest) await leaveOtherSession(database, uid, login.subject);
    const waiting = await readInteraction(provider, (listener) => call(c, listener, request));
    // Nothing of this browser waits under this address, or no longer: a customer may see it after half an hour.
    const expired = (locale: Locale) => {
      const { t } = textsOf[locale];
      const page = noticeDocument({ locale, assets }, { title: t("oidc.error.title"), text: t("oidc.expired.text") });
      return c.html(page, 409, { "cache-control": "no-store" });
    };
    if (waiting?.uid !== uid) return expired(localeOf(c));

    const { prompt, params } = waiting;
    const locale = localeAsked(params) ?? localeOf(c);
    c.set("locale", locale);
    const frame: Frame = { locale, assets };
    if (prompt.name === "login") {
      const again = ["login_prompt", "max_age"].some((reason) => prompt.reasons.includes(reason));
      const mustProve = login && !login.guest && again && !(await isProvedSince(database, uid, login));
      if (mustProve && form?.["decision"] !== "other") {
        if (form?.["decision"] === "cancel") return finish({ error: "access_denied" }, true);
        const client = await provider.Client.find(String(params["client_id"]));
        const wrong = form && (await provePassword(deps, login, form["Password"], c));
        if (!form || wrong !== undefined)
          return c.html(
            proofDocument(frame, {
              client: client?.clientName ?? "",
              email: writtenEmail(login.email),
              hasPassword: (await deps.identity.readCustomer(login.customerId))?.HasPassword ?? false,
              wrong,
            }),
            200,
            { "cache-control": "no-store" },
          );
        return finish({ login: { accountId: login.subject, ts: Math.floor(Date.now() / 1_000) } }, true);
      }
      if (!login || login.guest || mustProve) {
        // The customer has pressed "sign in another way": a link alone never signs anybody out.
        if (mustProve) await endSession(database, login.customerId, login.sessionId);
        const goTo = `${continuePath}/${uid}?${signedInParameter}`;
        const headers = new Headers({
          location: `${localePath(locale, pagePaths.login)}?${new URLSearchParams({ [loginGoToParameter]: goTo })}`,
          "cache-control": "no-store",
        });
        if (mustProve) headers.append("set-cookie", clearedTokenCookie(settings.secureCookies));
        return new Response(null, { status: 303, headers });
      }
      return finish(
        { login: { accountId: login.subject, ts: signedInAt(login) } },
        c.req.query(signedInParameter) !== undefined,
      );
    }

    const client = await provider.Client.find(String(params["client_id"]));
    if (!login || login.subject !== waiting.session?.accountId || !client) return expired(locale);
    const missing = prompt.details as { missingOIDCScope?: string[] };
    if (!form) {
      const scopes = missing.missingOIDCScope ?? [];
      return c.html(consentDocument(frame, { client: client.clientName ?? client.clientId, scopes }), 200, {
        "cache-control": "no-store",
      });
    }
    if (form["decision"] !== "allow") return finish({ error: "access_denied" }, true);
    const grant = waiting.grantId
      ? await provider.Grant.find(waiting.grantId)
      : new provider.Grant({ accountId: login.subject, clientId: client.clientId });
    if (!grant) return expired(locale);
    if (missing.missingOIDCScope) grant.addOIDCScope(missing.missingOIDCScope.join(" "));
    return finish({ consent: { grantId: await grant.save() } }, true);

    /** Goes on to the shop; behind a form of ours by a document, see `leadsOn`. */
    async function finish(result: Parameters<Provider["interactionFinished"]>[2], afterForm: boolean) {
      const response = await call(c, (req, res) => provider.interactionFinished(req, res, result), request);
      if (!afterForm) return response;
      const headers = new Headers(response.headers);
      const location = headers.get("location") ?? "/";
      headers.delete("location");
      headers.delete("content-length");
      headers.set("content-type", "text/html; charset=utf-8");
      headers.set("cache-control", "no-store");
      return new Response(leadsOn(frame, location), { status: 200, headers });
    }
  });

  const endpoint = async (c: Context<RequestEnv>) => {
    c.set("route", `oidc ${c.req.path.split("/")[2] ?? "discovery"}`);
    const mode = c.req.query("response_mode");
    // The other modes answer with a script, which no page of ours may contain.
    if (mode !== undefined && mode !== "query") throw new Refusal("invalid");
    const provider = await oidc.provider();
    const respond = () => call(c, provider.callback());
    // Each request that waits for a sign-in is a row.
    const response =
      c.req.path === authorizePath
        ? await limitRequests.attempt(clientNetwork(c.get("address")), countAll, respond)
        : await respond();
    // Signing out at the shop signs out here.
    if (c.req.path === "/oidc/logout/confirm" && response.headers.getSetCookie().some(endsSession)) {
      const login = await findLogin(c.req.raw.headers);
      if (login) await endSession(database, login.customerId, login.sessionId);
      const headers = new Headers(response.headers);
      headers.append("set-cookie", clearedTokenCookie(settings.secureCookies));
      return new Response(response.body, { status: response.status, headers });
    }
    return response;
  };
  app.all("/oidc/*", endpoint);
  app.get("/.well-known/openid-configuration", endpoint);
  return app;
}

/** Checks the password of the customer who is signed in, as a fresh proof; what is wrong with it, as the page says it. */
async function provePassword(
  { database, identity }: OidcDependencies,
  login: { customerId: number; sessionId: number },
  password: string | undefined,
  c: Context<RequestEnv>,
): Promise<string | undefined> {
  try {
    const call = { request: c.req.raw, address: c.get("address") };
    const hash = await verifyCurrentPassword(identity, login.customerId, "Password", password || undefined, call);
    if (hash === null) throw new Refusal("proof_needed");
  } catch (error) {
    const [wrong] = error instanceof Refusal ? (error.errors ?? []) : [];
    if (!wrong) throw error;
    return textsOf[localeOf(c)].t(`field.${wrong.code}`);
  }
  await recordSessionProof(database, login.customerId, login.sessionId);
  return undefined;
}

const endsSession = (cookie: string) => cookie.startsWith("oidc.session=;");

async function readForm(request: Request, publicOrigin: string) {
  if (requestSite(request, publicOrigin) !== "same-origin") throw new Refusal("cross_site");
  return readBody(request);
}

type Interaction = Awaited<ReturnType<Provider["interactionDetails"]>>;

/** The request that waits in this browser; undefined when it has expired or is another browser's. */
async function readInteraction(
  provider: Provider,
  call: (listener: Parameters<typeof callNode>[0]) => Promise<Response>,
): Promise<Interaction | undefined> {
  let found: Interaction | undefined;
  await call(async (req, res) => {
    found = await provider.interactionDetails(req, res).catch(() => undefined);
    res.end();
  });
  return found;
}

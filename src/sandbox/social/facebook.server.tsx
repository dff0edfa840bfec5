import { createHmac } from "node:crypto";
import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { jwtVerify, SignJWT } from "jose";
import type { DemoPerson } from "#brand/demo-people.server.ts";
import { readBody } from "#platform/api/fields.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { scriptResponse } from "#sandbox/frame.server.tsx";
import { createSigningKey, keyAlgorithm } from "#sandbox/keys.server.ts";
import { providerUserId } from "#sandbox/people.server.ts";
import { renderConsent, renderReturn } from "./consent.server.tsx";
import script from "./facebook-sdk.js?raw";
import { unknownAppResponse } from "./google.server.tsx";
import popup from "./popup.js?raw";

const tokenSeconds = 7_200;
/** The provider's own session cookie; the product never reads it. */
const loginCookie = "sandbox.facebook";

type FormFields = Partial<
  Record<"Email" | "Firstname" | "Lastname" | "FacebookCustomerId" | "AppId" | "EmailHidden" | "Cancelled", string>
>;

/** Stands in for Facebook: SDK, consent page, token check and profile. */
export function facebook(deps: {
  database: Database;
  styles: readonly string[];
  appId: string;
  appSecret: string;
}): Hono<RequestEnv> {
  const signingKey = createSigningKey(deps.database, "facebook");
  const app = new Hono<RequestEnv>();

  /** An access token is a JWT, so that every process can read it without storing it. */
  async function issue(fields: FormFields, appId: string) {
    const { privateKey } = await signingKey();
    const email = (fields.Email ?? "").trim();
    const FacebookCustomerId = fields.FacebookCustomerId ?? providerUserId("facebook", email);
    const person = { email, firstname: fields.Firstname ?? "", lastname: fields.Lastname ?? "" } satisfies DemoPerson;
    const AccessToken = await new SignJWT({ person, hidden: fields.EmailHidden === "true", app: appId })
      .setProtectedHeader({ alg: keyAlgorithm })
      .setSubject(FacebookCustomerId)
      .setIssuedAt()
      .setExpirationTime(`${tokenSeconds}s`)
      .sign(privateKey);
    return { AccessToken, FacebookCustomerId };
  }

  async function verifyToken(token: string | undefined) {
    const { privateKey: _, publicJwk } = await signingKey();
    return jwtVerify<{ person: DemoPerson; hidden: boolean; app: string }>(token ?? "", publicJwk, {
      algorithms: [keyAlgorithm],
    }).then(
      ({ payload }) => payload,
      // Any error means that the token is not one of ours.
      () => undefined,
    );
  }

  const login = (issued: Awaited<ReturnType<typeof issue>>) => ({
    status: "connected",
    authResponse: { accessToken: issued.AccessToken, userID: issued.FacebookCustomerId, expiresIn: tokenSeconds },
  });

  const setLoginCookie = (c: Context<RequestEnv>, token: string) =>
    setCookie(c, loginCookie, token, { path: "/sandbox/facebook", httpOnly: true, sameSite: "Lax" });

  app.get("/sdk.js", (c) => {
    c.set("route", "sandbox facebook sdk");
    return scriptResponse(c, [popup, script]);
  });

  app.post("/page-view", (c) => {
    c.set("route", "sandbox facebook page view");
    return c.body(null, 204);
  });

  app.get("/consent", (c) => {
    c.set("route", "sandbox facebook consent");
    if (c.req.query("app_id") !== deps.appId) return unknownAppResponse(c);
    return renderConsent(c, { provider: "facebook", styles: deps.styles, hidden: {} });
  });

  app.post("/consent", async (c) => {
    c.set("route", "sandbox facebook consent");
    const fields: FormFields = await readBody(c.req.raw);
    if (fields.Cancelled) return renderReturn(c, { styles: deps.styles, message: { cancelled: true } });
    const issued = await issue(fields, deps.appId);
    setLoginCookie(c, issued.AccessToken);
    return renderReturn(c, { styles: deps.styles, message: { login: login(issued) } });
  });

  app.get("/status", async (c) => {
    c.set("route", "sandbox facebook status");
    c.header("cache-control", "no-store");
    const known = await verifyToken(getCookie(c, loginCookie));
    if (!known || known.app !== c.req.query("app_id")) return c.json({ status: "unknown", authResponse: null });
    const { email, firstname, lastname } = known.person;
    const fields: FormFields = {
      Email: email,
      Firstname: firstname,
      Lastname: lastname,
      EmailHidden: String(known.hidden),
    };
    return c.json(login(await issue({ ...fields, FacebookCustomerId: known.sub ?? "" }, known.app)));
  });

  app.post("/logout", (c) => {
    c.set("route", "sandbox facebook logout");
    setCookie(c, loginCookie, "", { path: "/sandbox/facebook", maxAge: 0 });
    return c.body(null, 204);
  });

  app.get("/debug_token", async (c) => {
    c.set("route", "sandbox facebook debug_token");
    if (c.req.query("access_token") !== `${deps.appId}|${deps.appSecret}`) return invalidTokenResponse(c);
    const token = await verifyToken(c.req.query("input_token"));
    if (!token)
      return c.json({ data: { is_valid: false, error: { code: 190, message: "Invalid OAuth access token." } } });
    return c.json({
      data: {
        app_id: token.app,
        type: "USER",
        is_valid: true,
        user_id: token.sub,
        issued_at: token.iat,
        expires_at: token.exp,
        scopes: ["public_profile", ...(token.hidden ? [] : ["email"])],
      },
    });
  });

  app.get("/me", async (c) => {
    c.set("route", "sandbox facebook me");
    const given = c.req.query("access_token") ?? "";
    const proof = createHmac("sha256", deps.appSecret).update(given).digest("hex");
    const token = await verifyToken(given);
    if (!token || (c.req.query("appsecret_proof") ?? proof) !== proof) return invalidTokenResponse(c);
    const { email, firstname, lastname } = token.person;
    return c.json({
      id: token.sub,
      first_name: firstname,
      last_name: lastname,
      name: `${firstname} ${lastname}`.trim(),
      ...(!token.hidden && { email }),
    });
  });

  app.post("/token", async (c) => {
    c.set("route", "sandbox facebook token");
    const fields: FormFields = await readBody(c.req.raw);
    c.header("cache-control", "no-store");
    return c.json(await issue(fields, fields.AppId ?? deps.appId));
  });

  return app;
}

function invalidTokenResponse(c: Context<RequestEnv>) {
  return c.json({ error: { type: "OAuthException", code: 190, message: "Invalid OAuth access token." } }, 400);
}

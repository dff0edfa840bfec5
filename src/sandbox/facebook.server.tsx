import { createHmac } from "node:crypto";
import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { jwtVerify, SignJWT } from "jose";
import { readBody } from "#platform/api/fields.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { answerConsent, answerReturn } from "./consent.server.tsx";
import script from "./facebook-sdk.js?raw";
import { answerScript } from "./frame.server.tsx";
import { answerWrongApp } from "./google.server.tsx";
import { createSigningKey, keyAlgorithm } from "./keys.server.ts";
import { numberAt, type Person } from "./people.server.ts";
import popup from "./window.js?raw";

const tokenSeconds = 7_200;
/** Who is signed in at the provider, in this browser; the product never sees it. */
const loginCookie = "sandbox.facebook";

type Asked = Partial<
  Record<"Email" | "Firstname" | "Lastname" | "FacebookCustomerId" | "AppId" | "EmailHidden" | "Cancelled", string>
>;

/** A Facebook-type provider for a machine without one: SDK, consent page, token check and profile. */
export function facebook(parts: {
  database: Database;
  styles: readonly string[];
  appId: string;
  appSecret: string;
}): Hono<RequestEnv> {
  const signingKey = createSigningKey(parts.database, "facebook");
  const app = new Hono<RequestEnv>();

  /** A token is a signed note of who it is for: every process can read it, so none keeps a list. */
  async function issue(asked: Asked, appId: string) {
    const { privateKey } = await signingKey();
    const email = (asked.Email ?? "").trim();
    const FacebookCustomerId = asked.FacebookCustomerId ?? numberAt("facebook", email);
    const person = { email, firstname: asked.Firstname ?? "", lastname: asked.Lastname ?? "" } satisfies Person;
    const AccessToken = await new SignJWT({ person, hidden: asked.EmailHidden === "true", app: appId })
      .setProtectedHeader({ alg: keyAlgorithm })
      .setSubject(FacebookCustomerId)
      .setIssuedAt()
      .setExpirationTime(`${tokenSeconds}s`)
      .sign(privateKey);
    return { AccessToken, FacebookCustomerId };
  }

  async function read(token: string | undefined) {
    const { privateKey: _, publicJwk } = await signingKey();
    return jwtVerify<{ person: Person; hidden: boolean; app: string }>(token ?? "", publicJwk, {
      algorithms: [keyAlgorithm],
    }).then(
      ({ payload }) => payload,
      // Whatever is wrong with a token, it is not one of ours.
      () => undefined,
    );
  }

  const login = (issued: Awaited<ReturnType<typeof issue>>) => ({
    status: "connected",
    authResponse: { accessToken: issued.AccessToken, userID: issued.FacebookCustomerId, expiresIn: tokenSeconds },
  });

  const remember = (c: Context<RequestEnv>, token: string) =>
    setCookie(c, loginCookie, token, { path: "/sandbox/facebook", httpOnly: true, sameSite: "Lax" });

  app.get("/sdk.js", (c) => {
    c.set("route", "sandbox facebook sdk");
    return answerScript(c, [popup, script]);
  });

  app.post("/page-view", (c) => {
    c.set("route", "sandbox facebook page view");
    return c.body(null, 204);
  });

  app.get("/consent", (c) => {
    c.set("route", "sandbox facebook consent");
    if (c.req.query("app_id") !== parts.appId) return answerWrongApp(c);
    return answerConsent(c, { provider: "facebook", styles: parts.styles, hidden: {} });
  });

  app.post("/consent", async (c) => {
    c.set("route", "sandbox facebook consent");
    const asked: Asked = await readBody(c.req.raw);
    if (asked.Cancelled) return answerReturn(c, { styles: parts.styles, message: { cancelled: true } });
    const issued = await issue(asked, parts.appId);
    remember(c, issued.AccessToken);
    return answerReturn(c, { styles: parts.styles, message: { login: login(issued) } });
  });

  app.get("/status", async (c) => {
    c.set("route", "sandbox facebook status");
    c.header("cache-control", "no-store");
    const known = await read(getCookie(c, loginCookie));
    if (!known || known.app !== c.req.query("app_id")) return c.json({ status: "unknown", authResponse: null });
    const { email, firstname, lastname } = known.person;
    const asked: Asked = { Email: email, Firstname: firstname, Lastname: lastname, EmailHidden: String(known.hidden) };
    return c.json(login(await issue({ ...asked, FacebookCustomerId: known.sub ?? "" }, known.app)));
  });

  app.post("/logout", (c) => {
    c.set("route", "sandbox facebook logout");
    setCookie(c, loginCookie, "", { path: "/sandbox/facebook", maxAge: 0 });
    return c.body(null, 204);
  });

  app.get("/debug_token", async (c) => {
    c.set("route", "sandbox facebook debug_token");
    if (c.req.query("access_token") !== `${parts.appId}|${parts.appSecret}`) return answerNoToken(c);
    const token = await read(c.req.query("input_token"));
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
    const proof = createHmac("sha256", parts.appSecret).update(given).digest("hex");
    const token = await read(given);
    if (!token || (c.req.query("appsecret_proof") ?? proof) !== proof) return answerNoToken(c);
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
    const asked: Asked = await readBody(c.req.raw);
    c.header("cache-control", "no-store");
    return c.json(await issue(asked, asked.AppId ?? parts.appId));
  });

  return app;
}

function answerNoToken(c: Context<RequestEnv>) {
  return c.json({ error: { type: "OAuthException", code: 190, message: "Invalid OAuth access token." } }, 400);
}

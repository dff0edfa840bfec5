import { type Context, Hono } from "hono";
import { SignJWT } from "jose";
import { textsOf } from "#i18n/texts.server.ts";
import { readBody } from "#platform/api/fields.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { answerConsent, answerReturn } from "./consent.server.tsx";
import { answerScript, visitorLocale } from "./frame.server.tsx";
import script from "./google-client.js?raw";
import { createSigningKey, keyAlgorithm } from "./keys.server.ts";
import { numberAt } from "./people.server.ts";
import popup from "./window.js?raw";

const tokenSeconds = 3_600;

type Asked = Partial<
  Record<
    "Email" | "Firstname" | "Lastname" | "Nonce" | "GoogleCustomerId" | "Audience" | "Unverified" | "Cancelled",
    string
  >
>;

/** A real OpenID provider for a machine without one: discovery, published keys, signed tokens, a consent page. */
export function google(parts: {
  database: Database;
  styles: readonly string[];
  publicUrl: string;
  clientId: string;
}): Hono<RequestEnv> {
  const issuer = `${parts.publicUrl}/sandbox/google`;
  const signingKey = createSigningKey(parts.database, "google");
  const app = new Hono<RequestEnv>();

  async function sign(asked: Asked, audience: string) {
    const { kid, privateKey } = await signingKey();
    const email = (asked.Email ?? "").trim();
    const GoogleCustomerId = asked.GoogleCustomerId ?? numberAt("google", email);
    const names = { given_name: asked.Firstname ?? "", family_name: asked.Lastname ?? "" };
    const IdToken = await new SignJWT({
      ...names,
      name: `${names.given_name} ${names.family_name}`.trim(),
      email,
      email_verified: asked.Unverified !== "true",
      azp: audience,
      ...(asked.Nonce && { nonce: asked.Nonce }),
    })
      .setProtectedHeader({ alg: keyAlgorithm, kid, typ: "JWT" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(GoogleCustomerId)
      .setIssuedAt()
      .setExpirationTime(`${tokenSeconds}s`)
      .sign(privateKey);
    return { IdToken, GoogleCustomerId };
  }

  app.get("/.well-known/openid-configuration", (c) => {
    c.set("route", "sandbox google discovery");
    return c.json({
      issuer,
      jwks_uri: `${issuer}/keys`,
      authorization_endpoint: `${issuer}/consent`,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [keyAlgorithm],
      claims_supported: ["sub", "email", "email_verified", "given_name", "family_name", "name"],
    });
  });

  app.get("/keys", async (c) => {
    c.set("route", "sandbox google keys");
    const { publicJwk } = await signingKey();
    return c.json({ keys: [publicJwk] });
  });

  app.get("/client.js", (c) => {
    c.set("route", "sandbox google script");
    const button = textsOf[visitorLocale(c)].t("sandbox.consent.button", { provider: "Google" });
    return answerScript(c, [`window.sandboxWords = ${JSON.stringify({ button })};`, popup, script]);
  });

  app.get("/consent", (c) => {
    c.set("route", "sandbox google consent");
    if (c.req.query("client_id") !== parts.clientId) return answerWrongApp(c);
    return answerConsent(c, {
      provider: "google",
      styles: parts.styles,
      hidden: { Nonce: c.req.query("nonce") ?? "" },
    });
  });

  app.post("/consent", async (c) => {
    c.set("route", "sandbox google consent");
    const asked: Asked = await readBody(c.req.raw);
    const message = asked.Cancelled ? { cancelled: true } : { credential: (await sign(asked, parts.clientId)).IdToken };
    return answerReturn(c, { styles: parts.styles, message });
  });

  app.post("/token", async (c) => {
    c.set("route", "sandbox google token");
    const asked: Asked = await readBody(c.req.raw);
    c.header("cache-control", "no-store");
    return c.json(await sign(asked, asked.Audience ?? parts.clientId));
  });

  return app;
}

/** An app that the provider does not know gets no consent page. */
export function answerWrongApp(c: Context<RequestEnv>) {
  return c.text("Unknown app", 400);
}

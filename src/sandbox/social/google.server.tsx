import { type Context, Hono } from "hono";
import { SignJWT } from "jose";
import { textsOf } from "#brand/texts.server.ts";
import { readBody } from "#platform/api/fields.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { scriptResponse, visitorLocale } from "#sandbox/frame.server.tsx";
import { createSigningKey, keyAlgorithm } from "#sandbox/keys.server.ts";
import { providerUserId } from "#sandbox/people.server.ts";
import { renderConsent, renderReturn } from "./consent.server.tsx";
import script from "./google-client.js?raw";
import popup from "./popup.js?raw";

const tokenSeconds = 3_600;

type FormFields = Partial<
  Record<
    "Email" | "Firstname" | "Lastname" | "Nonce" | "GoogleCustomerId" | "Audience" | "Unverified" | "Cancelled",
    string
  >
>;

/** Stands in for Google as an OpenID provider: discovery, published keys, signed tokens, a consent page. */
export function google(deps: {
  database: Database;
  styles: readonly string[];
  publicUrl: string;
  clientId: string;
}): Hono<RequestEnv> {
  const issuer = `${deps.publicUrl}/sandbox/google`;
  const signingKey = createSigningKey(deps.database, "google");
  const app = new Hono<RequestEnv>();

  async function sign(fields: FormFields, audience: string) {
    const { kid, privateKey } = await signingKey();
    const email = (fields.Email ?? "").trim();
    const GoogleCustomerId = fields.GoogleCustomerId ?? providerUserId("google", email);
    const names = { given_name: fields.Firstname ?? "", family_name: fields.Lastname ?? "" };
    const IdToken = await new SignJWT({
      ...names,
      name: `${names.given_name} ${names.family_name}`.trim(),
      email,
      email_verified: fields.Unverified !== "true",
      azp: audience,
      ...(fields.Nonce && { nonce: fields.Nonce }),
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
    return scriptResponse(c, [`window.sandboxWords = ${JSON.stringify({ button })};`, popup, script]);
  });

  app.get("/consent", (c) => {
    c.set("route", "sandbox google consent");
    if (c.req.query("client_id") !== deps.clientId) return unknownAppResponse(c);
    return renderConsent(c, {
      provider: "google",
      styles: deps.styles,
      hidden: { Nonce: c.req.query("nonce") ?? "" },
    });
  });

  app.post("/consent", async (c) => {
    c.set("route", "sandbox google consent");
    const fields: FormFields = await readBody(c.req.raw);
    const message = fields.Cancelled
      ? { cancelled: true }
      : { credential: (await sign(fields, deps.clientId)).IdToken };
    return renderReturn(c, { styles: deps.styles, message });
  });

  app.post("/token", async (c) => {
    c.set("route", "sandbox google token");
    const fields: FormFields = await readBody(c.req.raw);
    c.header("cache-control", "no-store");
    return c.json(await sign(fields, fields.Audience ?? deps.clientId));
  });

  return app;
}

/** An app that is not registered with the provider gets no consent page. */
export function unknownAppResponse(c: Context<RequestEnv>) {
  return c.text("Unknown app", 400);
}

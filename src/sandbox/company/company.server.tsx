import { createHash } from "node:crypto";
import { type Context, Hono } from "hono";
import { type JWTPayload, jwtVerify, SignJWT } from "jose";
import { sandboxAddress } from "#brand/sandbox-address.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { readBody } from "#platform/api/fields.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { renderPage, visitorLocale } from "#sandbox/frame.server.tsx";
import { createSigningKey, keyAlgorithm } from "#sandbox/keys.server.ts";

/** Who works at the company; the last one's groups give no access. */
const readPeople = () => [
  {
    sub: "company-nadia",
    email: sandboxAddress("nadia"),
    given_name: "Nadia",
    family_name: "Benali",
    groups: ["cercle-marketing"],
  },
  {
    sub: "company-paul",
    email: sandboxAddress("paul"),
    given_name: "Paul",
    family_name: "Rivière",
    groups: ["cercle-owners"],
  },
  {
    sub: "company-marc",
    email: sandboxAddress("marc"),
    given_name: "Marc",
    family_name: "Petit",
    groups: ["warehouse"],
  },
];

/** What an authorization request says; it travels in the form and in the code. */
const carried = ["redirect_uri", "state", "nonce", "code_challenge"] as const;

/**
 * Stands in for the company's provider of staff accounts: discovery, keys, a page to choose a person, tokens. It stores
 * nothing: its codes and refresh tokens are signed.
 */
export function company(deps: {
  database: Database;
  styles: readonly string[];
  publicUrl: string;
  company: { clientId: string; clientSecret: string; callback: string };
}): Hono<RequestEnv> {
  const issuer = `${deps.publicUrl}/sandbox/company`;
  const { clientId, clientSecret, callback } = deps.company;
  const signingKey = createSigningKey(deps.database, "company");
  const app = new Hono<RequestEnv>();

  async function sign(payload: JWTPayload, audience: string, seconds: number) {
    const { kid, privateKey } = await signingKey();
    const token = new SignJWT(payload).setProtectedHeader({ alg: keyAlgorithm, kid }).setIssuer(issuer);
    return token.setAudience(audience).setIssuedAt().setExpirationTime(`${seconds}s`).sign(privateKey);
  }
  /** What a code or a refresh token of ours says. */
  async function open(token: string, audience: "code" | "refresh") {
    const { publicJwk } = await signingKey();
    const { payload } = await jwtVerify(token, publicJwk, { issuer, audience });
    return payload;
  }
  const isKnown = (fields: Record<string, string | undefined>) =>
    fields["client_id"] === clientId && fields["redirect_uri"] === callback;
  const unknownApp = (c: Context<RequestEnv>) => c.text("Unknown app", 400);

  app.get("/.well-known/openid-configuration", (c) => {
    c.set("route", "sandbox company discovery");
    return c.json({
      issuer,
      jwks_uri: `${issuer}/keys`,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      code_challenge_methods_supported: ["S256"],
      id_token_signing_alg_values_supported: [keyAlgorithm],
      token_endpoint_auth_methods_supported: ["client_secret_basic"],
    });
  });
  app.get("/keys", async (c) => {
    c.set("route", "sandbox company keys");
    return c.json({ keys: [(await signingKey()).publicJwk] });
  });

  app.get("/authorize", (c) => {
    c.set("route", "sandbox company");
    const asked = c.req.query();
    if (!isKnown(asked)) return unknownApp(c);
    const locale = visitorLocale(c);
    const { t } = textsOf[locale];
    return renderPage(c, {
      locale,
      title: t("sandbox.company.title"),
      styles: deps.styles,
      popup: true,
      forms: true,
      children: (
        <main className="consent">
          <p className="kicker">{t("sandbox.frame.kicker")}</p>
          <h1>{t("sandbox.company.title")}</h1>
          <p className="quiet">{t("sandbox.company.text")}</p>
          <form method="post">
            <input type="hidden" name="client_id" value={clientId} />
            {carried.map((name) => (
              <input key={name} type="hidden" name={name} value={asked[name] ?? ""} />
            ))}
            <ul>
              {readPeople().map(({ sub, email, given_name, family_name, groups }) => (
                <li key={sub}>
                  <button type="submit" className="person" name="sub" value={sub}>
                    <span aria-hidden="true" className="initials">
                      {given_name.slice(0, 1) + family_name.slice(0, 1)}
                    </span>
                    <strong>{`${given_name} ${family_name}`}</strong>
                    <span className="quiet">{`${email} · ${groups.join(", ")}`}</span>
                  </button>
                </li>
              ))}
            </ul>
          </form>
        </main>
      ),
    });
  });

  app.post("/authorize", async (c) => {
    c.set("route", "sandbox company");
    const fields: Record<string, string> = await readBody(c.req.raw);
    if (!isKnown(fields)) return unknownApp(c);
    const { sub = "", state = "", nonce = "", code_challenge: challenge = "" } = fields;
    const authTime = Math.floor(Date.now() / 1_000);
    const back = new URL(callback);
    back.searchParams.set("state", state);
    back.searchParams.set("code", await sign({ sub, nonce, challenge, authTime }, "code", 60));
    return c.redirect(back.href, 303);
  });

  app.post("/token", async (c) => {
    c.set("route", "sandbox company token");
    c.header("cache-control", "no-store");
    const basic = Buffer.from(c.req.header("authorization")?.replace("Basic ", "") ?? "", "base64").toString();
    const fields: Record<string, string> = await readBody(c.req.raw);
    const refused = (error: string) => c.json({ error }, 400);
    // Both are form-encoded in the header (RFC 6749, 2.3.1).
    if (basic.split(":").map(decodeURIComponent).join(":") !== `${clientId}:${clientSecret}`)
      return refused("invalid_client");
    const isCode = fields["grant_type"] === "authorization_code";
    const granted = await open(
      (isCode ? fields["code"] : fields["refresh_token"]) ?? "",
      isCode ? "code" : "refresh",
    ).catch(() => undefined);
    const person = readPeople().find(({ sub }) => sub === granted?.sub);
    const challenge = createHash("sha256")
      .update(fields["code_verifier"] ?? "")
      .digest("base64url");
    if (!granted || !person || (isCode && challenge !== granted["challenge"])) return refused("invalid_grant");
    const { nonce, authTime } = granted;
    const claims = { ...person, auth_time: authTime, email_verified: true, ...(isCode && { nonce }) };
    return c.json({
      token_type: "Bearer",
      access_token: await sign({ sub: person.sub }, issuer, 600),
      id_token: await sign(claims, clientId, 600),
      refresh_token: await sign({ sub: person.sub, authTime }, "refresh", 86_400),
      expires_in: 600,
    });
  });
  return app;
}

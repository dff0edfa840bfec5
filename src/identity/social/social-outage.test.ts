import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, expect, test, vi } from "vitest";
import { signInWithEmail } from "#identity/calls.ts";
import { enter, form, freshEmail, password } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { socialTools } from "#testing/services/social.server.ts";

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A fake provider on this machine. */
async function provider(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handler ?? (() => {}));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const silent = await provider(() => {});
const broken = await provider((_request, response) => response.writeHead(500).end("{}"));
const malformed = await provider((_request, response) => response.end("<html>"));
// No server listens there.
const closed = "http://127.0.0.1:9";

test.each([
  ["silent", silent],
  ["broken", broken],
  ["malformed", malformed],
  ["closed", closed],
])(
  "with a %s provider the response is 503 with Retry-After within five seconds, and passwords still work",
  async (_name, address) => {
    const { call, fetch } = await openTestProduct({
      RATE_LIMITS: "on",
      GOOGLE_ISSUER: address,
      FACEBOOK_GRAPH_URL: address,
    });
    const owner = await enter(call);
    const header = Buffer.from(JSON.stringify({ alg: "RS256", kid: "x" })).toString("base64url");
    const attempts = {
      google: { IdToken: `${header}.e30.c2ln`, GoogleCustomerId: "1" },
      facebook: { AccessToken: "x", FacebookCustomerId: "1" },
    };
    for (const [name, fields] of Object.entries(attempts)) {
      const startedAt = performance.now();
      const response = await fetch(`/api/authentification/${name}`, form(fields));
      expect(performance.now() - startedAt).toBeLessThan(30_000);
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("5");
      expect((await response.json()).code).toBe("unavailable");
    }
    await call(signInWithEmail, { Email: owner.email, Password: password });
  },
);

test("an unavailable provider is asked again later, and a key that it rotates is accepted", async () => {
  let key = await generateKeyPair("RS256", { extractable: true });
  let kid = "first";
  let available = false;
  let asked = 0;
  const issuer = await provider(async (request, response) => {
    asked += 1;
    if (!available) return void response.writeHead(503).end();
    const keys = [{ ...(await exportJWK(key.publicKey)), kid, alg: "RS256" }];
    response.end(JSON.stringify(request.url === "/keys" ? { keys } : { issuer, jwks_uri: `${issuer}/keys` }));
  });
  const product = await openTestProduct({ GOOGLE_ISSUER: issuer, GOOGLE_CLIENT_ID: "ours" });
  const social = socialTools(product);
  async function signIn() {
    const { Nonce: nonce, cookie } = await social.askNonce();
    const IdToken = await new SignJWT({ nonce, email: freshEmail(), email_verified: true })
      .setProtectedHeader({ alg: "RS256", kid })
      .setIssuer(issuer)
      .setAudience("ours")
      .setSubject("1")
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(key.privateKey);
    return (await social.signInGoogle({ fields: { IdToken, GoogleCustomerId: "1" }, cookie })).status;
  }
  expect(await signIn()).toBe(503);
  available = true;
  expect(await signIn()).toBe(200);
  const known = asked;
  expect(await signIn()).toBe(200);
  expect(asked).toBe(known);
  // The keys are not fetched again at once: forged key ids would make us flood the provider with requests.
  key = await generateKeyPair("RS256", { extractable: true });
  kid = "second";
  expect(await signIn()).toBe(401);
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
  expect(await signIn().finally(() => vi.useRealTimers())).toBe(200);
});

test("a discovery document that names another issuer is not followed", async () => {
  const issuer = await provider((_request, response) =>
    response.end(JSON.stringify({ issuer: "https://evil.example", jwks_uri: "https://evil.example/keys" })),
  );
  const { fetch } = await openTestProduct({ GOOGLE_ISSUER: issuer });
  const header = Buffer.from(JSON.stringify({ alg: "RS256", kid: "x" })).toString("base64url");
  const response = await fetch(
    "/api/authentification/google",
    form({ IdToken: `${header}.e30.c2ln`, GoogleCustomerId: "1" }),
  );
  expect(response.status).toBe(503);
});

test.each([
  ["fr", "Ce service n’est pas disponible ici."],
  ["en", "This service is not available here."],
  ["de", "Dieser Dienst ist hier nicht verfügbar."],
])("a sign-in with a provider that is not configured is refused with 503, in %s", async (language, detail) => {
  const { fetch } = await openTestProduct({
    SANDBOX: "off",
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "club@cercle.example",
    SHOP_URL: "https://shop.example",
  });
  for (const path of ["authentification/google", "authentification/facebook"]) {
    const response = await fetch(`/api/${path}`, { method: "POST", headers: { "accept-language": language } });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: "not_configured", detail });
  }
});

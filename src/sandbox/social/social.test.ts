import { createLocalJWKSet, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { createSigningKey } from "#sandbox/keys.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const { fetch, database } = await openTestProduct();
const off = await openTestProduct({
  SANDBOX: "off",
  SMTP_URL: "smtp://127.0.0.1:1",
  MAIL_FROM: "club@cercle.example",
  SHOP_URL: "https://shop.example",
});
const issuer = "http://localhost:3000/sandbox/google";
const post = (path: string, fields: Record<string, string>) =>
  fetch(path, { method: "POST", body: new URLSearchParams(fields) });

test("the Google sandbox is found by discovery, and its published key verifies its tokens", async () => {
  const discovery = await (await fetch("/sandbox/google/.well-known/openid-configuration")).json();
  expect(discovery).toMatchObject({ issuer, jwks_uri: `${issuer}/keys` });
  const keys = await (await fetch("/sandbox/google/keys")).json();
  expect(JSON.stringify(keys)).not.toMatch(/"(d|p|q|dp|dq|qi)"/);
  const person = { Email: "camille@exemple.fr", Firstname: "Camille", Lastname: "Laurent", Nonce: "n" };
  const { IdToken, GoogleCustomerId } = await (await post("/sandbox/google/token", person)).json();
  const { payload } = await jwtVerify(IdToken, createLocalJWKSet(keys), { issuer, audience: "cercle.sandbox" });
  expect(payload).toMatchObject({ sub: GoogleCustomerId, nonce: "n", email: person.Email, email_verified: true });
});

test("processes that start at once sign with one key", async () => {
  const keys = await Promise.all(Array.from({ length: 2 }, () => createSigningKey(database, "race")()));
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1);
});

test("a person has the same id at a provider every time, and another at the other provider", async () => {
  const idAt = async (provider: string, Email: string) => {
    const result = await (await post(`/sandbox/${provider}/token`, { Email })).json();
    return result.GoogleCustomerId ?? result.FacebookCustomerId;
  };
  expect(await idAt("google", "lea@exemple.fr")).toBe(await idAt("google", " LEA@exemple.fr"));
  expect(await idAt("google", "lea@exemple.fr")).not.toBe(await idAt("google", "leo@exemple.fr"));
  expect(await idAt("google", "lea@exemple.fr")).not.toBe(await idAt("facebook", "lea@exemple.fr"));
  expect(await idAt("facebook", "lea@exemple.fr")).toMatch(/^1\d{15}$/);
});

test("the Facebook sandbox checks tokens for its app alone, and shows a profile only for a token", async () => {
  const person = { Email: "camille@exemple.fr", Firstname: "Camille", Lastname: "Laurent" };
  const { AccessToken, FacebookCustomerId } = await (await post("/sandbox/facebook/token", person)).json();
  const check = (access_token: string) =>
    fetch(`/sandbox/facebook/debug_token?${new URLSearchParams({ input_token: AccessToken, access_token })}`);
  expect((await check("100000000000004|wrong")).status).toBe(400);
  expect((await (await check("100000000000004|sandbox")).json()).data).toMatchObject({
    is_valid: true,
    app_id: "100000000000004",
    user_id: FacebookCustomerId,
  });
  const me = await (await fetch(`/sandbox/facebook/me?access_token=${AccessToken}`)).json();
  expect(me).toMatchObject({ id: FacebookCustomerId, email: person.Email, first_name: "Camille" });
  expect((await fetch(`/sandbox/facebook/me?access_token=${AccessToken}&appsecret_proof=0`)).status).toBe(400);
});

test.each([
  ["fr", "Choisissez un compte"],
  ["en", "Choose an account"],
  ["de", "Wählen Sie ein Konto"],
])("the consent pages are in %s, without scripts or links", async (language, title) => {
  for (const path of ["google/consent?client_id=cercle.sandbox&nonce=n", "facebook/consent?app_id=100000000000004"]) {
    const page = await fetch(`/sandbox/${path}`, { headers: { "accept-language": language } });
    const html = await page.text();
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(html).not.toContain("<script");
    expect(html).not.toContain("<a ");
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
    expect(page.headers.get("content-security-policy")).not.toContain("script-src");
  }
});

test("another app gets no consent page", async () => {
  expect((await fetch("/sandbox/google/consent?client_id=another")).status).toBe(400);
  expect((await fetch("/sandbox/facebook/consent")).status).toBe(400);
});

test("the popup's result is escaped in the page, and only a script file reads it", async () => {
  const page = await post("/sandbox/google/consent", { Email: "a@exemple.fr", Firstname: '"><script>', Nonce: "n" });
  const html = await page.text();
  expect(html.match(/<script[^>]*>/g)).toEqual(['<script src="/sandbox/return.js" defer="">']);
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self';");
});

test.each([
  "/sandbox/google/.well-known/openid-configuration",
  "/sandbox/google/client.js",
  "/sandbox/facebook/sdk.js",
  "/sandbox/facebook/debug_token",
  "/sandbox/return.js",
])("with the sandbox off %s is an unknown page", async (path) => {
  expect((await off.fetch(path)).status).toBe(404);
});

test("with the sandbox off no token is issued", async () => {
  for (const provider of ["google", "facebook"])
    expect((await off.fetch(`/sandbox/${provider}/token`, { method: "POST" })).status).not.toBe(200);
});

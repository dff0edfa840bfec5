import { sql } from "drizzle-orm";
import * as client from "openid-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import "#brand/texts.server.ts";
import { endSession, endSessions } from "#identity/session/session.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { addWebCustomer, openWebShop, signedInBrowser } from "#testing/web-shop.server.ts";
import { createArtifacts } from "./artifacts.server.ts";
import { rotateClientSecret } from "./clients.server.ts";

const product = await openTestProduct({ OIDC_KEY: Buffer.alloc(32, 5).toString("base64") });
const { database } = product;

// Listening, it keeps the provider until the keys change.
beforeAll(() => product.product.changes.start());
afterAll(() => product.product.changes.stop());

const addCustomer = () => addWebCustomer(product);
const shop = await openWebShop(product);

const expectNoAccess = async (at: typeof shop, tokens: Awaited<ReturnType<typeof shop.signIn>>) => {
  const { access_token, refresh_token = "" } = tokens;
  const subject = tokens.claims()?.sub ?? "";
  await expect(client.fetchUserInfo(at.configuration, access_token, subject)).rejects.toThrow();
  await expect(client.refreshTokenGrant(at.configuration, refresh_token)).rejects.toThrow();
};

test.each([
  ["without PKCE", { code_challenge: "", code_challenge_method: "" }],
  ["with plain PKCE", { code_challenge_method: "plain" }],
  ["for a token in the address", { response_type: "id_token", nonce: "n" }],
])("a request %s is refused", async (_, parameters) => {
  const { id } = await addCustomer();
  const begun = await shop.begin(parameters as Record<string, string>);
  const { url } = await (await signedInBrowser(product, id)).follow(begun.path);
  expect(url.origin).toBe("https://shop.example");
  expect(`${url.search}${url.hash}`).toMatch(/error=/);
});

test.each([
  ["another path", "https://shop.example/callback/more"],
  ["a query", "https://shop.example/callback?x=1"],
  ["another host", "https://shop.example.evil.example/callback"],
  ["another scheme", "http://shop.example/callback"],
  ["a user", "https://shop.example@evil.example/callback"],
  ["a script", "javascript:alert(1)"],
])("a redirect URI with %s is refused here, without a redirect", async (_, uri) => {
  const { id } = await addCustomer();
  const begun = await shop.begin({ redirect_uri: uri });
  const response = await (await signedInBrowser(product, id)).browse(begun.path);
  expect(response.status).toBe(400);
  expect(response.headers.get("location")).toBeNull();
  expect(await response.text()).toContain("La connexion n’a pas abouti");
});

test.each(["fragment", "form_post"])("the response mode %s is refused", async (mode) => {
  const begun = await shop.begin({ response_mode: mode });
  expect((await product.fetch(begun.path)).status).toBe(400);
});

test("NUL in state is refused, not a fault", async () => {
  const begun = await shop.begin();
  expect((await product.fetch(`${begun.path}%00`)).status).toBe(400);
  const body = new URLSearchParams({ client_id: shop.id, state: "a\0b", response_type: "code", scope: "openid" });
  const posted = await product.fetch("/oidc/authorize", { method: "POST", body });
  expect(posted.status).toBeLessThan(500);
});

test("50 exchanges of one code at once: one succeeds; used once more, all its tokens end", async () => {
  const { id, subject } = await addCustomer();
  const begun = await shop.begin();
  const { url } = await (await signedInBrowser(product, id)).follow(begun.path);
  const all = await Promise.allSettled(Array.from({ length: 50 }, () => shop.finish(new URL(url), begun)));
  const good = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(good).toHaveLength(1);
  await expect(shop.finish(new URL(url), begun)).rejects.toThrow();
  await expect(client.fetchUserInfo(shop.configuration, good[0]?.access_token ?? "", subject)).rejects.toThrow();
});

test("a code is used once, also by a request that began before the one that used it", async () => {
  const [errors, id] = [{ used: () => new Error("used") }, "a code"];
  const codes = createArtifacts(database, errors)("AuthorizationCode");
  await codes.upsert(id, { jti: id, kind: "AuthorizationCode" }, 60);
  await database.transaction(async (tx) => {
    // From here on, this is its time.
    await tx.execute(sql`select now()`);
    await codes.consume(id);
    const earlier = createArtifacts(tx, errors)("AuthorizationCode");
    expect(await earlier.find(id)).toHaveProperty("consumed");
    await expect(earlier.consume(id)).rejects.toThrow("used");
  });
});

test("a wrong verifier, another client's code and a wrong secret get no token", async () => {
  const { id } = await addCustomer();
  const browser = await signedInBrowser(product, id);
  const other = await openWebShop(product, { redirectUris: ["https://other.example/callback"] });
  const begun = await shop.begin();
  const { url } = await browser.follow(begun.path);
  await expect(shop.finish(new URL(url), { ...begun, verifier: client.randomPKCECodeVerifier() })).rejects.toThrow();
  const again = await shop.begin();
  const second = await browser.follow(again.path);
  await expect(other.finish(second.url, again)).rejects.toThrow();
  await rotateClientSecret(database, other.id);
  const third = await other.begin();
  const { url: address } = await browser.follow(third.path);
  await expect(other.finish(address, third)).rejects.toThrow();
});

test("a response with another state, with another issuer or without one is refused by the client: each names ours", async () => {
  const browser = await signedInBrowser(product, (await addCustomer()).id);
  for (const change of [
    (url: URL) => url.searchParams.set("state", client.randomState()),
    (url: URL) => url.searchParams.set("iss", "https://evil.example"),
    (url: URL) => url.searchParams.delete("iss"),
  ]) {
    const begun = await shop.begin();
    const { url } = await browser.follow(begun.path);
    expect(url.searchParams.get("iss")).toBe(product.settings.publicUrl.origin);
    const changed = new URL(url);
    change(changed);
    await expect(shop.finish(changed, begun)).rejects.toThrow();
    // The code itself was good.
    await shop.finish(url, begun);
  }
});

test("a refresh token is worth nothing at another client, and still works at its own", async () => {
  const other = await openWebShop(product, { redirectUris: ["https://other.example/callback"] });
  const { refresh_token = "" } = await shop.signIn(await signedInBrowser(product, (await addCustomer()).id));
  await expect(client.refreshTokenGrant(other.configuration, refresh_token)).rejects.toThrow();
  await client.refreshTokenGrant(shop.configuration, refresh_token);
});

test.each([
  ["without a hint", () => ({})],
  ["with the client's id alone", () => ({ client_id: shop.id })],
  ["with the hint of another client", (hint: string) => ({ id_token_hint: hint })],
])("an address after the logout, %s, is not followed", async (_, parametersOf) => {
  const browser = await signedInBrowser(product, (await addCustomer()).id);
  const other = await openWebShop(product, { logoutUris: ["https://other.example/bye"] });
  const tokens = await shop.signIn(browser);
  const query = new URLSearchParams({
    post_logout_redirect_uri: "https://other.example/bye",
    ...parametersOf(tokens.id_token ?? ""),
  });
  const response = await browser.browse(`/oidc/logout?${query}`);
  const page = await response.text();
  expect(response.headers.get("location")).toBeNull();
  expect(other.id).not.toBe(shop.id);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1];
  if (xsrf === undefined) return expect(response.status).toBe(400);
  // The customer may sign out, and stays here.
  const body = new URLSearchParams({ logout: "yes", xsrf });
  const left = await browser.browse("/oidc/logout/confirm", { method: "POST", body });
  expect(left.headers.get("location") ?? "").not.toContain("other.example");
});

test("a refresh token that is sent several times at once gives tokens that all work, and half a minute later ends all", async () => {
  const { refresh_token = "" } = await shop.signIn(await signedInBrowser(product, (await addCustomer()).id));
  const refresh = (token = "") => client.refreshTokenGrant(shop.configuration, token);
  const all = await Promise.all(Array.from({ length: 5 }, () => refresh(refresh_token)));
  expect(new Set(all.map((one) => one.refresh_token)).size).toBe(5);
  const last = await refresh(all[4]?.refresh_token);
  await database.execute(sql`update oidc_artifact set consumed_at = consumed_at - interval '31 seconds'
    where consumed_at is not null`);
  await expect(refresh(refresh_token)).rejects.toThrow();
  for (const tokens of [...all.slice(0, 4), last]) await expectNoAccess(shop, tokens);
});

/** Runs the work while the token endpoint stores what it has decided to issue to the customer. */
async function whileIssuing<T>(
  customerId: number,
  exchange: () => Promise<T>,
  work: () => Promise<unknown>,
): Promise<T> {
  let issued: Promise<T> | undefined;
  await database.transaction(async (tx) => {
    await tx.execute(sql`select from customer where id = ${customerId} for update`);
    issued = exchange();
    await expect
      .poll(async () => {
        const { rows } = await database.execute(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like 'insert into "oidc_artifact"%'`);
        return rows.length;
      })
      .toBe(1);
    await work();
  });
  if (!issued) throw new Error("Nothing was issued.");
  return issued;
}

test("a sign-out beside an exchange or a refresh ends what these issue", async () => {
  const { id } = await addCustomer();
  const browser = await signedInBrowser(product, id);
  const begun = await shop.begin();
  const { url } = await browser.follow(begun.path);
  const signOut = () => endSession(database, id, browser.sessionId);
  await expectNoAccess(shop, await whileIssuing(id, () => shop.finish(url, begun), signOut));

  const again = await signedInBrowser(product, id);
  const { refresh_token = "" } = await shop.signIn(again);
  const refresh = () => client.refreshTokenGrant(shop.configuration, refresh_token);
  await expectNoAccess(shop, await whileIssuing(id, refresh, () => endSession(database, id, again.sessionId)));
});

test("the end of all sessions beside the refresh of an app, which outlives a session, ends what it issues", async () => {
  const { id } = await addCustomer();
  const app = await openWebShop(product, { isPublic: true, redirectUris: ["com.example.app:/callback"] });
  const { refresh_token = "" } = await app.signIn(await signedInBrowser(product, id));
  const refresh = () => client.refreshTokenGrant(app.configuration, refresh_token);
  await expectNoAccess(app, await whileIssuing(id, refresh, () => endSessions(database, id)));
});

test("a sign-out beside an authorization: either the shop gets no code, or the code is worth nothing", async () => {
  const { id } = await addCustomer();
  const browser = await signedInBrowser(product, id);
  const begun = await shop.begin();
  const { url } = await whileIssuing(
    id,
    () => browser.follow(begun.path),
    () => endSession(database, id, browser.sessionId),
  );
  expect(url.origin).toBe(product.settings.publicUrl.origin);
  const { rows } = await database.execute(sql`select from oidc_login where customer_id = ${id}`);
  expect(rows).toHaveLength(0);
});

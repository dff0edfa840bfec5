import { sql } from "drizzle-orm";
import { decodeProtectedHeader } from "jose";
import * as client from "openid-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCustomer } from "#identity/calls.ts";
import { pagePaths } from "#identity/paths.ts";
import { subscribe } from "#loyalty/calls.ts";
import { registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { addWebCustomer, openCustomerBrowser, openWebShop, signedInBrowser } from "#testing/web-shop.server.ts";
import { createKeySealing, readSigningKeys, rotateSigningKeys } from "./signing-keys.server.ts";

const key = Buffer.alloc(32, 5).toString("base64");
const product = await openTestProduct({ OIDC_KEY: key });
const { database, settings, as } = product;
const sealing = createKeySealing(settings);

// Listening, it keeps the provider until the keys change.
beforeAll(() => product.product.changes.start());
afterAll(() => product.product.changes.stop());

const addCustomer = () => addWebCustomer(product);
const shop = await openWebShop(product);

test("a customer who is signed in here is signed in at the shop, with the claims of its scopes in the ID token", async () => {
  const customer = await addCustomer();
  await as(customer.token)(subscribe);
  const browser = await signedInBrowser(product, customer.id);
  const tokens = await shop.signIn(browser);
  const claims = tokens.claims();
  expect(claims).toMatchObject({
    ...{ sub: customer.subject, email: customer.email, email_verified: false },
    ...{ given_name: "Léa", family_name: "Martin", name: "Léa Martin", locale: "fr" },
    ...{ loyalty_card: expect.stringMatching(/^29\d{11}$/), loyalty_points: expect.any(Number) },
  });
  expect(claims?.["loyalty_status"]).toEqual(expect.any(String));
  expect(decodeProtectedHeader(tokens.id_token ?? "").alg).toBe("ES256");
  const info = await client.fetchUserInfo(shop.configuration, tokens.access_token, customer.subject);
  expect(info["email"]).toBe(customer.email);
});

test("a scope that was not asked for is not told", async () => {
  const { id } = await addCustomer();
  const claims = (await shop.signIn(await signedInBrowser(product, id), { scope: "openid" })).claims();
  expect(Object.keys(claims ?? {})).not.toContain("email");
  expect(Object.keys(claims ?? {})).not.toContain("loyalty_card");
});

test("a visitor signs in first, and the request of the shop goes on", async () => {
  const { id, subject } = await addCustomer();
  const browser = openCustomerBrowser(product);
  const begun = await shop.begin();
  const { url } = await browser.follow(begun.path);
  expect(url.pathname).toBe(pagePaths.login);
  const goTo = url.searchParams.get("loginGoTo") ?? "";
  expect(goTo).toMatch(/^\/oidc\/continue\//);
  const { cookies } = await signedInBrowser(product, id);
  browser.cookies.set("auth.token", cookies.get("auth.token") ?? "");
  const back = await browser.follow(goTo);
  // Behind a form a redirect would be stopped by the form's policy: a document leads on.
  expect(back.url.origin).toBe("https://shop.example");
  expect((await shop.finish(back.url, begun)).claims()?.sub).toBe(subject);
});

test("the shop names the language of the pages between; without it the browser's counts", async () => {
  const begin = async (parameters?: Record<string, string>) =>
    (await openCustomerBrowser(product).follow((await shop.begin(parameters)).path)).url.pathname;
  expect(await begin({ ui_locales: "it de en" })).toBe(`/de${pagePaths.login}`);
  expect(await begin({ ui_locales: "it" })).toBe(pagePaths.login);
  expect(await begin()).toBe(pagePaths.login);
});

test("the request of another browser does not go on here", async () => {
  const { id } = await addCustomer();
  const attacker = openCustomerBrowser(product);
  const { url } = await attacker.follow((await shop.begin()).path);
  const victim = await signedInBrowser(product, id);
  const response = await victim.browse(url.searchParams.get("loginGoTo") ?? "");
  expect(response.status).toBe(409);
  // A page, since a customer sees it who comes back after half an hour.
  expect(await response.text()).toContain("Revenez à la boutique");
});

/** Presses a button of a page between the shop and us. */
const decide = (browser: ReturnType<typeof openCustomerBrowser>, { pathname }: URL, fields: Record<string, string>) =>
  browser.follow(pathname, {
    ...{ method: "POST", body: new URLSearchParams(fields), headers: { origin: settings.publicUrl.origin } },
  });

test("who signs in as somebody else while the shop waits is signed in there as that person", async () => {
  const [first, second] = [await addCustomer(), await addCustomer()];
  const browser = await signedInBrowser(product, first.id);
  await shop.signIn(browser);
  const begun = await shop.begin({ prompt: "login" });
  const { url: proof } = await browser.follow(begun.path);
  const { url } = await decide(browser, proof, { decision: "other" });
  expect(url.pathname).toBe(pagePaths.login);
  browser.cookies.set("auth.token", (await signedInBrowser(product, second.id)).cookies.get("auth.token") ?? "");
  const back = await browser.follow(url.searchParams.get("loginGoTo") ?? "");
  expect((await shop.finish(back.url, begun)).claims()?.sub).toBe(second.subject);
});

test("prompt=none says login_required without a session, and signs in with one", async () => {
  const begun = await shop.begin({ prompt: "none" });
  const { url } = await openCustomerBrowser(product).follow(begun.path);
  expect(url.searchParams.get("error")).toBe("login_required");
  expect(url.searchParams.get("iss")).toBe(settings.publicUrl.origin);
  const { id, subject } = await addCustomer();
  const browser = await signedInBrowser(product, id);
  // Also where the customer has never been at this shop.
  expect((await shop.signIn(browser, { prompt: "none" })).claims()?.sub).toBe(subject);
  expect((await shop.signIn(browser, { prompt: "none" })).claims()?.sub).toBe(subject);
  // Signed out here, the library's own session does not count.
  browser.cookies.delete("auth.token");
  const again = await browser.follow((await shop.begin({ prompt: "none" })).path);
  expect(again.url.searchParams.get("error")).toBe("login_required");
});

test("max_age and prompt=login ask for a fresh proof, once; the link alone signs nobody out", async () => {
  const { id, email } = await addCustomer();
  const browser = await signedInBrowser(product, id);
  const token = browser.cookies.get("auth.token") ?? "";
  await database.execute(sql`update session set proved_at = now() - interval '1 hour' where customer_id = ${id}`);
  for (const parameters of [{ max_age: "60" }, { prompt: "login" }] as Record<string, string>[]) {
    const begun = await shop.begin(parameters);
    const { url, response } = await browser.follow(begun.path);
    const page = await response.text();
    for (const word of ["Boutique en ligne", email, 'class="field"']) expect(page).toContain(word);
    const wrong = await decide(browser, url, { decision: "prove", Password: "wrong password" });
    expect(await wrong.response.text()).toContain("Ce mot de passe est incorrect");
    const forged = await browser.browse(url.pathname, {
      ...{
        method: "POST",
        body: new URLSearchParams({ decision: "other" }),
        headers: { origin: "https://evil.example" },
      },
    });
    expect(forged.status).toBe(403);
    expect(await as(token)(readCustomer)).toMatchObject({ Email: email });
    const back = await decide(browser, url, { decision: "prove", Password: String(registrationForm().Password) });
    expect(browser.cookies.get("auth.token")).toBe(token);
    const { auth_time } = (await shop.finish(back.url, begun, { maxAge: 60 })).claims() ?? {};
    expect(Date.now() / 1_000 - Number(auth_time)).toBeLessThan(30);
  }
});

test("a customer who declines a fresh proof stays signed in, and the shop is told", async () => {
  const browser = await signedInBrowser(product, (await addCustomer()).id);
  const begun = await shop.begin({ prompt: "login" });
  const { url } = await browser.follow(begun.path);
  const { url: back } = await decide(browser, url, { decision: "cancel" });
  expect(back.searchParams.get("error")).toBe("access_denied");
  await shop.signIn(browser);
});

test("one network may not fill the table with requests that wait", async () => {
  const limited = await openTestProduct({ OIDC_KEY: key, RATE_LIMITS: "on" });
  const { path } = await (await openWebShop(limited)).begin();
  const { database: of } = limited;
  await limited.fetch(path);
  await of.execute(sql`update rate_limit set points = 600 where key like 'oidc-authorize:%'`);
  expect((await limited.fetch(path)).status).toBe(429);
});

test("a refresh token works once more within half a minute, for a response that was lost; later its reuse ends everything", async () => {
  const { id, subject } = await addCustomer();
  const first = await shop.signIn(await signedInBrowser(product, id));
  const refresh = (token = "") => client.refreshTokenGrant(shop.configuration, token);
  const second = await refresh(first.refresh_token);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  const third = await refresh(first.refresh_token);
  expect(third.claims()?.sub).toBe(subject);
  await database.execute(sql`
    update oidc_artifact set consumed_at = consumed_at - interval '31 seconds' where customer_id = ${id}`);
  await expect(refresh(first.refresh_token)).rejects.toThrow();
  await expect(refresh(third.refresh_token)).rejects.toThrow();
  await expect(client.fetchUserInfo(shop.configuration, third.access_token, subject)).rejects.toThrow();
});

test("a client of another company is allowed by the customer, who is asked once for each scope", async () => {
  const { id } = await addCustomer();
  const partner = await openWebShop(product, {
    ...{ name: "Magazine <b>", firstParty: false, redirectUris: ["https://magazine.example/cb"] },
  });
  const browser = await signedInBrowser(product, id);
  const begun = await partner.begin({ scope: "openid email" });
  const { url, response } = await browser.follow(begun.path);
  expect(url.pathname).toMatch(/^\/oidc\/continue\//);
  const page = await response.text();
  expect(page).toContain("Magazine &lt;b&gt;");
  expect(page).toContain("votre adresse e-mail");
  expect(page).not.toContain("vos points");
  const decide = (decision: string, headers: Record<string, string>) =>
    browser.follow(url.pathname, { method: "POST", body: new URLSearchParams({ decision }), headers });
  const forged = await decide("allow", { origin: "https://evil.example" });
  expect(forged.response.status).toBe(403);
  const { url: back } = await decide("allow", { origin: settings.publicUrl.origin });
  expect((await partner.finish(back, begun)).claims()?.["email"]).toBeDefined();
  const again = await partner.signIn(browser, { scope: "openid email" });
  expect(again.claims()?.sub).toBeDefined();
  const more = await browser.follow((await partner.begin({ scope: "openid email loyalty" })).path);
  expect(await more.response.text()).toContain("vos points");
});

test("no one allows for another customer: neither from another browser, nor signed in as somebody else meanwhile", async () => {
  const [first, second] = [await addCustomer(), await addCustomer()];
  const partner = await openWebShop(product, { firstParty: false, redirectUris: ["https://magazine.example/cb"] });
  const victim = await signedInBrowser(product, first.id);
  const begun = await partner.begin({ scope: "openid email" });
  const { url } = await victim.follow(begun.path);
  const attacker = await signedInBrowser(product, second.id);
  expect((await decide(attacker, url, { decision: "allow" })).response.status).toBe(409);
  // The page asked the first customer; the browser is the second's by the time the button is pressed.
  victim.cookies.set("auth.token", attacker.cookies.get("auth.token") ?? "");
  const pressed = await decide(victim, url, { decision: "allow" });
  expect(pressed.url.origin).not.toBe("https://magazine.example");
  const granted = sql`select from oidc_artifact where model = 'Grant' and customer_id in (${first.id}, ${second.id})`;
  expect((await database.execute(granted)).rows).toHaveLength(0);
});

test("a refusal is told to the client", async () => {
  const { id } = await addCustomer();
  const partner = await openWebShop(product, { firstParty: false, redirectUris: ["https://magazine.example/cb"] });
  const browser = await signedInBrowser(product, id);
  const begun = await partner.begin();
  const { url } = await browser.follow(begun.path);
  const { url: back } = await browser.follow(url.pathname, {
    ...{ method: "POST", body: new URLSearchParams({ decision: "refuse" }) },
    headers: { origin: settings.publicUrl.origin },
  });
  expect(back.searchParams.get("error")).toBe("access_denied");
});

test("keys change while tokens are out: the next one is published before it signs, old tokens are still believed", async () => {
  const { id } = await addCustomer();
  const browser = await signedInBrowser(product, id);
  const before = await shop.signIn(browser);
  const kids = async () => {
    const { keys } = await (await product.fetch("/oidc/jwks")).json();
    return (keys as { kid: string }[]).map(({ kid }) => kid);
  };
  const published = await kids();
  await rotateSigningKeys(database, sealing);
  expect(await kids()).toEqual(published);
  await database.execute(sql`update oidc_signing_key set since = since - interval '91 days'`);
  await rotateSigningKeys(database, sealing);
  await expect.poll(kids).toHaveLength(3);
  const after = await shop.signIn(browser);
  const kidOf = (token = "") => decodeProtectedHeader(token).kid;
  expect(kidOf(after.id_token)).not.toBe(kidOf(before.id_token));
  expect(published).toContain(kidOf(after.id_token));
  expect(await kids()).toContain(kidOf(before.id_token));
  expect(await readSigningKeys(database, sealing)).toHaveLength(3);
  const { rows } = await database.execute<{ sealed_jwk: Buffer }>(sql`select sealed_jwk from oidc_signing_key`);
  expect(rows.every(({ sealed_jwk }) => !sealed_jwk.toString("latin1").includes('"d"'))).toBe(true);
});

test("introspection and revocation are for the client's own tokens", async () => {
  const { id } = await addCustomer();
  const other = await openWebShop(product, { redirectUris: ["https://other.example/callback"] });
  const tokens = await shop.signIn(await signedInBrowser(product, id));
  const token = tokens.refresh_token ?? "";
  expect((await client.tokenIntrospection(shop.configuration, token)).active).toBe(true);
  expect((await client.tokenIntrospection(other.configuration, token)).active).toBe(false);
  await client.tokenRevocation(shop.configuration, token);
  await expect(client.refreshTokenGrant(shop.configuration, token)).rejects.toThrow();
});

test("addresses are the installation's, whatever the Host says", async () => {
  const response = await product.fetch("/.well-known/openid-configuration", { headers: { host: "evil.example" } });
  const found = await response.json();
  expect(found.issuer).toBe(settings.publicUrl.origin);
  expect(Object.values(found).filter((value) => String(value).includes("evil"))).toEqual([]);
  expect(found).toMatchObject({
    ...{ response_types_supported: ["code"], code_challenge_methods_supported: ["S256"] },
    ...{ backchannel_logout_supported: true, authorization_response_iss_parameter_supported: true },
  });
});

test("codes, tokens and cookies are not in the database", async () => {
  const { id } = await addCustomer();
  const browser = await signedInBrowser(product, id);
  const tokens = await shop.signIn(browser);
  const { rows } = await database.execute<{ text: string }>(sql`select payload::text as text from oidc_artifact`);
  const stored = rows.map(({ text }) => text).join();
  for (const secret of [tokens.access_token, tokens.refresh_token ?? "", browser.cookies.get("oidc.session") ?? ""])
    expect(stored).not.toContain(secret);
});

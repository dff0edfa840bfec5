import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eq, sql } from "drizzle-orm";
import { createLocalJWKSet, jwtVerify } from "jose";
import * as client from "openid-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseCustomer, exportCustomer, listApplications, removeApplication } from "#identity/calls.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { endSession, endSessions } from "#identity/session/session.server.ts";
import { subscribe } from "#loyalty/calls.ts";
import { merge } from "#office/customers/server/merge/merge.server.ts";
import { createMetrics } from "#platform/metrics.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { addWebCustomer, openWebShop, signedInBrowser } from "#testing/web-shop.server.ts";
import { createFindSubject } from "./claims.server.ts";
import { disableClient } from "./clients.server.ts";

const key = Buffer.alloc(32, 5).toString("base64");
const metrics = createMetrics();
const product = await openTestProduct({ OIDC_KEY: key }, { metrics });
const { database, settings, runJobs, as } = product;

// Listening, it keeps the provider until the keys change.
beforeAll(() => product.product.changes.start());
afterAll(() => product.product.changes.stop());

const findSubject = createFindSubject(database);
const addCustomer = () => addWebCustomer(product);
const shop = await openWebShop(product);

test.each(["blocked", "erased", "guest"])("a customer who is %s is signed in nowhere", async (state) => {
  const { id, subject } = await addCustomer();
  const tokens = await shop.signIn(await signedInBrowser(product, id));
  if (state === "blocked") await database.update(customers).set({ blockedAt: new Date() }).where(eq(customers.id, id));
  if (state === "erased") await database.delete(customers).where(eq(customers.id, id));
  if (state === "guest")
    await database.update(customers).set({ guest: true, passwordHash: null }).where(eq(customers.id, id));
  await expect(client.fetchUserInfo(shop.configuration, tokens.access_token, subject)).rejects.toThrow();
  await expect(client.refreshTokenGrant(shop.configuration, tokens.refresh_token ?? "")).rejects.toThrow();
});

test("the end of a session ends the shop's tokens; the app's stay, until all sessions end", async () => {
  const { id, subject } = await addCustomer();
  const app = await openWebShop(product, {
    ...{ name: "App", isPublic: true, redirectUris: ["com.example.app:/callback"] },
  });
  const browser = await signedInBrowser(product, id);
  const inShop = await shop.signIn(browser);
  const inApp = await app.signIn(browser);
  await endSession(database, id, browser.sessionId);
  await expect(client.fetchUserInfo(shop.configuration, inShop.access_token, subject)).rejects.toThrow();
  await expect(client.refreshTokenGrant(shop.configuration, inShop.refresh_token ?? "")).rejects.toThrow();
  const fresh = await client.refreshTokenGrant(app.configuration, inApp.refresh_token ?? "");
  expect(fresh.claims()?.sub).toBe(subject);
  await endSessions(database, id);
  await expect(client.refreshTokenGrant(app.configuration, fresh.refresh_token ?? "")).rejects.toThrow();
});

test("the shop is told that a session has ended, until it accepts; the token is signed and names the sign-in", async () => {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      received.push(new URLSearchParams(body).get("logout_token") ?? "");
      response.writeHead(received.length < 3 ? 500 : 200).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  const told = await openWebShop(product, { backChannelLogoutUri: `http://127.0.0.1:${port}/logout` });
  const { id, subject } = await addCustomer();
  const browser = await signedInBrowser(product, id);
  const tokens = await told.signIn(browser);
  await endSession(database, id, browser.sessionId);
  await runJobs({ mayFail: true });
  expect(await metrics.text()).toContain('cercle_back_channel_logouts{state="failing"} 1');
  await runJobs({ mayFail: true, retries: true });
  await runJobs({ retries: true });
  await runJobs({ retries: true });
  receiver.close();
  expect(await metrics.text()).toContain('cercle_back_channel_logouts{state="failing"} 0');
  expect(received).toHaveLength(3);
  const { keys } = await (await product.fetch("/oidc/jwks")).json();
  expect(keys.every((one: object) => !("d" in one))).toBe(true);
  const { payload, protectedHeader } = await jwtVerify(received[2] ?? "", createLocalJWKSet({ keys }), {
    ...{ issuer: settings.publicUrl.origin, audience: told.id },
  });
  expect(protectedHeader.typ).toBe("logout+jwt");
  expect(payload).toMatchObject({ sub: subject, sid: tokens.claims()?.["sid"] });
  expect(payload["nonce"]).toBeUndefined();
});

test("signing out at the shop signs out here, back at an address that is registered", async () => {
  const { id } = await addCustomer();
  const leaving = await openWebShop(product, { logoutUris: ["https://shop.example/bye"] });
  const browser = await signedInBrowser(product, id);
  const tokens = await leaving.signIn(browser);
  const end = client.buildEndSessionUrl(leaving.configuration, {
    ...{ post_logout_redirect_uri: "https://shop.example/bye", id_token_hint: tokens.id_token ?? "" },
  });
  const asked = await browser.browse(end.pathname + end.search);
  const page = await asked.text();
  expect(page).toMatch(/Vous déconnecter\s\?/);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const forged = await browser.browse("/oidc/logout/confirm", {
    ...{ method: "POST", body: new URLSearchParams({ logout: "yes", xsrf: "wrong" }) },
  });
  expect(forged.status).toBe(400);
  const response = await browser.browse("/oidc/logout/confirm", {
    ...{ method: "POST", body: new URLSearchParams({ logout: "yes", xsrf }) },
  });
  expect(response.headers.get("location")).toBe("https://shop.example/bye");
  expect(browser.cookies.get("auth.token")).toBeUndefined();
  const { rows } = await database.execute(sql`select from session where id = ${browser.sessionId}`);
  expect(rows).toHaveLength(0);
  for (const address of ["https://evil.example/", "https://shop.example/bye?x=1"]) {
    const other = client.buildEndSessionUrl(leaving.configuration, {
      ...{ post_logout_redirect_uri: address, id_token_hint: tokens.id_token ?? "" },
    });
    expect((await browser.browse(other.pathname + other.search)).status).toBe(400);
  }
});

test("a disabled client signs no one in, and its tokens end", async () => {
  const { id, subject } = await addCustomer();
  const closing = await openWebShop(product);
  const browser = await signedInBrowser(product, id);
  const tokens = await closing.signIn(browser);
  expect(await disableClient(database, closing.id)).toBe(true);
  await expect(client.fetchUserInfo(closing.configuration, tokens.access_token, subject)).rejects.toThrow();
  expect((await browser.browse((await closing.begin()).path)).status).toBe(400);
});

test("the account lists the applications; access that is withdrawn ends there alone, and is asked for again", async () => {
  const { id, subject, token } = await addCustomer();
  const partner = await openWebShop(product, {
    ...{ name: "Magazine", firstParty: false, redirectUris: ["https://magazine.example/cb"] },
  });
  const browser = await signedInBrowser(product, id);
  const inShop = await shop.signIn(browser);
  const begun = await partner.begin({ scope: "openid email" });
  const { url: page } = await browser.follow(begun.path);
  const { url } = await browser.follow(page.pathname, {
    ...{ method: "POST", body: new URLSearchParams({ decision: "allow" }) },
    headers: { origin: settings.publicUrl.origin },
  });
  const atPartner = await partner.finish(url, begun);

  const { Applications } = await as(token)(listApplications);
  expect(Applications).toMatchObject([
    { IdApplication: shop.id, Name: "Boutique en ligne", Scopes: ["email", "loyalty", "openid", "profile"] },
    { IdApplication: partner.id, Name: "Magazine", Scopes: ["email", "openid"] },
  ]);
  expect(await as(token)(exportCustomer)).toMatchObject({ Applications, Customer: { IdsAtApplications: [subject] } });
  const other = await addCustomer();
  expect(await refusalOf(as(other.token)(removeApplication, { id: partner.id }))).toMatchObject({ code: "not_found" });
  expect((await as(token)(removeApplication, { id: partner.id })).Applications).toHaveLength(1);
  await expect(client.refreshTokenGrant(partner.configuration, atPartner.refresh_token ?? "")).rejects.toThrow();
  const refreshed = await client.refreshTokenGrant(shop.configuration, inShop.refresh_token ?? "");
  expect(refreshed.claims()?.sub).toBe(subject);
  const again = await browser.follow((await partner.begin({ scope: "openid email" })).path);
  expect(await again.response.text()).toContain("retirer cet accès");
});

const eventsOf = async (customerId: number) =>
  (
    await database.execute<{ type: string; payload: Record<string, unknown> }>(sql`
      select type, payload from webhook_event where customer_id = ${customerId} and type in ('member.merged', 'member.erased')`)
  ).rows;

test("after a merge both subjects are the survivor's, whose own is in every later token", async () => {
  const [survivor, other, third] = [await addCustomer(), await addCustomer(), await addCustomer()];
  for (const { token } of [survivor, other]) await as(token)(subscribe);
  const before = await shop.signIn(await signedInBrowser(product, other.id));
  const when = { now: new Date(), publicUrl: settings.publicUrl.origin };
  const mergeInto = (survivorId: number, otherId: number) =>
    database.transaction((tx) => merge(tx, { survivorId, otherId }, {}, when));
  await mergeInto(other.id, third.id);
  await mergeInto(survivor.id, other.id);
  await expect(client.refreshTokenGrant(shop.configuration, before.refresh_token ?? "")).rejects.toThrow();
  expect(await eventsOf(survivor.id)).toEqual([
    {
      type: "member.merged",
      payload: {
        ...{ IdCustomer: survivor.subject, IdOther: other.subject },
        ...{ Subject: survivor.subject, OtherSubject: other.subject },
      },
    },
  ]);
  for (const { subject } of [survivor, other, third])
    expect((await findSubject(subject))?.subject).toBe(survivor.subject);

  const browser = await signedInBrowser(product, survivor.id);
  await shop.signIn(browser);
  const hinted = await shop.signIn(browser, { prompt: "none", id_token_hint: before.id_token ?? "" });
  expect(hinted.claims()?.sub).toBe(survivor.subject);
  const stranger = await signedInBrowser(product, (await addCustomer()).id);
  await shop.signIn(stranger);
  const { url } = await stranger.follow(
    (await shop.begin({ prompt: "none", id_token_hint: before.id_token ?? "" })).path,
  );
  expect(url.searchParams.get("error")).toBe("login_required");
  const { Customer } = await as(survivor.token)(exportCustomer);
  expect(Customer.IdsAtApplications).toEqual(expect.arrayContaining([survivor.subject, other.subject, third.subject]));
});

test("an erasure deletes the subject, ends every grant and tells the subject once", async () => {
  const { id, subject, token } = await addCustomer();
  await as(token)(subscribe);
  const app = await openWebShop(product, {
    ...{ name: "App", isPublic: true, redirectUris: ["com.example.app:/callback"] },
  });
  const tokens = await app.signIn(await signedInBrowser(product, id));
  await as(token)(eraseCustomer, { Password: registrationForm().Password });
  expect(await findSubject(subject)).toBeUndefined();
  await expect(client.refreshTokenGrant(app.configuration, tokens.refresh_token ?? "")).rejects.toThrow();
  const { rows } = await database.execute(sql`select from oidc_artifact where payload::text like ${`%${subject}%`}`);
  expect(rows).toHaveLength(0);
  expect(await eventsOf(id)).toMatchObject([
    { type: "member.erased", payload: { IdCustomer: subject, Subject: subject } },
  ]);
});

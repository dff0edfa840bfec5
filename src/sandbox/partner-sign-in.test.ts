import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import "#brand/texts.server.ts";
import { endSession } from "#identity/session/session.server.ts";
import { subscribe } from "#loyalty/calls.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { addWebCustomer, openCustomerBrowser, signedInBrowser } from "#testing/web-shop.server.ts";

const product = await openTestProduct({ OIDC_KEY: Buffer.alloc(32, 5).toString("base64") });
const { database, as, fetch, runJobs } = product;
const logoutPath = "/sandbox/shop/logout";

/** Hands on to the sandbox what comes for its address, since the product of a test does not listen. */
const received: { body: string; status: number }[] = [];
const receiver = createServer(async (request, response) => {
  const body = await text(request);
  const { status } = await sendLogout(body);
  received.push({ body, status });
  response.writeHead(status).end();
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
afterAll(() => receiver.close());

const sendLogout = (body: string) =>
  fetch(logoutPath, { method: "POST", body, headers: { "content-type": "application/x-www-form-urlencoded" } });

async function openShop(locale: string) {
  const customer = await addWebCustomer(product);
  await as(customer.token)(subscribe);
  const browser = await signedInBrowser(product, customer.id);
  const { url, response } = await browser.follow(`/sandbox/shop/sign-in/${locale}`);
  return { customer, browser, url, page: await response.text() };
}

test.each([
  ["fr", "/sandbox/shop/", "Connecté\u202f: Léa Martin"],
  ["en", "/sandbox/shop/en", "Signed in: Léa Martin"],
  ["de", "/sandbox/shop/de", "Angemeldet: Léa Martin"],
])("the sandbox's shop signs in with the account here, with its card, in %s", async (locale, path, words) => {
  const { url, page } = await openShop(locale);
  expect(url.pathname).toBe(path);
  expect(page).toContain(words);
  expect(page).toMatch(/id="card"[^>]* value="29\d{11}"/);
});

test("the end of the session here ends the one in the shop, by a token that is of the provider, for the shop and of that sign-in", async () => {
  const [first, second] = [await openShop("en"), await openShop("en")];
  await database.execute(sql`
    update oidc_client set metadata = metadata || jsonb_build_object('backchannel_logout_uri',
      replace(metadata ->> 'backchannel_logout_uri', 'http://localhost:3000',
        ${`http://127.0.0.1:${(receiver.address() as AddressInfo).port}`}))`);
  const read = async ({ browser }: typeof first) => (await browser.browse("/sandbox/shop/en")).text();
  for (const token of ["", "logout_token=x", `logout_token=${"a.".repeat(2)}a`])
    expect((await sendLogout(token)).status).toBe(400);
  await endSession(database, first.customer.id, first.browser.sessionId);
  await runJobs();
  expect(received.map(({ status }) => status)).toEqual([204]);
  expect(await read(first)).toContain("Sign in with");
  expect(await read(second)).toContain("Signed in");
  // A changed token names another sign-in, and is not signed.
  const [head, payload = "", signature] = (received[0]?.body ?? "").split(".");
  const forged = JSON.parse(Buffer.from(payload, "base64url").toString());
  const { rows } = await database.execute<{ sid: string }>(sql`
    select sid from oidc_login where customer_id = ${second.customer.id}`);
  const other = Buffer.from(JSON.stringify({ ...forged, sid: rows[0]?.sid })).toString("base64url");
  expect((await sendLogout(`${head}.${other}.${signature}`)).status).toBe(400);
  expect(await read(second)).toContain("Signed in");
});

test("signing out at the shop signs out here too; an answer that another browser asked for signs no one in", async () => {
  const { browser } = await openShop("de");
  const { url, response } = await browser.follow("/sandbox/shop/sign-out/de");
  expect(url.pathname).toBe("/oidc/logout");
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(await response.text())?.[1] ?? "";
  const confirmed = { method: "POST", body: new URLSearchParams({ logout: "yes", xsrf }) };
  const left = await browser.follow("/oidc/logout/confirm", confirmed);
  expect(left.url.pathname).toBe("/sandbox/shop/de");
  expect(await left.response.text()).toContain("anmelden");
  expect(browser.cookies.has("auth.token")).toBe(false);

  const victim = openCustomerBrowser(product);
  await victim.browse("/sandbox/shop/sign-in/fr");
  const { response: page } = await victim.follow("/sandbox/shop/callback?code=of-another&state=of-another");
  expect(await page.text()).toContain("Se connecter avec");
});

import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { locales } from "#i18n/locale.ts";
import { register } from "#identity/calls.ts";
import { registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { guardNamed } from "./routes.ts";

const { fetch, call, database } = await openTestProduct();

/** Every address of the specification, and those the contract adds. */
const open = [
  "/account/autologin",
  "/account/email",
  "/authenticate/login",
  "/authenticate/register",
  "/error",
  "/forget",
  "/loyalty",
  "/password/components/BackToLogin",
  "/password/components/NewPasswordForm",
  "/password/components/ResetForm",
  "/password/components/SentReset",
  "/password/new",
  "/password/reset",
  "/password/validate",
  "/reinitialiser",
  "/reset",
  "/store/qrcode",
];
const guarded = ["/account", "/account/informations", "/account/loyalty/subscribe"];
const forms = [["", "fr"], ...locales.map((locale) => [`/${locale}`, locale])] as [string, string][];

const get = (path: string, headers: Record<string, string> = {}) => fetch(path, { headers });
const langOf = (html: string) => /<html lang="(\w+)"/.exec(html)?.[1];

test.each(forms)("home is at '%s/' in %s", async (prefix, lang) => {
  const response = await get(prefix || "/");
  expect(response.status).toBe(200);
  expect(langOf(await response.text())).toBe(lang);
});

test.each(forms.flatMap(([prefix, lang]) => open.map((path) => [prefix + path, lang])))(
  "%s has status 200 in %s, a title and a heading",
  async (path, lang) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(langOf(html)).toBe(lang);
    expect(html).toMatch(/<title>.+ · Cercle<\/title>/);
    expect(html).toContain("<h1");
  },
);

test.each(forms.flatMap(([prefix, lang]) => guarded.map((path) => [prefix, path, lang])))(
  "%s%s redirects to the sign-in of the language without a session, and remembers the page",
  async (prefix, path) => {
    const response = await get(prefix + path);
    expect(response.status).toBe(302);
    const target = prefix === "" || prefix === "/fr" ? "" : prefix;
    expect(response.headers.get("location")).toBe(`${target}/authenticate/login?loginGoTo=${encodeURIComponent(path)}`);
  },
);

test.each(forms)("the footer under '%s' links the legal pages in %s, and they are there", async (prefix, lang) => {
  const html = await (await get(`${prefix}/loyalty`)).text();
  const to = lang === "fr" ? "" : `/${lang}`;
  for (const name of ["terms", "privacy", "imprint", "accessibility"]) {
    expect(html).toContain(`href="${to}/legal/${name}"`);
    const page = await get(`${prefix}/legal/${name}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toMatch(/<h1[^>]*>.+<\/h1>.*<h2>/s);
  }
  expect((await get(`${prefix}/legal/toString`)).status).toBe(404);
});

test("the account has its side menu, its bottom bar of four, and orders on the shop, each in the page's language", async () => {
  const { AuthData } = await call(register, registrationForm());
  const html = await (await get("/de/account", { cookie: `auth.token=${AuthData.Token}` })).text();
  expect(html).toContain("lg:col-span-3");
  expect(html).toContain("lg:col-span-9");
  const bar = html.slice(html.indexOf("grid-cols-4"));
  for (const words of ["Konto", "Cercle", "Bestellungen", "Code"]) expect(bar).toContain(words);
  // Signing out is in the menus; under a thumb it would be pressed by mistake.
  expect(bar).not.toContain("Abmelden");
  expect(bar).toContain('href="/de/account/loyalty/subscribe#till"');
  // In the side menu, in the panel and in the bar.
  expect(html.split('href="/sandbox/shop/de/account/orders"')).toHaveLength(4);
  for (const words of ["Rücksendungen", "Favoriten", "Kundenservice"]) expect(html).toContain(words);
  expect(html).toContain("Guten Tag, Léa");
});

test.each(forms)("account pages under '%s' open for a member whose browser does not say what it is", async (prefix) => {
  const { AuthData } = await call(register, registrationForm({ LoyaltySubscribe: "true" }));
  for (const path of guarded)
    expect((await get(prefix + path, { cookie: `auth.token=${AuthData.Token}` })).status, path).toBe(200);
});

test.each(forms)("menus under '%s' mark the page that is shown", async (prefix) => {
  const { AuthData } = await call(register, registrationForm({ LoyaltySubscribe: "true" }));
  for (const path of guarded) {
    const html = await (await get(prefix + path, { cookie: `auth.token=${AuthData.Token}` })).text();
    const marked = Array.from(html.matchAll(/<a [^>]*aria-current="page"[^>]*>/g), ([link]) => link);
    expect(marked.length, prefix + path).toBeGreaterThan(0);
    for (const link of marked) expect(link, prefix + path).toContain(`${path}"`);
  }
});

test.each([
  ["fr", ["mot de passe oublié", "carte perdue", "j’ai perdu ma carte", "anniversaire"]],
  ["en", ["forgotten password", "I forgot my password", "lost card", "birthday"]],
  ["de", ["Passwort vergessen", "Karte verloren", "Geburtstag"]],
] as const)("the help in %s finds what customers ask most", async (locale, searches) => {
  for (const search of searches) {
    const html = await (await get(`/${locale}/help?${new URLSearchParams({ q: search })}`)).text();
    expect(html, search).toMatch(/<h3/);
  }
});

test("a page makes the same call once, however many of its loaders need it", async () => {
  const { AuthData } = await call(register, registrationForm({ LoyaltySubscribe: "true" }));
  const query = vi.spyOn(database.pipeline, "query");
  const response = await get("/account", { cookie: `auth.token=${AuthData.Token}` });
  expect(response.status).toBe(200);
  const statements = query.mock.calls.map(([statement]) => JSON.stringify(statement));
  query.mockRestore();
  // The frame, the guard and the page each need the customer.
  expect(statements.filter((text) => /customer\.firstname/.test(text))).toHaveLength(1);
});

test.each([
  ["/authenticate/login", "Email", { type: "email", autocomplete: "username", inputmode: "email" }],
  ["/authenticate/login", "Password", { type: "password", autocomplete: "current-password" }],
  ["/authenticate/register", "Email", { type: "email", autocomplete: "email", inputmode: "email" }],
  ["/authenticate/register", "Password", { type: "password", autocomplete: "new-password" }],
  ["/authenticate/register", "Firstname", { autocomplete: "given-name" }],
  ["/authenticate/register", "Lastname", { autocomplete: "family-name" }],
  ["/authenticate/register", "Birthday", { autocomplete: "bday", inputmode: "numeric" }],
  ["/authenticate/register", "MobilePhone", { type: "tel", autocomplete: "tel", inputmode: "tel" }],
  ["/forget", "Email", { type: "email", autocomplete: "username", inputmode: "email" }],
])("on %s a phone knows what to offer for %s, and with which keyboard", async (path, name, hints) => {
  const html = await (await get(path)).text();
  const field = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(html)?.[0] ?? "";
  for (const [hint, value] of Object.entries(hints)) expect(field.toLowerCase()).toContain(`${hint}="${value}"`);
});

test("the password layout has a page of its own under /de alone", async () => {
  const path = "/password/components/PasswordLayout";
  const response = await get(`/de${path}`);
  expect(response.status).toBe(200);
  expect(await response.text()).toMatch(/<title>Passwort vergessen · Cercle<\/title>.*<h1/);
  for (const prefix of ["", "/fr", "/en"]) expect((await get(prefix + path)).status).toBe(404);
});

test.each(["/xx/account", "/nowhere", "/EN/account", "/en/fr/account", "/account/nowhere"])(
  "%s is a 404 that says so",
  async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    const html = await response.text();
    expect(html).toContain("Page Not Found");
    expect(html).toContain("404");
  },
);

test("the error page shows 500 by default and has status 200", async () => {
  const html = await (await get("/en/error")).text();
  expect(html).toContain("An Error Occurred");
  expect(html).toContain("500");
  expect(html).toContain("Go Back");
  expect(html).toContain("Go to Home");
});

test("a route that names an unknown guard is a 500 that says so", async () => {
  const thrown = await Promise.resolve()
    .then(() => guardNamed("nobody knows it")({} as Parameters<ReturnType<typeof guardNamed>>[0], undefined))
    .catch((error) => error);
  expect(thrown).toMatchObject({ data: "Unknown middleware", init: { status: 500 } });
});

test.each([
  ["de", "", "/de"],
  ["en-GB,en;q=0.9", "", "/en"],
  ["fr", "", undefined],
  ["es", "", undefined],
  ["de", "i18n_redirected=fr", undefined],
  ["fr", "i18n_redirected=en", "/en"],
  ["fr", "i18n_redirected=../../evil", undefined],
])("/ for a browser that wants '%s' with cookie '%s' redirects to %s", async (language, cookie, target) => {
  const response = await get("/", { "accept-language": language, cookie });
  expect(response.headers.get("location") ?? undefined).toBe(target);
  expect(response.status).toBe(target ? 302 : 200);
});

test("a page writes its language into the cookie for 365 days, and only when it differs", async () => {
  const fresh = await get("/de/loyalty");
  expect(fresh.headers.get("set-cookie")).toMatch(/^i18n_redirected=de; Max-Age=31536000; Path=\/; SameSite=Lax/);
  const known = await get("/de/loyalty", { cookie: "i18n_redirected=de" });
  expect(known.headers.get("set-cookie")).toBeNull();
});

test("pages name their canonical address and their alternates in the other languages", async () => {
  const html = await (await get("/fr/loyalty")).text();
  expect(html).toContain('<link rel="canonical" href="http://localhost:3000/loyalty"/>');
  for (const [code, path] of [
    ["fr", "/loyalty"],
    ["en", "/en/loyalty"],
    ["de", "/de/loyalty"],
    ["x-default", "/loyalty"],
  ])
    expect(html).toContain(`hrefLang="${code}" href="http://localhost:3000${path}"`);
});

test.each(["/", "/nowhere", "/api/nowhere", "/healthz", "/api/openapi.json", "/api/docs"])(
  "%s carries every security header",
  async (path) => {
    const { headers } = await get(path);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    // The API's page runs no script at all.
    if (path !== "/api/docs") expect(policy).toMatch(/script-src 'self' 'nonce-[\w-]{16}'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.get("permissions-policy")).toContain("camera=()");
    expect(headers.get("x-request-id")).toBeTruthy();
  },
);

test.each(["/api/openapi.json", "/api/docs"])(
  "%s is written once, and every response has the same bytes",
  async (path) => {
    const [first, second] = await Promise.all([await get(path), await get(path)]);
    expect(await first.text()).toBe(await second.text());
  },
);

test("under https cookies are secure and HSTS is sent", async () => {
  const secure = await openTestProduct({ PUBLIC_URL: "https://localhost" });
  const response = await secure.fetch("/loyalty");
  expect(response.headers.get("strict-transport-security")).toContain("max-age=63072000");
  expect(response.headers.get("set-cookie")).toContain("Secure");
});

test.each([
  ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
  ["gzip, br;q=0", "gzip", gunzipSync],
  ["gzip;q=1.0", "gzip", gunzipSync],
  ["identity", null, (bytes: Buffer) => bytes],
])("a page for a browser that accepts '%s' is sent as %s", async (accepted, encoding, decode) => {
  const response = await get("/loyalty", { "accept-encoding": accepted });
  expect(response.headers.get("content-encoding")).toBe(encoding);
  expect(response.headers.get("vary")).toContain("accept-encoding");
  const html = decode(Buffer.from(await response.arrayBuffer())).toString();
  expect(html).toMatch(/^<!DOCTYPE html>.*<\/html>$/s);
});

test.each([
  ["cross-site", "/account?guess=29", null],
  ["same-site", "/account?guess=29", null],
  ["cross-site", "/account", "br"],
  ["same-origin", "/account?guess=29", "br"],
  ["none", "/account?guess=29", "br"],
])("a personal page that is asked for from '%s' by '%s' is compressed: %s", async (site, path, encoding) => {
  const { AuthData } = await call(register, registrationForm());
  const cookie = `auth.token=${AuthData.Token}`;
  const response = await get(path, { cookie, "sec-fetch-site": site, "accept-encoding": "br" });
  expect([response.status, response.headers.get("content-encoding")]).toEqual([200, encoding]);
});

test("a page has a Server-Timing header; the response to a form does not", async () => {
  const { headers } = await get("/loyalty");
  expect(headers.get("server-timing")).toMatch(/^load;dur=[\d.]+, render;dur=[\d.]+, total;dur=[\d.]+$/);
  const form = await fetch("/authenticate/login", {
    method: "POST",
    headers: { origin: "http://localhost:3000" },
    body: new URLSearchParams({ Email: "nobody@exemple.fr", Password: "Wrong-2026" }),
  });
  expect(form.headers.get("server-timing")).toBeNull();
});

test("a shared link has a title, a picture and the page's own address", async () => {
  const html = await (await get("/de/loyalty")).text();
  expect(html).toContain('<meta property="og:url" content="http://localhost:3000/de/loyalty"/>');
  expect(html).toContain('<meta property="og:image" content="http://localhost:3000/social-card.jpg"/>');
  expect(html).toContain('<meta property="og:locale" content="de_DE"/>');
  expect(html).toMatch(/<meta property="og:title" content=".+"\/>/);
  expect(html).toMatch(/<meta property="og:description" content=".+"\/>/);
});

test("the sitemap names every public page in three languages, and each of them exists", async () => {
  const response = await get("/sitemap.xml");
  expect(response.headers.get("content-type")).toContain("application/xml");
  const listed = [...(await response.text()).matchAll(/<loc>http:\/\/localhost:3000(.*?)<\/loc>/g)].map(
    ([, path]) => path,
  );
  expect(listed).toHaveLength(30);
  for (const path of listed) expect((await get(path ?? "")).status, path).toBe(200);
});

test("robots.txt keeps crawlers out of a demonstration, and out of the account in production", async () => {
  expect(await (await get("/robots.txt")).text()).toContain("Disallow: /\n");
  const open = await openTestProduct({
    PUBLIC_URL: "https://cercle.example",
    SANDBOX: "off",
    SMTP_URL: "smtp://localhost",
    MAIL_FROM: "cercle@cercle.example",
    SHOP_URL: "https://shop.example",
  });
  const robots = await (await open.fetch("/robots.txt")).text();
  expect(robots).toContain("Disallow: /account\n");
  expect(robots).not.toContain("Disallow: /\n");
  expect(robots).toContain("Sitemap: https://cercle.example/sitemap.xml");
});

test.each(["/authenticate/login", "/authenticate/register", "/forget"])(
  "every field of %s has its autocomplete, and no autocapitalisation of addresses",
  async (path) => {
    const html = await (await get(path)).text();
    const fields = [...html.matchAll(/<input[^>]*>/g)]
      .map(([field]) => field)
      .filter((field) => /class="field/.test(field));
    expect(fields.length).toBeGreaterThan(0);
    for (const field of fields) {
      expect(field).toMatch(
        /autoComplete="(username|email|current-password|new-password|given-name|family-name|bday|tel)"/,
      );
      if (/type="(email|password|tel)"/.test(field)) expect(field).toContain('autoCapitalize="none"');
      if (/type="email"/.test(field)) expect(field).toContain('inputMode="email"');
    }
  },
);

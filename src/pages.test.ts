import { expect, test } from "vitest";
import { locales } from "#i18n/locale.ts";
import { register } from "#identity/calls.ts";
import { registrationForm } from "#identity/test-people.server.ts";
import { guardNamed } from "./routes.ts";
import { openTestProduct } from "./test-product.server.ts";

const { fetch, call } = await openTestProduct();

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

test.each(forms)("home stands at '%s/' in %s", async (prefix, lang) => {
  const response = await get(prefix || "/");
  expect(response.status).toBe(200);
  expect(langOf(await response.text())).toBe(lang);
});

test.each(forms.flatMap(([prefix, lang]) => open.map((path) => [prefix + path, lang])))(
  "%s answers 200 in %s with a title and a heading",
  async (path, lang) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(langOf(html)).toBe(lang);
    expect(html).toMatch(/<title>.+ · Cercle<\/title>|BackToLogin/);
    if (!path.endsWith("BackToLogin")) expect(html).toContain("<h1");
  },
);

test.each(forms.flatMap(([prefix, lang]) => guarded.map((path) => [prefix, path, lang])))(
  "%s%s sends a stranger to the sign-in of the language and remembers the place",
  async (prefix, path) => {
    const response = await get(prefix + path);
    expect(response.status).toBe(302);
    const target = prefix === "" || prefix === "/fr" ? "" : prefix;
    expect(response.headers.get("location")).toBe(`${target}/authenticate/login?loginGoTo=${encodeURIComponent(path)}`);
  },
);

test.each(forms)("the footer under '%s' leads to the shop's own pages in %s", async (prefix, lang) => {
  const html = await (await get(`${prefix}/loyalty`)).text();
  for (const path of ["content/privacy-policy", "programme-fidelite", "content/legal-notice"])
    expect(html).toContain(`href="/sandbox/shop/${lang}/${path}"`);
});

test("the account has its side menu, its bottom bar of four, and orders on the shop, each in the page's language", async () => {
  const { AuthData } = await call(register, registrationForm());
  const html = await (await get("/de/account", { cookie: `auth.token=${AuthData.Token}` })).text();
  expect(html).toContain("lg:col-span-3");
  expect(html).toContain("lg:col-span-9");
  const bar = html.slice(html.indexOf("grid-cols-4"));
  for (const words of ["Konto", "Treue", "Käufe", "Abmelden"]) expect(bar).toContain(words);
  // In the side menu, in the panel and in the bar.
  expect(html.split('href="/sandbox/shop/de/account/orders"')).toHaveLength(4);
  for (const words of ["Rücksendungen", "Favoriten", "Kundenservice"]) expect(html).toContain(words);
  expect(html).toContain("Guten Tag Léa");
});

test("the password layout stands by itself under /de alone", async () => {
  const path = "/password/components/PasswordLayout";
  expect((await get(`/de${path}`)).status).toBe(200);
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

test("the error page shows 500 by default and answers 200", async () => {
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
])("/ for a browser that wants '%s' with cookie '%s' leads to %s", async (language, cookie, target) => {
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

test("pages name their canonical address and their sisters in the other languages", async () => {
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
    expect(policy).toMatch(/script-src 'self' 'nonce-[\w-]{16}'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.get("permissions-policy")).toContain("camera=()");
    expect(headers.get("x-request-id")).toBeTruthy();
  },
);

test("under https cookies are secure and HSTS is sent", async () => {
  const secure = await openTestProduct({ PUBLIC_URL: "https://localhost" });
  const response = await secure.fetch("/loyalty");
  expect(response.headers.get("strict-transport-security")).toContain("max-age=63072000");
  expect(response.headers.get("set-cookie")).toContain("Secure");
});

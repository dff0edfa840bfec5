import { randomInt } from "node:crypto";
import { Writable } from "node:stream";
import pino from "pino";
import { expect, test } from "vitest";
import { editCustomer, readCustomer } from "#identity/calls.ts";
import { enter, form, freshEmail, password, registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const lines: string[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});
const { call, as, fetch, database } = await openTestProduct({}, { log: pino({ level: "trace" }, sink) });
const limited = await openTestProduct({ RATE_LIMITS: "on" });

const own = { "sec-fetch-site": "same-origin" };
const cookieOf = (token: string) => ({ cookie: `auth.token=${token}` });
const accountPages = ["/account", "/account/informations", "/account/loyalty/subscribe"];

test("a name with </script> or a line separator is escaped in the page and in its hydration data", async () => {
  const Firstname = `</script><script>alert(1)</script>`;
  const Lastname = `<!--<img src=x onerror=alert(2)>&"'`;
  const { Token } = await enter(call, registrationForm({ Firstname, Lastname }));
  // The contract refuses these in a form; here they are already stored, and the page must escape them.
  await database.$client.query("update customer set lastname = lastname || $1 where firstname = $2", [
    "\u2028\u2029",
    Firstname,
  ]);
  for (const path of accountPages) {
    const html = await (await fetch(path, { headers: cookieOf(Token) })).text();
    expect(html).not.toContain("<script>alert");
    expect(html).not.toContain("<img src=x");
    const data = /<script id="hydration"[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "";
    expect(data).not.toMatch(/[<\u2028\u2029]/);
    expect(JSON.parse(data).router.loaderData.root.customer.Firstname).toBe(Firstname);
  }
});

test("the values of a refused form are escaped in the page", async () => {
  const Email = `"><script>alert(1)</script>@x`;
  const response = await fetch("/authenticate/login", { ...form({ Email, Password: "x" }), headers: own });
  expect(response.status).toBe(400);
  expect(await response.text()).not.toContain("<script>alert");
});

test.each(["Eve\r\nBcc: all@exemple.fr", "Eve\nx", "Eve\u2028x", "Eve\u0085x", "Eve\0x", "Eve\u001b[2Jx"])(
  "the name %j is refused: it could end a line of a header, a pass or a log",
  async (Firstname) => {
    const { Token } = await enter(call);
    const response = await fetch("/api/customer", {
      method: "PUT",
      body: new URLSearchParams({ Firstname, Lastname: "Martin" }),
      headers: { authorization: `Bearer ${Token}` },
    });
    expect(response.status).toBe(400);
    expect((await response.json()).errors).toMatchObject([{ field: "Firstname", code: "invalid" }]);
    expect((await as(Token)(readCustomer)).Firstname).toBe("Léa");
  },
);

test.each([
  { origin: "https://evil.example" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { origin: "null" },
] as Record<string, string>[])("a page of another site cannot send our forms: %j", async (from) => {
  const { Token, email } = await enter(call);
  const headers = { ...from, ...cookieOf(Token) };
  const edit = form({ intent: "profile", Firstname: "Eve", Lastname: "Eve" });
  for (const path of ["/account/informations", "/en/account/informations"])
    expect((await fetch(path, { ...edit, headers })).status).toBe(403);
  const entered = await fetch("/authenticate/login", { ...form({ Email: email, Password: password }), headers: from });
  expect(entered.status).toBe(403);
  expect(entered.headers.getSetCookie().join()).not.toContain("auth.token");
  expect((await as(Token)(readCustomer)).Firstname).toBe("Léa");
});

test("a page's form without Origin and Sec-Fetch-Site cannot use the cookie (CSRF)", async () => {
  const { Token } = await enter(call);
  const edit = form({ intent: "profile", Firstname: "Eve", Lastname: "Eve" });
  await fetch("/account/informations", { ...edit, headers: cookieOf(Token) });
  expect((await as(Token)(readCustomer)).Firstname).toBe("Léa");
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,x",
  "/..//evil.example",
  "/.//evil.example",
  "http:/\\evil.example",
])("after a sign-in loginGoTo=%j does not redirect to another site", async (goTo) => {
  const { email } = await enter(call);
  const path = `/authenticate/login?${new URLSearchParams({ loginGoTo: goTo })}`;
  const response = await fetch(path, { ...form({ Email: email, Password: password }), headers: own });
  expect(response.status).toBe(302);
  const location = response.headers.get("location") ?? "";
  expect(new URL(location, "http://localhost:3000").origin).toBe("http://localhost:3000");
  expect(location).toMatch(/^\/(?![/\\])/);
});

test("every personal page, response, refusal and redirect has no-store", async () => {
  const { Token } = await enter(call);
  for (const path of ["/", ...accountPages, "/en/account", "/api/customer", "/api/customer/nowhere"])
    for (const headers of [cookieOf(Token), {}]) {
      const { status, headers: answer } = await fetch(path, { headers });
      expect(answer.get("cache-control"), `${path} ${status}`).toBe("no-store");
    }
  const chosen = await fetch("/", { headers: { "accept-language": "de" } });
  expect(chosen.status).toBe(302);
  expect(chosen.headers.get("vary")).toBe("accept-language, cookie");
  const programme = await fetch("/api/loyalty/programme", { headers: cookieOf(Token) });
  expect(programme.headers.get("cache-control")).toContain("public");
  expect(programme.headers.get("vary")).toBe("accept-language, cookie, accept-encoding");
  expect(programme.headers.getSetCookie()).toEqual([]);
});

test.each([
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "%E0%A4%A",
  "fr\\r\\nx: y",
  "x".repeat(4_000),
  "%00",
  "de%00",
])("the unknown language %j, in cookie, header, field or path, falls back to French", async (code) => {
  const cookie = `i18n_redirected=${code}`;
  for (const path of ["/", "/loyalty", "/api/loyalty/programme", "/account"]) {
    const response = await fetch(path, { headers: { cookie, "accept-language": code } });
    expect([200, 302]).toContain(response.status);
    if (response.status === 302) expect(response.headers.get("location")).toMatch(/^\/authenticate\/login\?/);
  }
  const field = await fetch(`/api/customer?${new URLSearchParams({ LanguageIsoCode: code })}`);
  expect(await field.json()).toMatchObject({ detail: "Connectez-vous pour continuer." });
  const page = await fetch(`/${encodeURIComponent(code)}/account`);
  expect(page.status).toBe(404);
  expect(await page.text()).toContain('<html lang="fr"');
});

const knock = (path: string, address: string, headers: Record<string, string> = {}) =>
  limited.product.fetch(
    new Request(new URL(path, limited.settings.publicUrl), { ...form({ Email: freshEmail() }), headers }),
    { address },
  );
const freshAddress = () => `10.${[1, 2, 3].map(() => randomInt(256)).join(".")}`;

test("of 1 000 calls of email/available 60 succeed; the rest get 429 with Retry-After", async () => {
  const address = freshAddress();
  const statuses: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        knock("/api/customer/email/available", address, { "x-forwarded-for": `203.0.113.${n}` }),
      ),
    );
    for (const { status, headers } of answers) {
      statuses.push(status);
      if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(940);
});

test.each([
  "//api//customer/email/available",
  "/api//customer/email/available",
  "/api/customer/email/available/",
  "/API/customer/email/available",
  "/api/./customer/email/available",
  "/api/customer/../customer/email/available",
  "/%61pi/customer/email/available",
  "/api/customer%2femail/available",
  "/api/customer/email/available;x=1",
  "/en/api/customer/email/available",
  "/api/customer/email/available?x=1",
])("the spelling %s of a path does not bypass its rate limit", async (path) => {
  const address = freshAddress();
  for (let n = 0; n < 60; n += 1) await knock("/api/customer/email/available", address);
  expect([404, 429]).toContain((await knock(path, address, own)).status);
});

test("a request cannot split or forge a log line", async () => {
  const { Token } = await enter(call);
  const split = "x%0d%0a%7b%22level%22%3a%22forged%22%7d";
  lines.length = 0;
  await fetch(`/api/${split}`, { headers: { "user-agent": '"}\\n{"forged":1', "x-request-id": "forged" } });
  await fetch(`/${split}?${split}`, { method: "POST", headers: { ...own, "content-type": "forged" }, body: "forged" });
  await fetch("/account", { headers: { traceparent: "forged", "accept-language": "forged", ...cookieOf(Token) } });
  await as(Token)(editCustomer, { Firstname: "forged", Lastname: '{"forged":1}' });
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) {
    expect(line.trimEnd()).not.toContain("\n");
    expect(JSON.parse(line)).not.toHaveProperty("forged");
    expect(line).not.toContain("forged");
  }
});

test("a well-formed trace id is logged", async () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  lines.length = 0;
  await fetch("/api/loyalty/programme", { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } });
  await fetch("/loyalty", { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } });
  expect(lines.map((line) => JSON.parse(line).traceId)).toEqual([trace, trace]);
});

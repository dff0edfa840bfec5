import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import pino from "pino";
import { afterAll, afterEach, expect, test } from "vitest";
import { openTestProduct } from "#testing/product.server.ts";

const clientDir = mkdtempSync(join(tmpdir(), "cercle-client-"));
afterAll(() => rmSync(clientDir, { recursive: true }));
for (const folder of [".vite", "assets"]) mkdirSync(join(clientDir, folder));
for (const file of [".vite/manifest.json", ".vite/manifest.json.br", "assets/a.js", "assets/a.js.br", "favicon.svg"])
  writeFileSync(join(clientDir, file), "as built");

const faults: string[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    faults.push(String(chunk));
    done();
  },
});
const { fetch } = await openTestProduct({}, { clientDir, log: pino({ level: "error" }, sink) });
/** An attack must not log an error. */
afterEach(() => expect(faults.splice(0)).toEqual([]));

const encodings = { "accept-encoding": "gzip, deflate, br, zstd" };

test("a built file is served compressed, with an immutable cache header", async () => {
  const { status, headers } = await fetch("/assets/a.js", { headers: encodings });
  expect(status).toBe(200);
  expect(headers.get("content-encoding")).toBe("br");
  expect(headers.get("cache-control")).toContain("immutable");
});

test.each(["/assets/nowhere.js", "/assets/", "/assets/a", "/assets/a.js/b", "/assets/%"])(
  "the unknown file %s is a plain 404 with no-store",
  async (path) => {
    for (const method of ["GET", "HEAD", "POST"]) {
      const response = await fetch(path, { method, headers: encodings });
      expect(response.status, method).toBe(404);
      expect(response.headers.get("content-encoding")).toBeNull();
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("content-type")).toContain("application/problem+json");
      if (method !== "HEAD") expect(await response.json()).toMatchObject({ status: 404, code: "not_found" });
    }
  },
);

test.each([
  "/.vite/manifest.json",
  "/.vite/manifest.json.br",
  "/.vite/",
  "//.vite/manifest.json",
  "/%2evite/manifest.json",
  "/assets/../.vite/manifest.json",
  "/assets/..%2f.vite/manifest.json",
])("the build's own files are not served at %s", async (path) => {
  const response = await fetch(`http://localhost:3000${path}`, { headers: { "accept-encoding": "identity" } });
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain("as built");
});

test.each([
  "/%00",
  "/en/%00/account",
  "/loyalty?x=%00",
  "/authenticate/login?loginGoTo=%00",
  "/account/autologin?email=%00&token=%00",
  "/reinitialiser?token=%00",
  "/account/email?token=%00",
  "/api/%00",
  "/api/loyalty/history?Cursor=%00",
  "/api/loyalty/wallet/apple/v1/devices/%00/registrations/pass.example.cercle.sandbox",
  "/api/loyalty/wallet/apple/v1/devices/x/registrations/pass.example.cercle.sandbox?passesUpdatedSince=%00",
  "/api/loyalty/wallet/apple/v1/passes/%00/%00",
  "/sandbox/mailbox.json?to=%00",
  "/sandbox/mailbox.json?to=a%00@exemple.fr",
  "/sandbox/mailbox?letter=%00",
  "/sandbox/google/authorize?client_id=%00",
  "/sandbox/facebook/me?access_token=%00",
  "/sandbox/wallet/google/save/%00",
  "/assets/%00.js",
  "/favicon.svg%00",
  "/healthz?%00",
])("a NUL in %s is refused with 4xx", async (path) => {
  for (const method of ["GET", "POST", "DELETE"]) {
    const response = await fetch(path, { method, headers: { "sec-fetch-site": "same-origin" } });
    expect([400, 404], `${method} ${response.status}`).toContain(response.status);
  }
});

test.each([
  "/en//evil.example/x",
  "//evil.example/x",
  "///evil.example/x",
  "/fr//evil.example",
  "/de/\\evil.example",
  "/en/.//evil.example",
  "/en/%2F/evil.example",
  "//",
  "/en//",
  "//account",
  "/en//account",
  "//account/autologin?email=a@b.fr&token=x",
  "//authenticate/login",
  "/en//authenticate/login?loginGoTo=//evil.example",
  "//reinitialiser?token=x",
  "//password/reset",
])("no link, form or redirect of %s leads to another site", async (path) => {
  const site = "http://localhost:3000";
  for (const init of [{}, { method: "POST", headers: { "sec-fetch-site": "same-origin" } }]) {
    const response = await fetch(site + path, init);
    const html = (await response.text()).replaceAll("&amp;", "&");
    const places = [...html.matchAll(/ (?:href|action|src|content)="((?:https?:|\/|\\)[^"]*)"/g)].map(
      ([, place]) => place,
    );
    const { headers } = response;
    for (const place of [...places, headers.get("location") ?? "/"])
      expect(new URL(place ?? "", site + path).origin, place).toBe(site);
  }
});

test("a path that cannot be decoded is a 404, and nothing is printed", async () => {
  const printed: string[] = [];
  const { warn } = console;
  console.warn = (...words) => printed.push(words.join(" "));
  try {
    for (const path of ["/%", "/en/%E0%A4%A/account", "/de/100%"]) {
      const response = await fetch(path);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain("Page Not Found");
    }
  } finally {
    console.warn = warn;
  }
  expect(printed).toEqual([]);
});

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSettings, settingNames, settingWarnings } from "./settings.server.ts";

const real = { SMTP_URL: "smtp://mail.example", MAIL_FROM: "a@b.example", SHOP_URL: "https://shop.example" };

test("with nothing set, the sandbox is on and the address is this machine's", () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({ port: 3000, host: "127.0.0.1", sandbox: true, workers: 1, logLevel: "info" });
  expect(settings.publicUrl.href).toBe("http://localhost:3000/");
});

test.each([
  ["PORT", "eighty"],
  ["PORT", "70000"],
  ["PUBLIC_URL", "cercle.example"],
  ["PUBLIC_URL", "ftp://cercle.example"],
  ["DATABASE_URL", "mysql://localhost/x"],
  ["REPLICA_URL", "postgresql://localhost/without-a-primary"],
  ["WORKERS", "0"],
  ["SMTP_URL", "http://localhost"],
  ["RATE_LIMITS", "maybe"],
  ["LOG_LEVEL", "loud"],
  ["MAIL_FROM", "x"],
  ["MAIL_FROM", "a@b.example, c@d.example"],
  ["PUBLIC_URL", "https://cercle.example/account"],
  ["DATABASE_POOL", "1"],
  ["PIN_KEY_FILE", "/nowhere/pin"],
  ["FACEBOOK_SDK_VERSION", "2"],
])("a bad %s (%s) stops the start with one line that names it and does not repeat the value", (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(name);
  expect(() => readSettings({ [name]: value })).not.toThrow(/\n/);
});

test("the sandbox is off when either address is not this machine's own", () => {
  expect(readSettings({ ...real, HOST: "0.0.0.0" }).sandbox).toBe(false);
  expect(readSettings({ ...real, PUBLIC_URL: "https://club.example" }).sandbox).toBe(false);
  expect(readSettings({ ...real, PUBLIC_URL: "https://localhost.evil.example" }).sandbox).toBe(false);
  expect(readSettings({ HOST: "0.0.0.0", SANDBOX: "on" }).sandbox).toBe(true);
});

const database = "postgresql://db.example/cercle";

test.each([
  { DATABASE_URL: database },
  { TRUST_PROXY: "on" },
  { NODE_ENV: "production" },
  { HOST: "0.0.0.0" },
  { PUBLIC_URL: "https://club.example" },
  // As it was deployed once, with the public address forgotten.
  { NODE_ENV: "production", DATABASE_URL: database, WORKERS: "2", TRUST_PROXY: "on" },
] as Record<string, string>[])("with %j the sandbox is off, and the start says how it is turned on", (given) => {
  expect(readSettings({ ...real, ...given })).toMatchObject({
    sandbox: false,
    google: undefined,
    sandboxName: undefined,
  });
  expect(() => readSettings(given)).toThrow(
    /^The setting SMTP_URL is missing: .*sandbox is off because of .*SANDBOX=on/,
  );
  expect(() => readSettings(given)).not.toThrow(/\n/);
  expect(readSettings({ ...given, SANDBOX: "on" }).sandbox).toBe(true);
});

test.each([{}, { TRUST_PROXY: "off" }, { NODE_ENV: "development" }, { NODE_ENV: "test" }, { DATABASE_URL: "" }])(
  "with %j the sandbox stays on",
  (given) => {
    expect(readSettings(given).sandbox).toBe(true);
  },
);

test("the sandbox works under the public name only when it was turned on explicitly", () => {
  expect(readSettings({}).sandboxName).toBeUndefined();
  expect(readSettings({ PUBLIC_URL: "https://club.example", SANDBOX: "on" }).sandboxName).toBe("club.example");
});

test("a command needs no mail server and no shop", () => {
  expect(readSettings({ DATABASE_URL: database }, { serves: false })).toMatchObject({ sandbox: false });
});

test("social providers are the sandbox's by default, none without it, and the real ones once an app is named", () => {
  const sandboxed = readSettings({ PORT: "3100" });
  expect(sandboxed.google).toMatchObject({
    issuer: "http://localhost:3100/sandbox/google",
    clientId: "cercle.sandbox",
  });
  expect(sandboxed.facebook).toMatchObject({ sdkUrl: "/sandbox/facebook/sdk.js", sdkVersion: "v2.10" });
  const off = { ...real, SANDBOX: "off" };
  expect(readSettings(off)).toMatchObject({ google: undefined, facebook: undefined });
  const named = readSettings({ ...off, GOOGLE_CLIENT_ID: "ours", FACEBOOK_APP_ID: "4", FACEBOOK_APP_SECRET: "s" });
  expect(named.google).toEqual({
    issuer: "https://accounts.google.com",
    clientId: "ours",
    scriptUrl: "https://accounts.google.com/gsi/client",
  });
  expect(named.facebook).toMatchObject({ appId: "4", graphUrl: "https://graph.facebook.com", sdkVersion: "v2.10" });
});

test.each([
  [{ GOOGLE_ISSUER: "https://issuer.example" }, "GOOGLE_CLIENT_ID"],
  [{ FACEBOOK_APP_ID: "4" }, "FACEBOOK_APP_SECRET"],
  [{ FACEBOOK_APP_SECRET: "s" }, "FACEBOOK_APP_ID"],
  [{ FACEBOOK_SDK_URL: "https://sdk.example/sdk.js" }, "FACEBOOK_APP_ID"],
])("half a social provider (%j) stops the start and names %s", (given, missing) => {
  expect(() => readSettings({ ...real, SANDBOX: "off", ...given })).toThrow(`${missing} is missing`);
});

test("a wallet's key without the issuer it signs for stops the start", () => {
  expect(() => readSettings({ GOOGLE_WALLET_KEY_FILE: "key.json" })).toThrow("GOOGLE_WALLET_ISSUER_ID");
});

test("of Apple Wallet's five settings, some without the others stop the start", () => {
  expect(() => readSettings({ APPLE_WALLET_TEAM_ID: "ABCDE12345" })).toThrow("APPLE_WALLET_PASS_TYPE_ID");
});

test.each([
  [{ LOG_LEVEL: "loud", FACEBOOK_SDK_VERSION: "2" }, "FACEBOOK_SDK_VERSION"],
  [{ GOOGLE_WALLET_API_URL: "none", PORT: "eighty" }, "PORT"],
  [{ FACEBOOK_APP_ID: "4", APPLE_WALLET_TEAM_ID: "ABCDE12345" }, "APPLE_WALLET_PASS_TYPE_ID"],
  [{ WORKERS: "2", GOOGLE_WALLET_KEY_FILE: "key.json" }, "WORKERS"],
])("of the bad settings %j the start names %s", (given, first) => {
  expect(() => readSettings(given as Record<string, string>)).toThrow(first);
});

test("the company's provider needs its client, its domains and a mapping; without passwords an emergency owner", () => {
  const provider = {
    ...{ STAFF_SSO_ISSUER: "https://login.example/x/", STAFF_SSO_CLIENT_ID: "cercle", STAFF_SSO_CLIENT_SECRET: "s" },
    ...{ STAFF_SSO_DOMAINS: "Example.com, example.fr", STAFF_SSO_ROLES: '{"a":"owner","b":"shop:3"}' },
  };
  expect(readSettings(provider).companyAccount).toMatchObject({
    ...{ issuer: "https://login.example/x/", domains: ["example.com", "example.fr"], required: false, claim: "groups" },
    roles: { a: { role: "owner", shopId: null }, b: { role: "shop", shopId: 3 } },
  });
  for (const name of ["STAFF_SSO_CLIENT_SECRET", "STAFF_SSO_DOMAINS", "STAFF_SSO_ROLES"])
    expect(() => readSettings({ ...provider, [name]: "" })).toThrow(name);
  for (const roles of ["owner", '{"a":"admin"}', '{"a":"shop"}', '{"a":"owner:3"}', '{"a":"shop:x"}'])
    expect(() => readSettings({ ...provider, STAFF_SSO_ROLES: roles })).toThrow("STAFF_SSO_ROLES");
  expect(() => readSettings({ ...provider, STAFF_SSO: "required" })).toThrow("STAFF_SSO_EMERGENCY_OWNER");
  const served = { SMTP_URL: "smtp://mail.example", MAIL_FROM: "a@b.example", SHOP_URL: "https://shop.example" };
  const insecure = { ...provider, ...served, SANDBOX: "off", STAFF_SSO_ISSUER: "http://login.example" };
  expect(() => readSettings(insecure)).toThrow("https");
  expect(readSettings({ ...served, SANDBOX: "off" }).companyAccount).toBeUndefined();
});

test("several workers need a database that serves several", () => {
  expect(() => readSettings({ WORKERS: "2" })).toThrow("WORKERS");
});

test(".env.example lists every setting and nothing else", () => {
  const listed = readFileSync(".env.example", "utf8").match(/^#? ?([A-Z_]+)=/gm) ?? [];
  expect(listed.map((line) => line.replace(/[#= ]/g, "")).sort()).toEqual([...settingNames].sort());
});

test("a secret may be in a file, and not in both places", () => {
  const path = join(mkdtempSync(join(tmpdir(), "cercle-secret-")), "database");
  writeFileSync(path, "postgresql://cercle:secret@db.example/cercle\n");
  expect(readSettings({ ...real, DATABASE_URL_FILE: path }).databaseUrl).toBe(
    "postgresql://cercle:secret@db.example/cercle",
  );
  expect(() => readSettings({ ...real, DATABASE_URL_FILE: path, DATABASE_URL: database })).toThrow("only one");
  writeFileSync(path, "\n");
  expect(() => readSettings({ ...real, DATABASE_URL_FILE: path })).toThrow("is empty");
});

test("a name that nearly is a setting's and a wallet's missing key are reported in one line each", () => {
  expect(settingWarnings({ DATABSE_URL: "x", TRUST_PROXI: "on", HOSTNAME: "a", SHELL: "b", LOGNAME: "c" })).toEqual([
    "There is no setting DATABSE_URL: is DATABASE_URL meant?",
    "There is no setting TRUST_PROXI: is TRUST_PROXY meant?",
  ]);
  expect(settingWarnings({ GOOGLE_WALLET_KEY_FILE: "/nowhere/key.json" })).toEqual([
    "The file of the setting GOOGLE_WALLET_KEY_FILE cannot be read (ENOENT): that wallet is not offered.",
  ]);
});

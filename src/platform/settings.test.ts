import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSettings, settingNames } from "./settings.server.ts";

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
  ["WORKERS", "0"],
  ["SMTP_URL", "http://localhost"],
  ["RATE_LIMITS", "maybe"],
  ["LOG_LEVEL", "loud"],
  ["FACEBOOK_SDK_VERSION", "2"],
])("a bad %s (%s) stops the start with one line that names it and does not repeat the value", (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(name);
  expect(() => readSettings({ [name]: value })).not.toThrow(/\n/);
});

test("the sandbox is off when either address is not this machine's own", () => {
  const mail = { SMTP_URL: "smtp://mail.example", MAIL_FROM: "a@b.example", SHOP_URL: "https://shop.example" };
  expect(readSettings({ ...mail, HOST: "0.0.0.0" }).sandbox).toBe(false);
  expect(readSettings({ ...mail, PUBLIC_URL: "https://club.example" }).sandbox).toBe(false);
  expect(readSettings({ ...mail, PUBLIC_URL: "https://localhost.evil.example" }).sandbox).toBe(false);
  expect(readSettings({ HOST: "0.0.0.0", SANDBOX: "on" }).sandbox).toBe(true);
});

test("without the sandbox a mail server is needed", () => {
  expect(() => readSettings({ HOST: "0.0.0.0" })).toThrow("SMTP_URL");
});

test("a wallet's key without the issuer it signs for stops the start", () => {
  expect(() => readSettings({ GOOGLE_WALLET_KEY_FILE: "key.json" })).toThrow("GOOGLE_WALLET_ISSUER_ID");
});

test("several workers need a database that serves several", () => {
  expect(() => readSettings({ WORKERS: "2" })).toThrow("WORKERS");
});

test(".env.example lists every setting and nothing else", () => {
  const listed = readFileSync(".env.example", "utf8").match(/^#? ?([A-Z_]+)=/gm) ?? [];
  expect(listed.map((line) => line.replace(/[#= ]/g, "")).sort()).toEqual([...settingNames].sort());
});

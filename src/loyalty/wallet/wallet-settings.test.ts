import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportPKCS8, generateKeyPair, importJWK, type JWK, jwtVerify } from "jose";
import { afterAll, expect, test } from "vitest";
import { pagePaths } from "#identity/paths.ts";
import { readLoyalty, readWallets, saveToGoogle, subscribe } from "#loyalty/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { storedKey } from "#platform/database/keys/stored-keys.server.ts";
import { openTestClub, refusalOf } from "#testing/club.server.ts";

const folder = mkdtempSync(join(tmpdir(), "cercle-wallet-"));
afterAll(() => rmSync(folder, { recursive: true }));
const withoutSandbox = {
  MAIL_FROM: "club@cercle.example",
  SMTP_URL: "smtp://127.0.0.1:1",
  SHOP_URL: "https://shop.example",
};

const sandbox = await openTestClub();
const off = await openTestClub({ ...withoutSandbox, SANDBOX: "off" });
const lateKey = join(folder, "late.json");
const late = await openTestClub({ GOOGLE_WALLET_ISSUER_ID: "338", GOOGLE_WALLET_KEY_FILE: lateKey });

async function addMember(club: typeof sandbox) {
  const member = await club.addCustomer();
  await member.call(subscribe);
  return member;
}

test("with the sandbox the link opens the sandbox's wallet, which shows the pass in the visitor's language and its updates", async () => {
  const { call, id } = await addMember(sandbox);
  const { Card } = await call(readLoyalty);
  const { SaveUrl } = await call(saveToGoogle);
  const [, path = ""] = SaveUrl.split("http://localhost:3000");
  expect(path).toMatch(/^\/sandbox\/wallet\/google\/save\//);
  const page = async (language: string) =>
    (await sandbox.fetch(path, { headers: { "accept-language": language } })).text();
  const first = await page("de");
  for (const words of ["Der Cercle", "Camille Laurent", "Punkte", "250", "Baumwolle", Card?.Number ?? "?"])
    expect(first).toContain(words);
  expect(first).toContain("Noch keine Benachrichtigung");
  await credit(sandbox.database, {
    customerId: id,
    points: 1_000,
    kind: "grant",
    cause: "grant:test",
    label: {},
    now: sandbox.clock.now,
  });
  await sandbox.runJobs();
  const second = await page("en");
  for (const words of ["The Cercle", "1,250", "Silk", "1 notification sent"]) expect(second).toContain(words);
});

test("the sandbox's wallet refuses links, assertions and updates that the product's key has not signed", async () => {
  const { call } = await addMember(sandbox);
  const { SaveUrl } = await call(saveToGoogle);
  const path = new URL(SaveUrl).pathname;
  const [head, body = "", signature] = path.split("/").at(-1)?.split(".") ?? [];
  const claims = JSON.parse(Buffer.from(body, "base64url").toString());
  claims.payload.loyaltyObjects[0].loyaltyPoints.balance.int = 1_000_000;
  const forged = [head, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
  const page = await sandbox.fetch(`/sandbox/wallet/google/save/${forged}`);
  expect(await page.text()).toContain("Ce lien ne vient pas de nous");
  const token = await sandbox.fetch("/sandbox/wallet/google/token", {
    method: "POST",
    body: new URLSearchParams({ assertion: forged }),
  });
  expect(token.status).toBe(400);
  const update = await sandbox.fetch("/sandbox/wallet/google/walletobjects/v1/loyaltyObject/x", {
    method: "PATCH",
    headers: { authorization: `Bearer ${path.split("/").at(-1)}` },
    body: "{}",
  });
  expect(update.status).toBe(401);
});

test("processes that start at once agree on one key, and its public half verifies the link", async () => {
  const { call } = await addMember(sandbox);
  const jwt = (await call(saveToGoogle)).SaveUrl.split("/").at(-1) ?? "";
  const jwk = await storedKey<JWK>(sandbox.database, "google-wallet", () => Promise.reject(new Error("made twice")));
  const key = await importJWK({ kty: "RSA", n: jwk.n ?? "", e: jwk.e ?? "" }, "RS256");
  await expect(jwtVerify(jwt, key, { audience: "google" })).resolves.toBeTruthy();
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, n) => storedKey(sandbox.database, "race", async () => ({ n }))),
  );
  expect(new Set(made.map(({ n }) => n)).size).toBe(1);
});

test("without a key only the wallet call gives 503, in the caller's language, and the page offers no wallet", async () => {
  const { as, call } = await addMember(off);
  expect(await refusalOf(as("en")(saveToGoogle))).toEqual({
    status: 503,
    code: "not_configured",
    detail: "This service is not available here.",
  });
  expect((await call(readLoyalty)).LoyaltyCustomerState).toBe(true);
  expect(await call(readWallets)).toMatchObject({ Google: false });
  expect(await sandbox.call(readWallets)).toMatchObject({
    Google: true,
    Url: `http://localhost:3000${pagePaths.memberPage}`,
    QrSvg: expect.stringMatching(/^<svg /),
  });
});

test("a missing or invalid key file gives 503 until it is valid; nothing else fails", async () => {
  const { call } = await addMember(late);
  expect(await refusalOf(call(saveToGoogle))).toMatchObject({ status: 503, code: "not_configured" });
  for (const broken of ["", "{}", '{"client_email":"a@b.example","private_key":"none"}']) {
    writeFileSync(lateKey, broken);
    expect(await refusalOf(call(saveToGoogle))).toMatchObject({ status: 503, code: "not_configured" });
  }
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const account = { client_email: "wallet@club.example", private_key: await exportPKCS8(privateKey) };
  writeFileSync(lateKey, JSON.stringify(account));
  expect((await call(saveToGoogle)).SaveUrl).toContain("https://pay.google.com/gp/v/save/");
});

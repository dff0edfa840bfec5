import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { resetPassword, signInWithEmail, validateReset } from "#identity/calls.ts";
import { readLoyalty, readWallets, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { replaceCard } from "#loyalty/membership/replace-card.server.ts";
import { appleDevices, applePasses, appleSerials } from "#loyalty/wallet/wallet.tables.server.ts";
import { openTestClub, refusalOf } from "#testing/club.server.ts";
import { emailsTo, resetLinks } from "#testing/people.server.ts";
import { json, openTestPhones, unpack } from "#testing/services/phone.server.ts";
import { createAppleSigner } from "./apple-signer.server.ts";
import { maxDevicesPerPass } from "./apple-wallet.server.ts";
import { makeCertificates } from "./sandbox-certificates.server.ts";

const folder = mkdtempSync(join(tmpdir(), "cercle-apple-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const club = await openTestPhones();
const { database, clock, runJobs, addCustomer, addMember, addPhone, earn, fetch } = club;
const askForLink = resetLinks({ call: club.call, database, jobs: club.product.jobs });
const type = "pass.example.cercle.sandbox";

test("the pass is a store card with our mark, the number as Code 128, points and status, in three languages", async () => {
  const member = await addMember({ firstname: "Zoé", lastname: "O’Hara" });
  await earn(member.id, 900);
  const response = await member.download();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/vnd.apple.pkpass");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const files = unpack(Buffer.from(await response.arrayBuffer()));
  const { Card } = await member.call(readLoyalty);
  const pass = json(files, "pass.json");
  expect(pass).toMatchObject({
    formatVersion: 1,
    passTypeIdentifier: type,
    organizationName: "Cercle",
    logoText: "CERCLE",
    webServiceURL: "http://localhost:3000/api/loyalty/wallet/apple",
    barcodes: [{ format: "PKBarcodeFormatCode128", message: Card?.Number, altText: Card?.Number }],
    storeCard: {
      headerFields: [{ key: "points", value: 1_150, label: "wallet.points" }],
      secondaryFields: [
        { key: "status", value: "tier" },
        { key: "member", value: "Zoé O’Hara" },
      ],
    },
  });
  expect(pass.authenticationToken).toMatch(/^[\w-]{43}$/);
  for (const [language, points, tier] of [
    ["fr", "Points", "Soie"],
    ["en", "Points", "Silk"],
    ["de", "Punkte", "Seide"],
  ]) {
    const strings = files.get(`${language}.lproj/pass.strings`)?.toString() ?? "";
    expect(strings).toContain(`"wallet.points" = "${points}"`);
    expect(strings).toContain(`"tier" = "${tier}"`);
    expect(strings).toMatch(/"wallet.pointsChanged" = ".*%@.*"/);
  }
  for (const name of ["icon.png", "icon@2x.png", "icon@3x.png", "logo.png", "logo@2x.png"])
    expect(files.get(name)?.subarray(1, 4).toString(), name).toBe("PNG");
});

test("the manifest names every file by its hash, and openssl verifies the signature over it", async ({ skip }) => {
  const member = await addMember();
  const files = unpack(Buffer.from(await (await member.download()).arrayBuffer()));
  const manifest: Record<string, string> = json(files, "manifest.json");
  const signed = [...files.keys()].filter((name) => !["manifest.json", "signature"].includes(name));
  expect(Object.keys(manifest).sort()).toEqual(signed.sort());
  for (const name of signed)
    expect(manifest[name], name).toBe(
      createHash("sha1")
        .update(files.get(name) ?? "")
        .digest("hex"),
    );
  if (spawnSync("openssl", ["version"]).error)
    return skip("openssl is not on this machine: the signature was not verified");
  const signer = await createAppleSigner({ settings: club.settings, database })();
  const authority = file("authority.pem", signer?.authority ?? "");
  const signature = file("signature", files.get("signature") ?? "");
  const verify = (content: string) =>
    spawnSync("openssl", [
      "cms",
      "-verify",
      "-inform",
      "DER",
      "-binary",
      "-in",
      signature,
      "-content",
      content,
      "-CAfile",
      authority,
      "-purpose",
      "any",
    ]);
  expect(verify(file("manifest.json", files.get("manifest.json") ?? "")).stderr.toString()).toMatch(/successful/);
  expect(verify(file("forged.json", "{}")).status).not.toBe(0);
  // The certificate names the pass type, like Apple's.
  const certificate = file("certificate.pem", signer?.certificate ?? "");
  const subject = execFileSync("openssl", ["x509", "-in", certificate, "-noout", "-subject"]).toString();
  expect(subject).toContain(type);
});

test("a phone registers, asks for changes, fetches the pass and unregisters, by Apple's protocol", async () => {
  const member = await addMember();
  const phone = await addPhone(member);
  expect((await phone.register()).status).toBe(201);
  expect((await phone.register("push-2")).status).toBe(200);
  expect(await database.select().from(appleDevices).where(eq(appleDevices.customerId, member.id))).toMatchObject([
    { deviceId: phone.device, pushToken: "push-2" },
  ]);
  const first = await (await phone.changes()).json();
  expect(first).toEqual({ serialNumbers: [phone.pass.serialNumber], lastUpdated: expect.stringMatching(/^\d+$/) });
  expect((await phone.changes(first.lastUpdated)).status).toBe(204);
  const fetched = await phone.latest();
  const known = fetched.headers.get("last-modified") ?? "";
  expect((await phone.latest({ "if-modified-since": known })).status).toBe(304);

  // Two changes within one second are two changes.
  for (const [points, balance] of [
    [10, 260],
    [20, 280],
  ] as const) {
    const before = await (await phone.changes()).json();
    const seen = (await phone.latest()).headers.get("last-modified") ?? "";
    await earn(member.id, points);
    await runJobs();
    const after = await phone.changes(before.lastUpdated);
    expect(await after.json()).toMatchObject({ serialNumbers: [phone.pass.serialNumber] });
    const latest = await phone.latest({ "if-modified-since": seen });
    expect(latest.status).toBe(200);
    const pass = json(unpack(Buffer.from(await latest.arrayBuffer())), "pass.json");
    expect(pass.storeCard.headerFields[0].value).toBe(balance);
  }
  expect((await phone.unregister()).status).toBe(200);
  expect((await phone.changes()).status).toBe(204);
});

test("without the pass's authentication token nothing is shown and nothing changes", async () => {
  const member = await addMember();
  const phone = await addPhone(member);
  const other = await addPhone(await addMember(), "device-2");
  for (const headers of [
    { authorization: "ApplePass wrong" },
    { authorization: `Bearer ${member.token}` },
    other.headers,
  ]) {
    expect((await phone.register("push", headers)).status).toBe(401);
    expect((await phone.latest(headers)).status).toBe(401);
    expect((await phone.unregister(headers)).status).toBe(401);
  }
  expect(await database.select().from(appleDevices).where(eq(appleDevices.customerId, member.id))).toEqual([]);
  for (const serial of ["none", "00000000-0000-4000-8000-000000000000"])
    expect((await fetch(`${phone.base}/passes/${type}/${serial}`, { headers: phone.headers })).status).toBe(401);
  expect((await fetch(`${phone.base}/passes/pass.else/${phone.pass.serialNumber}`)).status).toBe(404);
  expect((await phone.register("x".repeat(300))).status).toBe(400);
  for (const body of ['{"logs":["a\\r\\nb"]}', "nonsense", '{"logs":"x"}'])
    expect((await fetch(`${phone.base}/log`, { method: "POST", body })).status).toBe(200);
});

test("leaving voids the pass, and erasure deletes every row that refers to the person", async () => {
  const member = await addMember();
  const phone = await addPhone(member);
  await phone.register();
  await member.call(unsubscribe);
  await runJobs();
  expect(json(unpack(Buffer.from(await (await phone.latest()).arrayBuffer())), "pass.json").voided).toBe(true);
  await database.transaction((tx) => clubHooks({ publicUrl: "", now: () => clock.now }).erase(tx, member.id));
  await runJobs();
  expect((await phone.latest()).status).toBe(401);
  for (const table of [applePasses, appleSerials, appleDevices])
    expect(await database.select().from(table).where(eq(table.customerId, member.id))).toEqual([]);
});

test("after a password reset a pass on another phone shows nothing any more, and the owner's next one takes its place", async () => {
  const member = await addMember();
  const stranger = await addPhone(member, "phone of a stranger");
  await stranger.register();
  const Token = await askForLink(member.email);
  expect(await club.call(validateReset, { Token })).toMatchObject({ WalletPass: true });
  await club.call(resetPassword, { Token, Password: "nouveau-1", ConfirmPassword: "nouveau-1" });
  const email = (await emailsTo(database, member.email)).at(-1)?.content;
  expect(email?.text).toContain("Ajoutez-la de nouveau");

  await earn(member.id, 100);
  await runJobs();
  expect((await stranger.latest()).status).toBe(401);
  expect((await stranger.register()).status).toBe(401);
  expect((await stranger.changes()).status).toBe(204);
  expect(await database.select().from(appleDevices).where(eq(appleDevices.customerId, member.id))).toEqual([]);

  const { AuthData } = await club.call(signInWithEmail, { Email: member.email, Password: "nouveau-1" });
  const download = () => fetch("/api/loyalty/wallet/apple", { headers: { authorization: `Bearer ${AuthData.Token}` } });
  const owner = await addPhone({ ...member, download }, "phone of the owner");
  // The same serial number: a phone that holds the old pass replaces it.
  expect(owner.pass.serialNumber).toBe(stranger.pass.serialNumber);
  expect((await owner.register()).status).toBe(201);
  expect((await owner.latest()).status).toBe(200);
  expect((await stranger.latest()).status).toBe(401);
});

test(`a pass is on ${maxDevicesPerPass} devices at most: the oldest registration leaves, one at a time`, async () => {
  const member = await addMember();
  const names = Array.from({ length: maxDevicesPerPass + 5 }, (_, place) => `device ${place}`);
  const phones = await Promise.all(names.map((name) => addPhone(member, name)));
  const registered = async () =>
    (await database.select().from(appleDevices).where(eq(appleDevices.customerId, member.id)))
      .map(({ deviceId }) => deviceId)
      .sort();
  for (const phone of phones.slice(0, maxDevicesPerPass)) {
    clock.now = new Date(clock.now.getTime() + 1_000);
    await phone.register();
  }
  // A device that registers again is no longer the oldest.
  clock.now = new Date(clock.now.getTime() + 1_000);
  expect((await phones[0]?.register("push-2"))?.status).toBe(200);
  clock.now = new Date(clock.now.getTime() + 1_000);
  expect((await phones[maxDevicesPerPass]?.register())?.status).toBe(201);
  const expected = names.slice(0, maxDevicesPerPass + 1).filter((name) => name !== "device 1");
  expect(await registered()).toEqual(expected.sort());
  await Promise.all(phones.map((phone) => phone.register()));
  expect(await registered()).toHaveLength(maxDevicesPerPass);
  clock.now = new Date("2026-03-10T10:00:00Z");
});

test("a replaced card's new number reaches the pass; after a lost phone the pass shows nothing any more", async () => {
  const member = await addMember();
  const phone = await addPhone(member);
  await phone.register();
  const replace = (passesEnd: boolean) =>
    database.transaction((tx) =>
      replaceCard(tx, member.id, {
        locale: "fr",
        publicUrl: club.settings.publicUrl.origin,
        now: clock.now,
        passesEnd,
      }),
    );
  const { after } = await replace(false);
  await runJobs();
  const pass = json(unpack(Buffer.from(await (await phone.latest()).arrayBuffer())), "pass.json");
  expect(pass.barcodes[0].message).toBe(after);
  await replace(true);
  await runJobs();
  expect((await phone.latest()).status).toBe(401);
});

test("a tier that ends without any movement of points changes the pass", async () => {
  const member = await addMember();
  await earn(member.id, 1_000);
  const phone = await addPhone(member);
  await phone.register();
  const { lastUpdated } = await (await phone.changes()).json();
  clock.now = new Date("2027-03-11T23:40:00Z");
  await database.execute(sql`select graphile_worker.add_job('loyalty:wallet-review')`);
  await runJobs();
  expect((await phone.changes(lastUpdated)).status).toBe(200);
  clock.now = new Date("2026-03-10T10:00:00Z");
});

test("configured certificates sign the pass; missing or invalid ones give 503, and nothing else fails", async () => {
  const pems = await makeCertificates("pass.example.club", "ABCDE12345");
  const environment = {
    APPLE_WALLET_PASS_TYPE_ID: "pass.example.club",
    APPLE_WALLET_TEAM_ID: "ABCDE12345",
    APPLE_WALLET_CERT_FILE: join(folder, "late.pem"),
    APPLE_WALLET_KEY_FILE: file("key.pem", pems.key),
    APPLE_WALLET_WWDR_FILE: file("wwdr.pem", pems.authority),
  };
  const own = await openTestClub(environment);
  const member = await own.addCustomer();
  await member.call(subscribe);
  const download = () =>
    own.fetch("/api/loyalty/wallet/apple", { headers: { authorization: `Bearer ${member.token}` } });
  for (const broken of [undefined, "", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]) {
    if (broken !== undefined) file("late.pem", broken);
    const refused = await download();
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: "not_configured" });
  }
  expect((await member.call(readLoyalty)).LoyaltyCustomerState).toBe(true);
  file("late.pem", pems.certificate);
  const pass = json(unpack(Buffer.from(await (await download()).arrayBuffer())), "pass.json");
  expect(pass).toMatchObject({ passTypeIdentifier: "pass.example.club", teamIdentifier: "ABCDE12345" });

  const off = await openTestClub({
    SANDBOX: "off",
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "club@cercle.example",
    SHOP_URL: "https://shop.example",
  });
  const customer = await off.addCustomer();
  expect(await customer.call(readWallets)).toMatchObject({ Apple: false, Google: false });
  expect((await off.fetch("/api/loyalty/wallet/apple/v1/log", { method: "POST", body: "{}" })).status).toBe(503);
});

test("a customer who is no member has no pass", async () => {
  const { token } = await addCustomer();
  const response = await fetch("/api/loyalty/wallet/apple", { headers: { authorization: `Bearer ${token}` } });
  expect(await response.json()).toMatchObject({ status: 409, code: "not_a_member" });
  expect((await fetch("/api/loyalty/wallet/apple")).status).toBe(401);
  expect(await refusalOf(club.call(readLoyalty))).toMatchObject({ status: 401 });
});

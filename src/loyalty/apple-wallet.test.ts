import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openTestClub, refusalOf } from "../test-club.server.ts";
import { createApplePush } from "./apple-push.server.ts";
import { createAppleSigner, makeCertificates } from "./apple-signer.server.ts";
import { updateApplePass } from "./apple-wallet.server.ts";
import { readLoyalty, readWallets, subscribe, unsubscribe } from "./calls.ts";
import { credit } from "./ledger.server.ts";
import { clubHooks } from "./membership.server.ts";
import { appleDevices, applePasses, appleSerials } from "./wallet.tables.server.ts";

const folder = mkdtempSync(join(tmpdir(), "cercle-apple-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const club = await openTestClub();
const { database, clock, runJobs, addCustomer, fetch } = club;
const type = "pass.example.cercle.sandbox";

/** The files of a pass; it is packed without compression. */
function unpack(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(zip.length - 22 + 16);
  for (let count = zip.readUInt16LE(zip.length - 22 + 10); count > 0; count--) {
    const [size, name, extra, note] = [24, 28, 30, 32].map((offset, place) =>
      place === 0 ? zip.readUInt32LE(at + offset) : zip.readUInt16LE(at + offset),
    ) as [number, number, number, number];
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    files.set(zip.subarray(at + 46, at + 46 + name).toString(), zip.subarray(start, start + size));
    at += 46 + name + extra + note;
  }
  return files;
}

const json = (files: Map<string, Buffer>, name: string) => JSON.parse(files.get(name)?.toString() ?? "null");
const earn = (customerId: number, points: number) =>
  credit(database, { customerId, points, kind: "grant", cause: String(Math.random()), label: {}, now: clock.now });

async function addMember(facts: Parameters<typeof addCustomer>[0] = {}) {
  const member = await addCustomer(facts);
  await member.call(subscribe);
  const download = (from = club) =>
    from.fetch("/api/loyalty/wallet/apple", { headers: { authorization: `Bearer ${member.token}` } });
  return { ...member, download };
}

/** A phone with the member's pass in it, speaking Apple's protocol. */
async function addPhone(member: Awaited<ReturnType<typeof addMember>>, device = "device-1") {
  const pass = json(unpack(Buffer.from(await (await member.download()).arrayBuffer())), "pass.json");
  const base = `${new URL(pass.webServiceURL).pathname}/v1`;
  const registration = `${base}/devices/${device}/registrations/${pass.passTypeIdentifier}`;
  const headers = { authorization: `ApplePass ${pass.authenticationToken}` };
  return {
    pass,
    base,
    registration,
    headers,
    register: (pushToken = "push-1", sent = headers) =>
      fetch(`${registration}/${pass.serialNumber}`, {
        method: "POST",
        headers: { ...sent, "content-type": "application/json" },
        body: JSON.stringify({ pushToken }),
      }),
    unregister: (sent = headers) => fetch(`${registration}/${pass.serialNumber}`, { method: "DELETE", headers: sent }),
    changes: (since = "") => fetch(`${registration}${since && `?passesUpdatedSince=${since}`}`),
    latest: (more: Record<string, string> = {}) =>
      fetch(`${base}/passes/${type}/${pass.serialNumber}`, { headers: { ...headers, ...more } }),
  };
}

test("the pass is a store card with our mark, the number as Code 128, points and status, in three languages", async () => {
  const member = await addMember({ firstname: "Zoé", lastname: "O’Hara" });
  await earn(member.id, 900);
  const answer = await member.download();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/vnd.apple.pkpass");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const files = unpack(Buffer.from(await answer.arrayBuffer()));
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
  // The certificate says whose pass it is, as Apple's would.
  const certificate = file("certificate.pem", signer?.certificate ?? "");
  const subject = execFileSync("openssl", ["x509", "-in", certificate, "-noout", "-subject"]).toString();
  expect(subject).toContain(type);
});

test("a phone registers, asks what has changed, fetches it, and lets go, by Apple's own protocol", async () => {
  const member = await addMember();
  const phone = await addPhone(member);
  expect((await phone.register()).status).toBe(201);
  expect((await phone.register("push-2")).status).toBe(200);
  expect(await database.select().from(appleDevices).where(eq(appleDevices.customerId, member.id))).toMatchObject([
    { deviceId: "device-1", pushToken: "push-2" },
  ]);
  const first = await (await phone.changes()).json();
  expect(first).toEqual({ serialNumbers: [phone.pass.serialNumber], lastUpdated: expect.stringMatching(/^\d+$/) });
  expect((await phone.changes(first.lastUpdated)).status).toBe(204);
  const fetched = await phone.latest();
  const known = fetched.headers.get("last-modified") ?? "";
  expect((await phone.latest({ "if-modified-since": known })).status).toBe(304);

  // Twice within one second: each is a change of its own.
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

test("without the pass's own password nothing is told and nothing changes", async () => {
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

test("leaving voids the pass, and erasure leaves nothing that leads to the person", async () => {
  const member = await addMember();
  const phone = await addPhone(member);
  await phone.register();
  await member.call(unsubscribe);
  await runJobs();
  expect(json(unpack(Buffer.from(await (await phone.latest()).arrayBuffer())), "pass.json").voided).toBe(true);
  await database.transaction((tx) =>
    clubHooks({ publicUrl: "", now: () => clock.now }).erase(tx, member.id, member.email),
  );
  await runJobs();
  expect((await phone.latest()).status).toBe(401);
  for (const table of [applePasses, appleSerials, appleDevices])
    expect(await database.select().from(table).where(eq(table.customerId, member.id))).toEqual([]);
});

test("a status that lapses with the calendar alone changes the pass", async () => {
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

test("with certificates of one's own the pass bears them; missing or broken ones say 503, and nothing else minds", async () => {
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
  const stranger = await off.addCustomer();
  expect(await stranger.call(readWallets)).toMatchObject({ Apple: false, Google: false });
  expect((await off.fetch("/api/loyalty/wallet/apple/v1/log", { method: "POST", body: "{}" })).status).toBe(503);
});

test("who is no member has no pass", async () => {
  const { token } = await addCustomer();
  const answer = await fetch("/api/loyalty/wallet/apple", { headers: { authorization: `Bearer ${token}` } });
  expect(await answer.json()).toMatchObject({ status: 409, code: "not_a_member" });
  expect((await fetch("/api/loyalty/wallet/apple")).status).toBe(401);
  expect(await refusalOf(club.call(readLoyalty))).toMatchObject({ status: 401 });
});

test("phones are pushed over HTTP/2 with the pass's certificate, once per change; tokens that are gone are dropped", async () => {
  const pems = await makeCertificates(type, "ABCDE12345");
  const pushed: { token: string; topic: string; certificate: string }[] = [];
  let status = 200;
  const server = createSecureServer({
    cert: pems.certificate,
    key: pems.key,
    ca: pems.authority,
    requestCert: true,
    rejectUnauthorized: true,
  });
  server.on("stream", (stream, headers) => {
    const token = String(headers[":path"]).replace("/3/device/", "");
    // The client's certificate, as the connection showed it.
    const socket = stream.session?.socket as TLSSocket | undefined;
    const certificate = String(socket?.getPeerCertificate().subject.CN ?? "");
    if (status === 200) pushed.push({ token, topic: String(headers["apns-topic"]), certificate });
    stream.respond({ ":status": token === "gone" ? 410 : status });
    stream.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const signer = { ...pems, passTypeId: type, teamId: "ABCDE12345", trusted: true, tokenOf: () => "" };
  // Our stand-in's certificate names a pass, not a host; its authority is what is checked here.
  const push = createApplePush(async () => signer, { url, ca: pems.authority, checkHost: false });

  const member = await addMember();
  await (await addPhone(member, "device-1")).register("one");
  await (await addPhone(member, "device-2")).register("gone");
  await earn(member.id, 10);
  status = 500;
  await expect(updateApplePass(database, push, member.id, clock.now)).rejects.toThrow("The push service refused: 500");
  status = 200;
  for (let run = 0; run < 2; run++) await updateApplePass(database, push, member.id, clock.now);
  expect(pushed.map(({ token }) => token).sort()).toEqual(["gone", "one"]);
  expect(pushed[0]).toMatchObject({ topic: type, certificate: `Pass Type ID: ${type}` });
  expect(await database.select().from(appleDevices).where(eq(appleDevices.customerId, member.id))).toMatchObject([
    { pushToken: "one" },
  ]);
  server.close();
});

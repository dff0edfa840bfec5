import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { appleDevices } from "#loyalty/wallet/wallet.tables.server.ts";
import { openTestPhones } from "#testing/services/phone.server.ts";
import { createApplePush } from "./apple-push.server.ts";
import { updateApplePass } from "./apple-wallet.server.ts";
import { makeCertificates } from "./sandbox-certificates.server.ts";

const { database, clock, addMember, addPhone, earn } = await openTestPhones();
const type = "pass.example.cercle.sandbox";

test("phones are notified over HTTP/2 with the pass's certificate, once per change; invalid push tokens are deleted", async () => {
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
    // The client's certificate on this connection.
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
  // The test server's certificate names a pass, not a host; only its authority is checked.
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

test("while the push service does not respond, every connection of the pool is free", async () => {
  const member = await addMember();
  await (await addPhone(member)).register();
  await earn(member.id, 10);
  const pool = database.$client;
  let held: number[] = [];
  const push = async () => {
    held = [pool.totalCount - pool.idleCount, pool.waitingCount];
    return [];
  };
  await updateApplePass(database, push, member.id, clock.now);
  expect(held).toEqual([0, 0]);
});

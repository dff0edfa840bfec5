import { randomUUID } from "node:crypto";
import { subscribe } from "#loyalty/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { openTestClub } from "#testing/club.server.ts";

/** The files of a pass; it is packed without compression. */
export function unpack(zip: Buffer): Map<string, Buffer> {
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

export const json = (files: Map<string, Buffer>, name: string) => JSON.parse(files.get(name)?.toString() ?? "null");

/** The club, with members whose card is in Apple Wallet. For tests. */
export async function openTestPhones() {
  const club = await openTestClub();
  const { addCustomer, database, clock, fetch } = club;

  const earn = (customerId: number, points: number) =>
    credit(database, { customerId, points, kind: "grant", cause: String(Math.random()), label: {}, now: clock.now });

  async function addMember(facts: Parameters<typeof addCustomer>[0] = {}) {
    const member = await addCustomer(facts);
    await member.call(subscribe);
    const download = () => fetch("/api/loyalty/wallet/apple", { headers: { authorization: `Bearer ${member.token}` } });
    return { ...member, download };
  }

  /** A phone with the member's pass in it, speaking Apple's protocol. */
  async function addPhone(member: Awaited<ReturnType<typeof addMember>>, device: string = randomUUID()) {
    const pass = json(unpack(Buffer.from(await (await member.download()).arrayBuffer())), "pass.json");
    const base = `${new URL(pass.webServiceURL).pathname}/v1`;
    const registration = `${base}/devices/${device}/registrations/${pass.passTypeIdentifier}`;
    const headers = { authorization: `ApplePass ${pass.authenticationToken}` };
    return {
      device,
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
      unregister: (sent = headers) =>
        fetch(`${registration}/${pass.serialNumber}`, { method: "DELETE", headers: sent }),
      changes: (since = "") => fetch(`${registration}${since && `?passesUpdatedSince=${since}`}`),
      latest: (more: Record<string, string> = {}) =>
        fetch(`${base}/passes/${pass.passTypeIdentifier}/${pass.serialNumber}`, { headers: { ...headers, ...more } }),
    };
  }

  return { ...club, earn, addMember, addPhone };
}

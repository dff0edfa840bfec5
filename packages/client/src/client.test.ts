import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { expectInvariants } from "#testing/invariants.server.ts";
import { openTestShop } from "#testing/shop.server.ts";
import { createClient, KeyRefused, Refused, Unanswered, VoucherRefused } from "./client.ts";
import { fileStore } from "./node.ts";
import { createQueue, type Entry, type Store } from "./queue.ts";
import { verifyWebhook, WebhookRefused } from "./webhook.ts";

const { addMember, clock, database, fetch: fetchCercle, openShop, openWebShop, settings } = await openTestShop();

/** A client whose calls pass through `network`, and what it did between them. */
function connect(
  key: string,
  network: (send: () => Promise<Response>, call: number) => Promise<Response> = (send) => send(),
) {
  const seen = { calls: 0, waitsMs: [] as number[] };
  const client = createClient({
    ...{ url: settings.publicUrl.origin, key, attempts: 3, now: () => clock.now },
    fetch: (input, init) => {
      seen.calls += 1;
      return network(() => fetchCercle(String(input), init), seen.calls);
    },
    wait: async (milliseconds) => {
      seen.waitsMs.push(milliseconds);
    },
  });
  return { client, seen };
}
const cut = async (): Promise<Response> => {
  throw new TypeError("fetch failed");
};
const EUR = { Currency: "EUR" };
const sale = (ReceiptNumber: string, CardNumber?: string) => ({
  ...{ ReceiptNumber, SoldAt: clock.now, Lines: [{ Line: 1, Amount: "40.00" }], ...EUR },
  ...(CardNumber !== undefined && { CardNumber }),
});

test("a call without an answer is tried again, and counts once", async () => {
  const [shop, member] = [await openWebShop(), await addMember()];
  const { client, seen } = connect(shop.key, async (send, call) => {
    if (call === 1) {
      await send();
      return cut();
    }
    if (call > 2) return send();
    const problem = { type: "", title: "", status: 503, code: "unavailable", detail: "", instance: "", retryAfter: 7 };
    return Response.json(problem, { status: 503, headers: { "content-type": "application/problem+json" } });
  });
  expect((await client.purchase(sale("#1", member.card))).Points.Earned).toBe(40);
  expect(seen).toEqual({ calls: 3, waitsMs: [expect.any(Number), 7_000] });
  expect((await client.readPurchase({ ReceiptNumber: "#1" })).Lines).toMatchObject([{ Left: "40.00" }]);
});

test("an error says whether the same can be sent again, and which voucher it is about", async () => {
  const [shop, member] = [await openWebShop(), await addMember(250)];
  const { client } = connect(shop.key);
  const codes = [await member.obtain(), await member.obtain()];
  const refused = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: Refused) => error,
    );
  const invalid = await refused(client.purchase({ ...sale("#2"), Currency: "USD" }));
  expect(invalid).toMatchObject({ code: "currency_mismatch", status: 409, isFinal: true });
  expect(invalid).toBeInstanceOf(Refused);
  const boutique = await openShop();
  await connect(boutique.key).client.hold({ VoucherCodes: codes.slice(1), ReceiptNumber: "T-1" });
  const held = await refused(client.purchase({ ...sale("#2", member.card), VoucherCodes: codes }));
  expect(held).toBeInstanceOf(VoucherRefused);
  expect(held).toMatchObject({ voucherCode: codes[1], isFinal: false, retryAfterSeconds: expect.any(Number) });
  expect(await refused(connect("cercle_wrong_key").client.quote({ Amount: "1.00" }))).toBeInstanceOf(KeyRefused);
  const { client: alone, seen } = connect(shop.key, cut);
  expect(await refused(alone.quote({ Amount: "1.00", ...EUR }))).toBeInstanceOf(Unanswered);
  expect(seen.calls).toBe(3);
  // A proxy's page says nothing about a sale.
  const { client: behind } = connect(shop.key, async () => new Response("<h1>Not found</h1>", { status: 404 }));
  expect(await refused(behind.purchase(sale("#2")))).toMatchObject({ isFinal: false });
});

test("what is queued without a network survives a restart, and arrives once, a return after its sale", async () => {
  const [shop, member] = [await openWebShop(), await addMember()];
  const folder = mkdtempSync(join(tmpdir(), "cercle-queue-"));
  const store = fileStore(join(folder, "deep/queue.json"));
  let isUp = false;
  const { client, seen } = connect(shop.key, (send) => (isUp ? send() : cut()));
  const before = await createQueue(client, store, () => clock.now);
  await before.add("purchase", sale("#10", member.card));
  await before.add("purchase", { ...sale("#11"), Currency: "USD" });
  await before.add("amend", { ReceiptNumber: "#10", AmendNumber: 1, Lines: [{ Line: 1, Amount: "50.00" }], ...EUR });
  await before.add("return", {
    ...{ ReceiptNumber: "#10-R1", OriginalReceiptNumber: "#10", SoldAt: clock.now, ...EUR },
    Lines: [{ Line: "1", Amount: "30.00" }],
  });
  expect(await before.send()).toBe(false);
  expect(seen.calls).toBe(3);

  const queue = await createQueue(client, store);
  isUp = true;
  expect(await Promise.all([queue.send(), queue.send()])).toEqual([true, true]);
  expect(queue.entries().map(({ kind, state, problem }) => [kind, state, problem?.code])).toEqual([
    ["purchase", "done", undefined],
    ["purchase", "refused", "currency_mismatch"],
    ["amend", "done", undefined],
    ["return", "done", undefined],
  ]);
  // A batch of both sales, then the amendment, then the return.
  expect(seen.calls).toBe(3 + 3);
  expect((await client.readPurchase({ ReceiptNumber: "#10" })).Lines).toMatchObject([{ Left: "20.00" }]);
  await queue.forget(({ state }) => state === "done");
  expect(await store.read()).toMatchObject([{ kind: "purchase", state: "refused" }]);
  rmSync(folder, { recursive: true });
  await expectInvariants(database);
});

test("long receipts that have waited are sent in batches that Cercle takes", async () => {
  const shop = await openWebShop();
  const store: Store = { read: async () => [], write: async () => {} };
  const queue = await createQueue(connect(shop.key).client, store);
  const Lines = Array.from({ length: 200 }, (_, n) => ({
    Line: n + 1,
    Amount: "1.00",
    Codes: ["c".repeat(24), "d".repeat(24)],
  }));
  for (let n = 0; n < 60; n += 1) await queue.add("purchase", { ...sale(`#30-${n}`), Lines });
  expect(await queue.send()).toBe(true);
  expect(new Set(queue.entries().map(({ state }) => state))).toEqual(new Set(["done"]));
});

test("a return is not sent while its sale waits for a voucher that another receipt holds", async () => {
  const [shop, boutique, member] = [await openWebShop(), await openShop(), await addMember()];
  const VoucherCodes = [await member.obtain()];
  await connect(boutique.key).client.hold({ VoucherCodes, ReceiptNumber: "T-2" });
  const kept: Entry[] = [];
  const store: Store = { read: async () => kept, write: async () => {} };
  const queue = await createQueue(connect(shop.key).client, store);
  await queue.add("purchase", { ...sale("#20", member.card), VoucherCodes });
  await queue.add("return", { ReceiptNumber: "#20-R1", OriginalReceiptNumber: "#20", ...EUR });
  await queue.add("purchase", sale("#21"));
  expect(await queue.send()).toBe(false);
  expect(kept.map(({ state }) => state)).toEqual(["waiting", "waiting", "done"]);
  await connect(boutique.key).client.release({ VoucherCodes, ReceiptNumber: "T-2" });
  expect(await queue.send()).toBe(true);
  expect(kept.map(({ state }) => state)).toEqual(["done", "done", "done"]);
});

test("a webhook is taken with one of the secrets and a time that is near, as it was signed", async () => {
  const [secret, former] = ["whsec_dGhlIG5ldyBzZWNyZXQgb2YgdGhlIGVuZHBvaW50", "whsec_dGhlIGZvcm1lciBzZWNyZXQ="];
  const body = JSON.stringify({ type: "member.erased", timestamp: clock.now, data: { IdCustomer: "x" } });
  const headersOf = (signedWith: string, signedAt = clock.now) => ({
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(signedAt.getTime() / 1_000)),
    "webhook-signature": `v1a,xx v1,%% ${new Webhook(signedWith).sign("evt_1", signedAt, body)}`,
  });
  const verify = (headers: Record<string, string>, text = body, secrets = [secret, former]) =>
    verifyWebhook({ headers, body: text, secrets, now: clock.now });
  expect(await verify(headersOf(secret))).toMatchObject({ id: "evt_1", type: "member.erased" });
  expect(
    (await verifyWebhook({ headers: new Headers(headersOf(former)), body, secrets: [secret, former], now: clock.now }))
      .id,
  ).toBe("evt_1");
  const late = new Date(clock.now.getTime() - 6 * 60_000);
  for (const attack of [
    () => verify(headersOf(secret), body.replace("x", "y")),
    () => verify(headersOf(former), body, [secret]),
    () => verify(headersOf(secret, late)),
    () => verify({ ...headersOf(secret), "webhook-id": "evt_2" }),
    () => verify({ ...headersOf(secret), "webhook-timestamp": "now" }),
    () => verify({}),
  ])
    await expect(attack()).rejects.toBeInstanceOf(WebhookRefused);
});

test("only what is for Node imports it, and nothing imports a package", () => {
  for (const file of ["client", "money", "queue", "webhook", "node"]) {
    const source = readFileSync(new URL(`${file}.ts`, import.meta.url), "utf8");
    const imports = [...source.matchAll(/ from "([^"]+)"/g)].map(([, from = ""]) => from);
    expect(imports.filter((from) => !from.startsWith("./") && !(file === "node" && from.startsWith("node:")))).toEqual(
      [],
    );
  }
});

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readEvents } from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as calls from "./calls.ts";

const environment = { WEBHOOK_KEY: Buffer.alloc(32, 7).toString("base64") };
const { database, openOffice, openShop, runJobs } = await openTestOffice(environment);
const till = await openShop();
const owner = await openOffice("owner");

let received: { headers: IncomingHttpHeaders; body: string }[] = [];
let status = 200;
/** A partner's server. */
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(status).end("thank you");
  });
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});
const Url = `http://localhost:${(receiver.address() as AddressInfo).port}/hook`;

beforeEach(async () => {
  await database.execute(sql`
    truncate webhook_endpoint, webhook_delivery, webhook_attempt;
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs having count(*) > 0`);
  received = [];
  status = 200;
});

const add = async (more: object = {}) => {
  const added = await owner.call(calls.addEndpoint, { Url, OwnerEmail: "it@partner.example", ...more });
  return { ...added, IdEndpoint: String(added.IdEndpoint) };
};
const list = async () => (await owner.call(calls.listEndpoints)).Endpoints;
const log = async (asked: Parameters<typeof owner.call<typeof calls.listDeliveries>>[1] = {}) =>
  (await owner.call(calls.listDeliveries, asked)).Deliveries;
const sell = () => till.sell({ Amount: "10.00" });
const types = () => received.map(({ body }) => JSON.parse(body).type);

test("an endpoint is sent the events that it chose", async () => {
  const { IdEndpoint } = await add({ Events: "purchase.returned" });
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, Amount: "10.00" });
  await till.takeBack(ReceiptNumber);
  await runJobs();
  expect(types()).toEqual(["purchase.returned"]);
  expect(await list()).toMatchObject([{ Events: ["purchase.returned"], State: "active" }]);
  await owner.call(calls.chooseEvents, { IdEndpoint });
  await sell();
  await runJobs();
  expect(types()).toEqual(["purchase.returned", "purchase.posted"]);
  for (const Events of ["purchase.posted,everything", "webhook.test"])
    expect(await refusalOf(owner.call(calls.chooseEvents, { IdEndpoint, Events }))).toMatchObject({ code: "invalid" });
});

test("what happens while an endpoint is paused is sent when it is resumed", async () => {
  const { IdEndpoint } = await add();
  await owner.call(calls.pauseEndpoint, { IdEndpoint });
  expect(await refusalOf(owner.call(calls.pauseEndpoint, { IdEndpoint }))).toMatchObject({ code: "not_found" });
  await sell();
  await runJobs();
  expect(received).toEqual([]);
  expect(await list()).toMatchObject([{ State: "paused", Waiting: 1 }]);
  await owner.call(calls.resumeEndpoint, { IdEndpoint });
  await runJobs();
  expect(types()).toEqual(["purchase.posted"]);
});

test("a test event reaches one endpoint, signed, and no reader of events", async () => {
  const [{ IdEndpoint, Secret }] = [await add(), await add()];
  await owner.call(calls.sendTest, { IdEndpoint });
  await runJobs();
  expect(received).toHaveLength(1);
  const [{ headers, body }] = received as [(typeof received)[number]];
  expect(new Webhook(Secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: "webhook.test",
    data: { IdEndpoint: Number(IdEndpoint) },
  });
  const rotated = await owner.call(calls.rotateSecret, { IdEndpoint });
  await owner.call(calls.sendTest, { IdEndpoint });
  await runJobs();
  new Webhook(rotated.Secret).verify(received[1]?.body ?? "", received[1]?.headers as Record<string, string>);
  await database.execute(sql`update shop set kind = 'web' where id = ${till.shopId}`);
  const { Events } = await till.call(readEvents);
  expect(Events.map(({ Type }) => Type)).not.toContain("webhook.test");
});

test("a removed endpoint is sent nothing more, and cannot be changed", async () => {
  const { IdEndpoint } = await add();
  await sell();
  await owner.call(calls.removeEndpoint, { IdEndpoint });
  await runJobs();
  expect(received).toEqual([]);
  expect(await list()).toMatchObject([{ State: "removed", Waiting: 0 }]);
  const [stopped] = await log();
  expect(stopped).toMatchObject({ State: "stopped", Failed: false });
  const again = { IdDelivery: String(stopped?.IdDelivery) };
  for (const call of [
    () => owner.call(calls.sendTest, { IdEndpoint }),
    () => owner.call(calls.rotateSecret, { IdEndpoint }),
    () => owner.call(calls.pauseEndpoint, { IdEndpoint }),
    () => owner.call(calls.removeEndpoint, { IdEndpoint }),
    () => owner.call(calls.resend, again),
  ])
    expect(await refusalOf(call())).toMatchObject({ code: "not_found" });
});

test("the log has what failed first, page by page, and sends again", async () => {
  const { IdEndpoint } = await add();
  for (let n = 0; n < 53; n += 1) await sell();
  await runJobs();
  status = 500;
  for (let n = 0; n < 2; n += 1) await sell();
  await runJobs();
  await database.execute(sql`
    update webhook_delivery set state = 'dead', next_at = null where id = (select min(id) from webhook_delivery)`);
  const first = await owner.call(calls.listDeliveries, {});
  expect(first.Deliveries.slice(0, 4)).toMatchObject([
    { State: "waiting", Failed: true, Status: 500, Attempts: 1, Type: "purchase.posted" },
    { State: "waiting", Failed: true },
    { State: "dead", Failed: true },
    { State: "delivered", Failed: false, Status: 200, Error: null },
  ]);
  const rest = await owner.call(calls.listDeliveries, { Cursor: String(first.NextCursor) });
  expect(rest.NextCursor).toBeNull();
  const ids = [...first.Deliveries, ...rest.Deliveries].map(({ IdDelivery }) => IdDelivery);
  expect([ids.length, new Set(ids).size]).toEqual([55, 55]);
  expect(await log({ Show: "failed" })).toHaveLength(3);
  expect(await log({ Show: "delivered" })).toHaveLength(50);
  expect(await log({ IdEndpoint: "999999" })).toEqual([]);
  const csv = await (await owner.browse("/api/office/webhook/delivery/csv")).text();
  expect(csv.trim().split("\r\n")).toHaveLength(56);
  expect(await refusalOf(log({ Cursor: "2.5" }))).toMatchObject({ code: "invalid" });

  const IdDelivery = String(first.Deliveries[0]?.IdDelivery);
  expect(await owner.call(calls.readDelivery, { IdDelivery })).toMatchObject({
    Type: "purchase.posted",
    Payload: { Paid: "10.00" },
    Attempts: [{ Status: 500, Answer: "thank you" }],
  });
  status = 200;
  received = [];
  expect(await owner.call(calls.resend, { IdDelivery })).toEqual({ Sent: 1 });
  expect(await owner.call(calls.resend, { IdEndpoint })).toEqual({ Sent: 1 });
  expect(await refusalOf(owner.call(calls.resend, { IdEndpoint }))).toMatchObject({ code: "not_found" });
  expect(await refusalOf(owner.call(calls.resend, {}))).toMatchObject({ code: "invalid" });
  await runJobs();
  expect(received).toHaveLength(2);
  expect(await log({ Show: "failed" })).toHaveLength(1);
});

test("an address that must not be called is refused, and no secret of one stands in the audit log", async () => {
  for (const bad of ["ftp://partner.example/", "https://u:p@partner.example/", "http://10.0.0.1/hook", "hook"]) {
    const adding = owner.call(calls.addEndpoint, { Url: bad, OwnerEmail: "it@partner.example" });
    expect(await refusalOf(adding)).toMatchObject({ code: "invalid" });
  }
  await owner.call(calls.addEndpoint, {
    Url: "https://partner.example/hook?key=hidden",
    OwnerEmail: "it@partner.example",
  });
  const { rows } = await database.execute<{ text: string }>(
    sql`select after::text as text from audit_log where action = 'webhook_added' order by id desc limit 1`,
  );
  expect(rows[0]?.text).toContain("https://partner.example");
  expect(rows[0]?.text).not.toContain("hidden");
});

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import * as calls from "#shop/calls.ts";
import { addShop, createKey } from "#shop/keys/keys.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { addMember, as, clock, database, openShop, product } = await openTestShop();
const webShop = await addShop(database, { name: "Cercle en ligne", city: "Paris", kind: "web" });
const webKey = await createKey(database, { shopId: webShop, name: "Server", scopes: ["events"], now: clock.now });
const web = as(webKey);

/** Every event can be read: transactions of other databases on the same server, as of other tests, have ended. */
const settled = () =>
  expect
    .poll(
      async () =>
        (
          await database.execute<{ all: boolean }>(
            sql`select coalesce(max(xid) < pg_snapshot_xmin(pg_current_snapshot()), true) as all from webhook_event`,
          )
        ).rows[0]?.all,
      { timeout: 60_000, interval: 20 },
    )
    .toBe(true);

const readAll = async (call: typeof web) => {
  const ids: number[] = [];
  for (let After: string | undefined; ; ) {
    const { Events, NextAfter } = await call(calls.readEvents, After === undefined ? {} : { After });
    if (Events.length === 0) return ids;
    expect(Events.length).toBeLessThanOrEqual(100);
    ids.push(...Events.map(({ IdEvent }) => IdEvent));
    After = String(NextAfter);
  }
};

test("a shop reads its own events, a web shop all, page by page", async () => {
  const till = await openShop();
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "10.00" });
  await settled();
  const { Events, NextAfter } = await till.call(calls.readEvents, {});
  expect(Events).toMatchObject([
    { Type: "points.earned", Sequence: 3, Data: { IdCustomer: member.subject, ReceiptNumber } },
    { Type: "purchase.posted", Sequence: 4 },
  ]);
  expect(NextAfter).toBe(Events[1]?.IdEvent);
  const [first] = Events;
  expect((await till.call(calls.readEvents, { After: String(first?.IdEvent) })).Events).toEqual(Events.slice(1));
  expect(await till.call(calls.readEvents, { After: String(NextAfter) })).toEqual({ Events: [], NextAfter });
  for (let n = 0; n < 12; n += 1) await till.sell({ Amount: "10.00" });
  await database.execute(sql`select webhook_points_expiring(${member.id}, n, now()) from generate_series(1, 100) n`);
  await settled();
  const { rows } = await database.execute<{ id: string }>(sql`select id from webhook_event order by xid, id`);
  expect(await readAll(web)).toEqual(rows.map(({ id }) => Number(id)));
  // An id that is gone begins again; nothing is skipped.
  expect((await till.call(calls.readEvents, { After: "999999999" })).Events[0]).toEqual(first);
});

test("a key without the scope reads no events", async () => {
  const till = await openShop("Cercle Bastille", ["sell"]);
  expect(await refusalOf(till.call(calls.readEvents, {}))).toMatchObject({ code: "scope_missing" });
});

test("a late commit is never skipped, whichever of two transactions had its number first", async () => {
  for (const latestNumberFirst of [false, true]) {
    await database.execute(sql`select webhook_write('programme.changed', null, null, '{}')`);
    await settled();
    let position = String((await web(calls.readEvents, {})).NextAfter);
    for (;;) {
      const { Events, NextAfter } = await web(calls.readEvents, { After: position });
      position = String(NextAfter);
      if (Events.length === 0) break;
    }
    const [early, late] = [await database.$client.connect(), await database.$client.connect()];
    try {
      await early.query("begin; select pg_current_xact_id()");
      await late.query("begin; select pg_current_xact_id()");
      // Events of no one: two of one customer would wait for each other.
      const event = "select webhook_write('programme.changed', null, null, '{}')";
      if (latestNumberFirst) await late.query(event);
      await early.query(event);
      if (!latestNumberFirst) await late.query(event);
      const committed = latestNumberFirst ? early : late;
      await committed.query("commit");
      const seen = (await web(calls.readEvents, { After: position })).Events.map(({ IdEvent }) => IdEvent);
      const next = String(seen.at(-1) ?? position);
      await (committed === early ? late : early).query("commit");
      await settled();
      seen.push(...(await web(calls.readEvents, { After: next })).Events.map(({ IdEvent }) => IdEvent));
      expect(new Set(seen).size).toBe(2);
    } finally {
      early.release();
      late.release();
    }
  }
});

test("events are deleted after thirty days with their deliveries and attempts; the invariant keeps to what is left", async () => {
  const member = await addMember();
  await credit(database, {
    ...{ customerId: member.id, points: 5, kind: "grant", cause: "grant:old", label: {}, now: clock.now },
  });
  await database.execute(sql`
    insert into webhook_endpoint (url, secret, owner_email, created_at) values ('https://a.example', '', 'a@b.example', now());
    select webhook_points_expiring(${sql.raw(String(member.id))}, 1, now());
    insert into webhook_attempt (delivery_id, at, milliseconds) select id, now(), 1 from webhook_delivery;
    update webhook_event set at = now() - interval '31 days'`);
  expect((await web(calls.readEvents, {})).Events).toEqual([]);
  await product.jobs["shop:webhook-clean-up"]?.({}, database);
  const { rows } = await database.execute(sql`
    select (select count(*)::integer from webhook_event) + (select count(*)::integer from webhook_delivery)
      + (select count(*)::integer from webhook_attempt) as left_over`);
  expect(rows).toEqual([{ left_over: 0 }]);
});

import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { editCustomer } from "#identity/calls.ts";
import { claimReceipt, unsubscribe } from "#loyalty/calls.ts";
import { withdrawVersion } from "#loyalty/programme/versions/versions.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestShop } from "#testing/shop.server.ts";
import { eventTypes } from "./event-types.ts";

const { addCustomer, addMember, clock, database, openShop, product } = await openTestShop();
const hours = (count: number) => count * 3_600_000;
const job = (name: string) => product.jobs[name]?.({}, database);

interface Written extends Record<string, unknown> {
  id: string;
  type: string;
  customer_id: string | null;
  shop_id: number | null;
  sequence: string | null;
  payload: Record<string, unknown>;
}

async function lastId(): Promise<number> {
  const { rows } = await database.execute<{ id: string }>(sql`select coalesce(max(id), 0) as id from webhook_event`);
  return Number(rows[0]?.id);
}

/** The fields of each type, by the table of the guide. */
const documented = new Map(
  [...readFileSync("docs/shop-integration.md", "utf8").matchAll(/^\| (`\w+\.[^|]+) \| ([^|]+) \|$/gm)].flatMap(
    ([, types = "", fields = ""]) => namesIn(types).map((type) => [type, namesIn(fields).sort()] as const),
  ),
);
function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

test("the guide names the fields of every type", () => {
  expect([...documented.keys()].sort()).toEqual([...eventTypes].sort());
});

/** What a piece of work made the triggers write. Each event has the fields that the guide names. */
async function eventsOf(work: () => Promise<unknown>): Promise<Written[]> {
  const before = await lastId();
  await work();
  const { rows } = await database.execute<Written>(
    sql`select id, type, customer_id, shop_id, sequence, payload from webhook_event where id > ${before} order by id`,
  );
  for (const { type, payload } of rows) expect(Object.keys(payload).sort(), type).toEqual(documented.get(type));
  return rows;
}

const typesOf = async (work: () => Promise<unknown>) => (await eventsOf(work)).map(({ type }) => type);

test("joining, leaving, coming back and being erased are told", async () => {
  const events = await eventsOf(async () => {
    const member = await addMember();
    await member.call(unsubscribe);
    await member.call("POST loyalty/subscribe");
    await database.execute(
      sql`update loyalty_account set state = 'erased', card_number = null where customer_id = ${member.id}`,
    );
  });
  expect(events.map(({ type }) => type)).toEqual([
    ...["member.joined", "points.earned", "member.left", "member.joined", "member.erased"],
  ]);
  expect(events.map(({ sequence }) => sequence)).toEqual(["1", "2", "3", "4", "5"]);
  expect(events[1]?.payload).toMatchObject({ Kind: "welcome", Points: 250, Balance: 250, IdShop: null });
});

test("a consent that is withdrawn is told with its customer's public id, once", async () => {
  const member = await addMember();
  const answer = (NewsletterSubscribe: boolean) =>
    member.call(editCustomer, { Firstname: "Ada", Lastname: "Exemple", NewsletterSubscribe });
  expect(await typesOf(() => answer(true))).toEqual([]);
  const withdrawn = await eventsOf(() => answer(false));
  expect(withdrawn).toMatchObject([
    { type: "consent.withdrawn", payload: { IdCustomer: member.subject, Consent: "newsletter" } },
  ]);
  expect(await typesOf(() => answer(false))).toEqual([]);
});

test("a purchase, its points, its voucher and the new status are told in its own transaction", async () => {
  const till = await openShop();
  const member = await addMember(300);
  expect(await typesOf(() => member.obtain())).toEqual(["voucher.obtained"]);
  const code = await member.obtain();
  const ReceiptNumber = till.newNumber();
  const events = await eventsOf(() =>
    till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "900.00", VoucherCodes: code }),
  );
  expect(events.map(({ type }) => type)).toEqual([
    ...["points.earned", "purchase.posted", "voucher.used", "status.changed"],
  ]);
  const [earned, posted, used, status] = events;
  const receipt = { IdShop: till.shopId, ReceiptNumber };
  expect(earned?.payload).toMatchObject({ ...receipt, Kind: "purchase", Points: 890, IdCustomer: member.subject });
  expect(posted?.payload).toEqual({
    ...{
      ...receipt,
      IdCustomer: member.subject,
      SoldAt: clock.now.toISOString(),
      Paid: "890.00",
      VoucherAmount: "10.00",
      LostVoucherAmount: "0.00",
    },
    ...{ Earned: 890, Waiting: false },
  });
  expect(used?.payload).toMatchObject({ ...receipt, Value: "10.00", Taken: "10.00", UsedAt: clock.now.toISOString() });
  expect(status?.payload).toEqual({ IdCustomer: member.subject, IdLoyaltyTier: 2, PreviousIdLoyaltyTier: 1 });
  expect(events.slice(0, 3).map(({ shop_id }) => shop_id)).toEqual([till.shopId, till.shopId, till.shopId]);
  const { rows } = await database.execute(sql`
    select from webhook_event e join shop_sale s on s.shop_id = e.shop_id and s.number = e.payload ->> 'ReceiptNumber'
    where s.number = ${ReceiptNumber} and (e.xid::text::bigint & 4294967295) = s.xmin::text::bigint`);
  expect(rows.length).toBe(3);
  // The same receipt again changes nothing.
  expect(
    await typesOf(() => till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "900.00", VoucherCodes: code })),
  ).toEqual([]);

  const back = await eventsOf(() => till.takeBack(ReceiptNumber));
  expect(back.map(({ type }) => type)).toEqual([
    ...["points.taken", "voucher.reissued", "status.changed", "purchase.returned"],
  ]);
  expect(back[0]?.payload).toMatchObject({ IdShop: till.shopId, Points: 890 });
  expect(back[1]).toMatchObject({ shop_id: till.shopId, payload: { Value: "10.00", Points: 0 } });
  expect(back[3]?.payload).toMatchObject({
    ...{ IdShop: till.shopId, Kind: "return", OriginalReceiptNumber: ReceiptNumber, IdCustomer: member.subject },
    ...{ Refund: "890.00", Taken: 890, Debt: 0 },
  });
  expect(back[2]?.payload).toMatchObject({ IdLoyaltyTier: 1, PreviousIdLoyaltyTier: 2 });
});

test("an exchange that credits and takes back tells one status or none", async () => {
  const till = await openShop();
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "700.00" });
  const exchanged = await typesOf(() =>
    till.sell({ CardNumber: member.card, Amount: "700.00", ReturnOf: { OriginalReceiptNumber: ReceiptNumber } }),
  );
  expect(exchanged.sort()).toEqual([...["points.earned", "points.taken", "purchase.posted", "purchase.returned"]]);
});

test("a return that waited is told with its sale, and names its customer", async () => {
  const till = await openShop();
  const member = await addMember();
  const ReceiptNumber = till.newNumber();
  expect(await typesOf(() => till.takeBack(ReceiptNumber))).toEqual([]);
  const events = await eventsOf(() => till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "20.00" }));
  const returned = events.find(({ type }) => type === "purchase.returned");
  expect(returned?.payload).toMatchObject({ IdCustomer: member.subject, Taken: 20 });
});

test("a sale that names nobody has no sequence; its claim tells the points", async () => {
  const till = await openShop();
  const member = await addMember();
  let code = "";
  const [posted, ...more] = await eventsOf(async () => {
    code = (await till.sell({ Amount: "30.00" })).ClaimCode ?? "";
  });
  expect(more).toEqual([]);
  expect(posted).toMatchObject({ type: "purchase.posted", customer_id: null, sequence: null });
  expect(await typesOf(() => member.call(claimReceipt, { ClaimCode: code }))).toEqual(["points.earned"]);
});

test("points about to lapse are told with the email, vouchers that ended once", async () => {
  const member = await addMember(400);
  await member.obtain();
  const start = clock.now;
  try {
    const { rows } = await database.execute<{ at: string }>(
      sql`select webhook_time(expires_at) as at from loyalty_voucher where customer_id = ${member.id}`,
    );
    clock.now = new Date(new Date(rows[0]?.at ?? "").getTime() + hours(1));
    const ended = await eventsOf(() => Promise.resolve(job("shop:voucher-expired")));
    const own = ended.filter(({ customer_id }) => customer_id === String(member.id));
    expect(own).toMatchObject([{ type: "voucher.expired", payload: { Value: "10.00", ExpiredAt: rows[0]?.at } }]);
    expect(await typesOf(() => Promise.resolve(job("shop:voucher-expired")))).toEqual([]);
    const lots = await database.execute<{ at: string }>(
      sql`select webhook_time(max(expires_at)) as at from loyalty_lot where customer_id = ${member.id} and remaining > 0`,
    );
    clock.now = new Date(new Date(lots.rows[0]?.at ?? "").getTime() - hours(48));
    const warned = await eventsOf(() => Promise.resolve(job("loyalty:warn")));
    const told = warned.filter(({ customer_id }) => customer_id === String(member.id));
    expect(told).toMatchObject([{ type: "points.expiring", payload: { Points: 250, ExpiresAt: lots.rows[0]?.at } }]);
  } finally {
    clock.now = start;
  }
});

test("a version is told once when it is published, with its start, and again when it is withdrawn", async () => {
  const startsAt = new Date(clock.now.getTime() + hours(1));
  const published = await eventsOf(() => publishNow(database, { welcomePoints: 300 }, { now: clock.now, startsAt }));
  const told = { IdLoyaltyProgram: 4, Version: 2, StartsAt: startsAt.toISOString() };
  expect(published).toMatchObject([{ type: "programme.changed", payload: told }]);
  const withdrawn = await eventsOf(() => withdrawVersion(database, 4, 2, { now: clock.now, startsAfter: clock.now }));
  expect(withdrawn).toMatchObject([{ type: "programme.changed", payload: { ...told, StartsAt: null } }]);
});

test("a cause that is rolled back leaves no event, delivery or job", async () => {
  const till = await openShop();
  const member = await addMember(700);
  await member.obtain();
  const counts = async () =>
    (
      await database.execute(sql`
        select (select count(*) from webhook_event) as events, (select count(*) from webhook_delivery) as deliveries,
          (select count(*) from graphile_worker.jobs) as jobs`)
    ).rows[0];
  await database.execute(sql`
    insert into webhook_endpoint (url, secret, owner_email, created_at) values ('https://a.example', '', 'a@b.example', now())`);
  const customer = await addCustomer();
  const before = await counts();
  const statements = [
    `insert into loyalty_account (customer_id, programme_id, state, member_since, card_number)
     values (${customer.id}, 4, 'active', now(), '2900000000001')`,
    `update loyalty_account set state = 'left' where customer_id = ${member.id}`,
    `update loyalty_account set state = 'erased', card_number = null where customer_id = ${member.id}`,
    `select loyalty_credit(${member.id}, 5000, 'grant', 'grant:rolled', '{}', now(), now())`,
    `insert into loyalty_entry (customer_id, at, kind, points, balance, cause, recorded_at)
     values (${member.id}, now(), 'return', -1, 0, 'return:${till.shopId}:x', now())`,
    `update loyalty_voucher set used_at = obtained_at where customer_id = ${member.id}`,
    `insert into shop_receipt values (${till.shopId}, 'rolled', '', now());
     insert into shop_sale (shop_id, number, key_prefix, sold_at, whole, lines, vouchers, earned)
     values (${till.shopId}, 'rolled', 'x', now(), true, '[]', '[]', 0);
     insert into shop_return (shop_id, number, kind, key_prefix, returned_at, sale_shop_id, sale_number, state, asked)
     values (${till.shopId}, 'rolled', 'void', 'x', now(), ${till.shopId}, 'rolled', 'applied', '{}');
     set constraints all immediate`,
    `insert into loyalty_programme (id, welcome_points, version_of, version) values (4999, 1, 4, 999)`,
    `select webhook_points_expiring(${member.id}, 1, now())`,
  ];
  for (const statement of statements) {
    const undone = database.transaction(async (tx) => {
      await tx.execute(sql.raw(statement));
      const { rows } = await tx.execute(
        sql`select from webhook_event e join webhook_delivery d on d.event_id = e.id where e.xid = pg_current_xact_id()`,
      );
      expect(rows.length, statement).toBeGreaterThan(0);
      tx.rollback();
    });
    await expect(undone).rejects.toThrow("Rollback");
  }
  expect(await counts()).toEqual(before);
  await database.execute(sql`delete from webhook_delivery; delete from webhook_endpoint`);
});

test("no payload holds a name, an address, a card number, a voucher code or a claim code", async () => {
  const till = await openShop();
  const member = await addMember(600);
  const code = await member.obtain();
  const { ClaimCode = "none" } = await till.sell({ Amount: "10.00" });
  await till.sell({ CardNumber: member.card, Amount: "100.00", VoucherCodes: code });
  const { rows } = await database.execute<{ payloads: string }>(
    sql`select string_agg(payload::text, ' ') as payloads from webhook_event`,
  );
  const payloads = rows[0]?.payloads ?? "";
  for (const value of ["Camille", "Laurent", member.email, "exemple.fr", member.card, code, ClaimCode])
    expect(payloads).not.toContain(value);
});

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { exportCustomer } from "#identity/calls.ts";
import { obtainReward } from "#loyalty/calls.ts";
import { membersWhere } from "#loyalty/segments/compile-segment.server.ts";
import { conditionsOf, levelsOf, type Segment } from "#loyalty/segments/segment.ts";
import * as shopCalls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as calls from "./calls.ts";
import { askSegment } from "./segments.server.ts";

const { addMember, clock, database, openOffice, openShop, product } = await openTestOffice();
const till = await openShop();
const other = await openShop("Cercle Lyon");
const dayMs = 24 * 3_600_000;
const start = clock.now;
const at = (days: number) => {
  clock.now = new Date(start.getTime() + days * dayMs);
};

const silk = await addMember(1_000, { firstname: "Silk" });
const buyer = await addMember(0, { firstname: "Buyer" });
const quiet = await addMember(0, { firstname: "Quiet" });
const names = new Map([
  [silk.id, "Silk"],
  [buyer.id, "Buyer"],
  [quiet.id, "Quiet"],
]);
await till.sell({
  CardNumber: buyer.card,
  Lines: [
    { Line: "1", Amount: "60.00", Codes: ["knitwear"] },
    { Line: "2", Amount: "40.00", PriceType: "sale" },
  ],
});
await other.sell({ ReceiptNumber: "L-1", CardNumber: silk.card, Amount: "80.00" });
await other.takeBack("L-1", [{ Line: "1", Amount: "50.00" }]);
await silk.call(obtainReward, { IdLoyaltyReward: "1" });
at(10);
await till.sell({ CardNumber: buyer.card, Amount: "25.00" });
await till.sell({ ReceiptNumber: "V-1", CardNumber: quiet.card, Amount: "25.00" });
await till.call(shopCalls.voidSale, { ReceiptNumber: "V-1" });
await database.execute(sql`
  update customer set newsletter = true, email_verified_at = now(), birthday = '1990-12-24', language = 'de' where id = ${silk.id}`);
await database.execute(sql`update customer set newsletter = true, email_verified_at = null where id = ${buyer.id}`);
at(100);
const marketing = await openOffice("marketing");
const owner = await openOffice("owner");

/** The names of who a definition finds, by a statement of the test's own. */
async function found(definition: Segment): Promise<string[]> {
  const { rows } = await database.execute<{ id: string }>(sql`
    select a.customer_id as id from ${membersWhere(definition, clock.now)}
      and a.customer_id in (${silk.id}, ${buyer.id}, ${quiet.id})
    order by a.customer_id`);
  return rows.map(({ id }) => names.get(Number(id)) ?? "");
}

test.each<[string[], Segment]>([
  [["Silk"], { fact: "status", in: ["2"] }],
  [["Silk"], { fact: "balance", min: 500 }],
  [["Buyer", "Quiet"], { fact: "balance", max: 499 }],
  [["Silk", "Buyer", "Quiet"], { fact: "expiring", days: 3_650, min: 1 }],
  [["Silk", "Buyer", "Quiet"], { fact: "expiring", days: 30, max: 0 }],
  [["Buyer"], { fact: "purchases", min: 2 }],
  [["Quiet"], { fact: "purchases", max: 0 }],
  [["Silk", "Quiet"], { fact: "purchases", max: 0, days: 95 }],
  [["Buyer"], { fact: "purchases", min: 1, code: "knitwear" }],
  [["Buyer"], { fact: "purchases", min: 1, priceType: "sale" }],
  [["Silk"], { fact: "purchases", min: 1, shopId: other.shopId }],
  [["Silk"], { fact: "spent", min: 3_000, max: 3_000 }],
  [["Buyer"], { fact: "spent", min: 6_000, max: 6_000, code: "knitwear" }],
  [["Silk"], { fact: "last_purchase", min: 100 }],
  [["Buyer"], { fact: "last_purchase", min: 90, max: 95 }],
  [["Silk", "Buyer"], { fact: "first_purchase", min: 99, max: 101 }],
  [["Silk", "Buyer", "Quiet"], { fact: "joined", min: 99, max: 101 }],
  [[], { fact: "joined", max: 50 }],
  [[], { fact: "joined", min: 999_999_999 }],
  [[], { fact: "last_purchase", min: 999_999_999 }],
  [["Silk"], { fact: "birthday_month", in: ["12"] }],
  [["Silk"], { fact: "language", in: ["de"] }],
  [[], { fact: "joined_in", in: [String(till.shopId)] }],
  [["Silk", "Buyer"], { fact: "consent", in: ["email"] }],
  [["Silk"], { fact: "vouchers", in: ["unused"], min: 1 }],
  [["Buyer", "Quiet"], { fact: "vouchers", in: ["unused"], max: 0 }],
  [[], { fact: "imported" }],
  [["Silk", "Buyer", "Quiet"], { not: { fact: "imported" } }],
  [["Silk"], { all: [{ fact: "purchases", min: 1 }, { not: { fact: "purchases", min: 1, days: 95 } }] }],
  [
    ["Buyer"],
    {
      all: [
        { fact: "purchases", min: 2, max: 2 },
        { fact: "spent", min: 4_000, max: 4_000, priceType: "sale" },
        { not: { fact: "first_purchase", max: 98 } },
      ],
    },
  ],
  [["Silk", "Quiet"], { not: { fact: "last_purchase", max: 95 } }],
  [
    ["Silk", "Quiet"],
    {
      any: [
        { fact: "language", in: ["de"] },
        { fact: "purchases", max: 0 },
      ],
    },
  ],
])("members by what the club knows of them: %j are those of %j", async (who, definition) => {
  expect(await found(definition)).toEqual(who);
});

test("what is chosen is a parameter, never text of the statement", async () => {
  const text = database
    .select({ id: sql`a.customer_id` })
    .from(membersWhere({ fact: "purchases", min: 7_777, code: "knitwear", days: 8_888 }, clock.now))
    .toSQL();
  expect(text.sql).not.toMatch(/7777|8888|knitwear/);
  expect(text.params).toEqual(expect.arrayContaining([7_777, 8_888, "knitwear"]));
});

test("a statement about a segment may run for ten seconds; one that is stopped is refused with a hint", async () => {
  expect(await askSegment(database, sql`show statement_timeout`)).toEqual([{ statement_timeout: "10s" }]);
  const asked = expect(askSegment(database, sql`select pg_sleep(600)`)).rejects.toMatchObject({
    code: "segment_too_slow",
  });
  const stop = sql`select pg_cancel_backend(pid) as stopped from pg_stat_activity
    where query like 'select pg_sleep(600)%' and state = 'active'`;
  await expect
    .poll(async () => (await database.execute(stop)).rows, { timeout: 60_000 })
    .toContainEqual({ stopped: true });
  await asked;
});

test("a definition is closed: unknown facts, missing numbers, free text and a fourth level are refused", async () => {
  const count = (definition: unknown) => marketing.call(calls.countSegment, { Definition: JSON.stringify(definition) });
  const leaf = { fact: "imported" };
  const deep = (levels: number): object => (levels === 0 ? leaf : { all: [deep(levels - 1)] });
  expect((await count(deep(3))).Members).toBe(0);
  for (const wrong of [
    ...[
      deep(4),
      { fact: "notes", in: ["x"] },
      { fact: "balance" },
      { fact: "balance", min: "1; drop table" },
      { all: [] },
    ],
    ...[{ fact: "language", in: ["it"] }, { fact: "status", in: [] }, { fact: "balance", min: 5, max: 4 }, null, 7],
    ...[
      { fact: "balance", min: 1, code: "knitwear" },
      { fact: "expiring", min: 1 },
      { ...leaf, more: true },
    ],
  ])
    expect((await refusalOf(count(wrong))).code).toBe("invalid");
  expect(levelsOf({ all: [{ not: { fact: "imported" } }] })).toBe(2);
  expect(conditionsOf({ any: [{ fact: "imported" }, { not: { fact: "imported" } }] })).toHaveLength(2);
});

test("who may be written to is counted, and why the others may not; only owners see examples", async () => {
  const Definition = JSON.stringify({ all: [{ fact: "consent", in: ["email"] }] });
  expect(await marketing.call(calls.countSegment, { Definition })).toEqual({
    ...{ Members: 2, Estimated: false },
    Email: { Reachable: 1, NoConsent: 0, Unconfirmed: 1, Blocked: 0 },
    Sms: { Reachable: 0, NoConsent: 2, NoPhone: 0, Blocked: 0 },
  });
  expect((await refusalOf(marketing.call(calls.readExamples, { Definition }))).status).toBe(403);
  expect((await owner.call(calls.readExamples, { Definition })).Customers.map(({ Firstname }) => Firstname)).toEqual([
    ...["Buyer", "Silk"],
  ]);
});

test("a segment is saved in versions; of two people who save, the second is told, and a name is used once", async () => {
  const Definition = JSON.stringify({ fact: "imported" });
  const { IdSegment, Version } = await marketing.call(calls.saveSegment, { Name: "Nouveaux", Definition });
  const next = { IdSegment: String(IdSegment), Name: "Nouveaux", Definition };
  expect((await marketing.call(calls.saveSegment, { ...next, Version: String(Version) })).Version).toBe(2);
  const second = owner.call(calls.saveSegment, { ...next, Version: String(Version) });
  expect((await refusalOf(second)).code).toBe("draft_changed");
  expect((await refusalOf(owner.call(calls.saveSegment, { Name: "nouveaux", Definition }))).code).toBe("invalid");
  await owner.call(calls.archiveSegment, { IdSegment: String(IdSegment) });
  expect((await marketing.call(calls.listSegments)).Segments.some(({ Name }) => Name === "Nouveaux")).toBe(false);
});

test("an export has the members who agreed, with the columns asked for, in the log and in each member's own data", async () => {
  const Definition = JSON.stringify({ fact: "consent", in: ["email"] });
  const { IdSegment } = await marketing.call(calls.saveSegment, { Name: "Lettre", Definition });
  const file = async (more: string) =>
    (await marketing.browse(`/api/office/segment/export?IdSegment=${IdSegment}&Channel=email&${more}`)).text();
  expect((await file("Columns=Email,Firstname")).trim().split("\r\n").slice(1)).toEqual([`${silk.email};Silk`]);
  const lines = (await file("Columns=Firstname,Language&Format=jsonl")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([{ Firstname: "Silk", Language: "de" }]);
  const { rows } = await database.execute<{ after: object }>(
    sql`select after from audit_log where action = 'segment_exported' and after ->> 'segment' = 'Lettre' order by id`,
  );
  expect(rows.map(({ after }) => after)).toMatchObject([{ segment: "Lettre", channel: "email", rows: 1 }, { rows: 1 }]);
  const mine = JSON.stringify(await silk.call(exportCustomer));
  expect(mine).toContain("Lettre");
  expect(JSON.stringify(await buyer.call(exportCustomer))).not.toContain("Lettre");
});

test("a file for one channel has no address or number of the other, unless the member agreed to that too", async () => {
  const [both, one] = [await addMember(), await addMember()];
  const phone = (id: number) => `+3361234${String(id).padStart(4, "0")}`;
  for (const { id } of [both, one])
    await database.execute(sql`update customer set newsletter_sms = true, email_verified_at = now(),
      newsletter = ${id === both.id}, mobile_phone = ${phone(id)} where id = ${id}`);
  const Definition = JSON.stringify({ fact: "consent", in: ["sms"] });
  const { IdSegment } = await marketing.call(calls.saveSegment, { Name: "Textos", Definition });
  const rows = async (channel: string) => {
    const asked = `IdSegment=${IdSegment}&Channel=${channel}&Format=jsonl&Columns=Email,MobilePhone`;
    const lines = (await (await marketing.browse(`/api/office/segment/export?${asked}`)).text()).trim().split("\n");
    return lines.map((line) => JSON.parse(line));
  };
  expect(await rows("sms")).toEqual([
    { Email: both.email, MobilePhone: phone(both.id) },
    { Email: null, MobilePhone: phone(one.id) },
  ]);
  expect(await rows("email")).toEqual([{ Email: both.email, MobilePhone: phone(both.id) }]);
  await database.execute(
    sql`update customer set newsletter = false, newsletter_sms = false where id in (${both.id}, ${one.id})`,
  );
});

test("joining and leaving a segment is told once for each change, however often the job runs", async () => {
  const [first, second] = [await addMember(), await addMember()];
  await database.execute(sql`update customer set language = 'en' where id in (${first.id}, ${second.id})`);
  const Definition = JSON.stringify({
    all: [
      { fact: "balance", min: 300 },
      { fact: "language", in: ["en"] },
    ],
  });
  const { IdSegment } = await marketing.call(calls.saveSegment, { Name: "Actifs", Definition, Sends: "true" });
  const run = () => product.jobs["loyalty:segment-changes"]?.({}, database);
  const told = async () => {
    const { rows } = await database.execute<{ type: string; customer: string }>(sql`
      select type, customer_id as customer from webhook_event
      where (payload ->> 'IdSegment')::integer = ${IdSegment} order by id`);
    return rows.map(({ type, customer }) => [type, Number(customer) === first.id ? "first" : "second"]);
  };
  await till.sell({ ReceiptNumber: "J-1", CardNumber: first.card, Amount: "60.00" });
  await Promise.all([run(), run()]);
  expect(await told()).toEqual([["segment.joined", "first"]]);
  await till.sell({ CardNumber: second.card, Amount: "60.00" });
  await till.takeBack("J-1");
  await run();
  await run();
  expect(await told()).toEqual([
    ["segment.joined", "first"],
    ["segment.left", "first"],
    ["segment.joined", "second"],
  ]);
});

test("consent is withdrawn from outside, never given, and nobody learns who is a customer", async () => {
  const member = await addMember();
  const { id, email } = member;
  await database.execute(
    sql`update customer set newsletter_sms = true, mobile_phone = '+33612345678' where id = ${id}`,
  );
  const agrees = async () => {
    const { rows } = await database.execute<{ on: boolean }>(
      sql`select newsletter_sms as on from customer where id = ${id}`,
    );
    return rows[0]?.on;
  };
  const withdraw = (named: object) => till.call(shopCalls.withdrawConsent, { Channel: "sms", ...named });
  expect(await withdraw({ Email: "nobody@exemple.fr" })).toEqual({});
  expect(await withdraw({ Email: email, Channel: "email" })).toEqual({});
  expect(await agrees()).toBe(true);
  for (let again = 0; again < 2; again += 1) expect(await withdraw({ Email: email })).toEqual({});
  expect(await agrees()).toBe(false);
  const { rows } = await database.execute<{ source: string }>(
    sql`select source from consent where customer_id = ${id} and subject = 'sms' and not given`,
  );
  expect(rows).toEqual([{ source: "unsubscribe" }]);
  for (const named of [{}, { IdCustomer: "0" }, { IdCustomer: String(id) }, { IdCustomer: "4\u2028" }])
    expect((await refusalOf(withdraw(named))).code).toBe("invalid");
  const without = await openShop("Sans", ["sell"]);
  const refused = without.call(shopCalls.withdrawConsent, { Channel: "sms", Email: email });
  expect((await refusalOf(refused)).code).toBe("scope_missing");
});

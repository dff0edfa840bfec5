import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { unsubscribe } from "#loyalty/calls.ts";
import { readTimeline } from "#office/customers/calls.ts";
import { readReceipt } from "#office/receipts/calls.ts";
import * as calls from "#office/shops/calls.ts";
import { openOfficeSession } from "#office/sign-in/session.server.ts";
import { encodeCursor } from "#platform/api/cursor.server.ts";
import * as shopCalls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { casesOf } from "#testing/conflicts.server.ts";
import { fieldsOf } from "#testing/drafts.server.ts";
import { givePin } from "#testing/give-pin.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { postBatch, signIn } from "#till/calls.ts";

const { addMember, clock, database, openBrowser, openOffice, openShop, openTill, openWebShop, pins } =
  await openTestOffice();
type Office = Awaited<ReturnType<typeof openOffice>>;
type Till = Awaited<ReturnType<typeof openShop>>;

let till: Till;
let owner: Office;
beforeEach(async () => {
  till = await openShop();
  owner = await openOffice("owner");
});

const { conflicts, events, of } = casesOf(database, () => ({ till, owner }));
const later = (days: number) => new Date(clock.now.getTime() + days * 24 * 3_600_000);

/** A sixth sale of the day: its points wait. */
async function sellSixth(member: { card: string }, sale: object = { Amount: "40.00" }) {
  for (let n = 0; n < 5; n += 1) await till.sell({ CardNumber: member.card, Amount: "1.00" });
  const ReceiptNumber = till.newNumber();
  const asked = { ReceiptNumber, CardNumber: member.card, ...sale };
  return { ReceiptNumber, asked, answer: await till.sell(asked) };
}

test("released points are those of what is left, from the day of the sale, and the till's answer stays", async () => {
  const member = await addMember();
  const { ReceiptNumber, asked, answer } = await sellSixth(member, {
    Lines: [
      { Line: "1", Amount: "30.00" },
      { Line: "2", Amount: "10.00" },
    ],
  });
  expect(answer).toMatchObject({ Waiting: true, Points: { Earned: 0 } });
  await till.takeBack(ReceiptNumber, [{ Line: "2" }]);
  expect(await conflicts()).toMatchObject([
    {
      ReceiptNumber,
      Kind: "points",
      Reason: "points_waiting",
      IdCustomer: member.id,
      Customer: "Camille L.",
      Amount: "40.00",
      Points: 30,
      ShopName: "Cercle Marais",
    },
  ]);
  const before = (await member.points()).Available;
  const start = clock.now;
  clock.now = later(2);
  owner = await openOffice("owner");
  expect(await owner.call(calls.decidePoints, { ...of(ReceiptNumber), Decision: "release" })).toEqual({ Points: 30 });
  expect((await member.points()).Available).toBe(before + 30);
  expect(await conflicts()).toEqual([]);
  const { rows } = await database.execute(
    sql`select at from loyalty_entry where customer_id = ${member.id} and cause = ${`purchase:${till.shopId}:${ReceiptNumber}`}`,
  );
  expect(new Date(String(rows[0]?.["at"]))).toEqual(start);
  expect(await events(ReceiptNumber)).toEqual(["purchase.posted", "points.earned"]);
  expect(await till.sell({ ...asked, SoldAt: start.toISOString() })).toEqual(answer);
  // What was released is taken back as ever.
  expect((await till.takeBack(ReceiptNumber, [{ Line: "1" }])).Points.Taken).toBe(30);
  clock.now = start;
  await expectInvariants(database);
});

test("of many who decide at once one does, and the audit log has one row", async () => {
  const member = await addMember();
  const { ReceiptNumber } = await sellSixth(member);
  const before = (await member.points()).Available;
  const people = await Promise.all(Array.from({ length: 6 }, () => openOffice("owner")));
  const results = await Promise.allSettled(
    people.map(({ call }, n) =>
      call(calls.decidePoints, { ...of(ReceiptNumber), Decision: n % 2 ? "release" : "refuse" }),
    ),
  );
  const done = results.flatMap((one) => (one.status === "fulfilled" ? [one.value.Points] : []));
  expect(done).toHaveLength(1);
  const refused = results.flatMap((one) => (one.status === "rejected" ? [one.reason.problem.code] : []));
  expect(refused).toEqual(Array(5).fill("already_decided"));
  expect((await member.points()).Available).toBe(before + (done[0] ?? 0));
  const { rows } = await database.execute<{ action: string; reason: string }>(
    sql`select action, reason from audit_log where action like 'points\_%' and after ->> 'receipt' = ${ReceiptNumber}`,
  );
  expect(rows).toEqual([{ action: done[0] ? "points_released" : "points_refused", reason: of(ReceiptNumber).Reason }]);
  await expectInvariants(database);
});

test("points no longer wait once everything that earns was given back, by a void or by returns", async () => {
  const member = await addMember();
  const { ReceiptNumber } = await sellSixth(member);
  const Lines = [
    { Line: "1", Amount: "30.00" },
    { Line: "2", Amount: "10.00" },
    { Line: "3", Amount: "50.00", Earns: false },
  ];
  const seventh = till.newNumber();
  await till.sell({ ReceiptNumber: seventh, CardNumber: member.card, Lines });
  const Day = new Intl.DateTimeFormat("sv", { timeZone: "Europe/Paris" }).format(clock.now);
  /** The receipts that wait, by each that tells of them. */
  const waiting = async () => {
    const { Shops } = await owner.call(calls.listShops);
    const { Conflicts } = await till.call(shopCalls.readReport, { Day });
    const csv = await owner.browse(
      `/api/office/shop/report/csv?${new URLSearchParams({ IdShop: String(till.shopId), Day })}`,
    );
    const timeline = await owner.call(readTimeline, { IdCustomer: String(member.id), Show: "sales" });
    return {
      office: (await conflicts()).map((one) => one.ReceiptNumber).sort(),
      till: Conflicts.map((one) => one.ReceiptNumber),
      counted: Shops.find(({ IdShop }) => IdShop === till.shopId)?.Conflicts,
      csv: (await csv.text()).split("\r\n").filter((line) => line.endsWith(";1")).length,
      timeline: timeline.Entries.filter((one) => one.Type === "sale" && one.Waiting).length,
    };
  };
  const both = [ReceiptNumber, seventh].sort();
  expect(await waiting()).toEqual({ office: both, till: both, counted: 2, csv: 2, timeline: 2 });
  await till.call(shopCalls.voidSale, { ReceiptNumber });
  await till.takeBack(seventh, [{ Line: "1" }, { Line: "2", Amount: "9.99" }]);
  expect(await waiting()).toEqual({ office: [seventh], till: [seventh], counted: 1, csv: 1, timeline: 1 });
  await till.takeBack(seventh, [{ Line: "2" }]);
  expect(await waiting()).toEqual({ office: [], till: [], counted: 0, csv: 0, timeline: 0 });
  await expectInvariants(database);
});

test("who has left the club gets no points; refusing them works", async () => {
  const member = await addMember();
  const { ReceiptNumber } = await sellSixth(member);
  await member.call(unsubscribe);
  const release = owner.call(calls.decidePoints, { ...of(ReceiptNumber), Decision: "release" });
  expect(await refusalOf(release)).toMatchObject({ code: "not_a_member" });
  expect(await conflicts()).toHaveLength(1);
  await owner.call(calls.decidePoints, { ...of(ReceiptNumber), Decision: "refuse" });
  expect(await conflicts()).toEqual([]);
  await expectInvariants(database);
});

test("a sale from the future is confirmed, or moved to the day it was sold; its points stay", async () => {
  const member = await addMember();
  const ahead = async () => {
    const ReceiptNumber = till.newNumber();
    await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "40.00", SoldAt: later(1).toISOString() });
    return ReceiptNumber;
  };
  const [one, two] = [await ahead(), await ahead()];
  expect(await conflicts()).toMatchObject([{ Reason: "clock_in_future" }, { Kind: "clock" }]);
  const decide = (number: string, more: object) =>
    owner.call(calls.decideClock, { ...of(number), ...more } as Parameters<
      typeof owner.call<typeof calls.decideClock>
    >[1]);
  const arrived = clock.now.toISOString();
  expect(await decide(one, { Decision: "confirm" })).toEqual({ SoldAt: arrived });
  expect(await refusalOf(decide(one, { Decision: "confirm" }))).toMatchObject({ code: "already_decided" });
  expect(await fieldsOf(decide(two, { Decision: "correct" }))).toEqual([["SoldAt", "required"]]);
  for (const SoldAt of [later(1).toISOString(), later(-46).toISOString()])
    expect(await fieldsOf(decide(two, { Decision: "correct", SoldAt }))).toEqual([["SoldAt", "date"]]);
  const SoldAt = later(-3).toISOString();
  const before = await member.points();
  expect(await decide(two, { Decision: "correct", SoldAt })).toEqual({ SoldAt });
  expect(await member.points()).toEqual(before);
  const day = await owner.call(calls.readReport, { IdShop: String(till.shopId), Day: SoldAt.slice(0, 10) });
  expect(day).toMatchObject({ Sales: { Count: 1, Amount: "40.00" }, Conflicts: [], Close: null });
  expect(await conflicts()).toEqual([]);
  const plain = till.newNumber();
  await till.sell({ ReceiptNumber: plain, Amount: "1.00" });
  expect(await refusalOf(decide(plain, { Decision: "confirm" }))).toMatchObject({ code: "not_found" });
  await expectInvariants(database);
});

test("a manager decides for their own shop, and nobody about their own card", async () => {
  const member = await addMember();
  const { ReceiptNumber } = await sellSixth(member);
  const manager = await openOffice("shop", till.shopId);
  const stranger = await openOffice("shop");
  const release = { ...of(ReceiptNumber), Decision: "release" } as const;
  expect(await refusalOf(stranger.call(calls.decidePoints, release))).toMatchObject({ code: "forbidden" });
  expect((await stranger.call(calls.listConflicts)).Conflicts).toEqual([]);
  const other = stranger.call(calls.listConflicts, { IdShop: String(till.shopId) });
  expect(await refusalOf(other)).toMatchObject({ code: "forbidden" });
  expect((await manager.call(calls.listConflicts)).Conflicts).toHaveLength(1);
  await owner.call(calls.recordCard, { IdStaff: String(manager.id), CardNumber: member.card });
  expect(await refusalOf(manager.call(calls.decidePoints, release))).toMatchObject({ code: "own_card" });
  const returned = till.newNumber();
  await till.takeBack("never-sold", undefined, { ReceiptNumber: returned });
  await manager.call(calls.decideReturn, { ...of(returned), Decision: "dismiss" });
  expect(await owner.call(calls.decidePoints, release)).toEqual({ Points: 40 });
});

test("points of a sale are released neither by its seller nor by the manager who added its seller", async () => {
  const device = await openTill();
  const member = await addMember();
  const manager = device.person;
  const added = await openOffice("shop", device.shopId);
  await database.execute(sql`update staff set added_by = ${manager.id} where id = ${added.id}`);
  const pin = await givePin(database, pins, added.id);
  const sold: string[] = [];
  const sell = async () => {
    const ReceiptNumber = device.newNumber();
    const sale = await device.sell({ ReceiptNumber, CardNumber: member.card, Amount: "40.00" });
    if (sale.Waiting) sold.push(ReceiptNumber);
  };
  for (let n = 0; n < 6; n += 1) await sell();
  // A sale of the till's queue, sent under a colleague's name.
  const queued = { Kind: "purchase", ...device.moments(), Amount: "40.00", CardNumber: member.card };
  const Items = JSON.stringify([{ ...queued, ReceiptNumber: "Q-1", IdStaff: added.id }]);
  await device.call(postBatch, { Items, SentAt: device.moments().SentAt });
  await device.call(signIn, { IdStaff: added.id, Pin: pin });
  await sell();
  expect(sold).toHaveLength(2);

  const decide = (browser: Pick<Office, "call">, ReceiptNumber: string, Decision: "release" | "refuse") =>
    browser.call(calls.decidePoints, { ...of(ReceiptNumber), IdShop: String(device.shopId), Decision });
  const office = openBrowser();
  const token = await openOfficeSession(database, new Request("https://cercle.example"), manager.id, clock.now);
  office.cookies.set("staff.token", token);
  for (const number of [...sold, "Q-1"])
    expect(await refusalOf(decide(office, number, "release")), number).toMatchObject({ code: "second_person" });
  expect(await decide(office, "Q-1", "refuse")).toEqual({ Points: 0 });
  for (const number of sold) expect(await decide(owner, number, "release")).toEqual({ Points: 40 });
});

test("an owner sees the conflicts of all shops, page by page, each once", async () => {
  const numbers = new Set<string>();
  for (const shop of [till, await openShop("Cercle Nice")])
    for (let n = 0; n < 30; n += 1) {
      const ReceiptNumber = shop.newNumber();
      numbers.add(ReceiptNumber);
      await shop.takeBack("never-sold", undefined, { ReceiptNumber });
    }
  const seen: string[] = [];
  let Cursor: string | undefined;
  do {
    const page = await owner.call(calls.listConflicts, { ...(Cursor && { Cursor }) });
    expect(page.Conflicts.length).toBeLessThanOrEqual(50);
    seen.push(...page.Conflicts.map((one) => one.ReceiptNumber));
    Cursor = page.NextCursor ?? undefined;
  } while (Cursor);
  expect(seen.filter((number) => numbers.has(number)).sort()).toEqual([...numbers].sort());
  const place = { at: "2026-03-10 00:00:00+00", shopId: 1, number: "T", subject: "points" };
  const bad = [{ at: "2026-13-45 00:00:00+00" }, { shopId: 0 }, { number: "\0" }, { subject: "\0" }];
  for (const cursor of ["x", ...bad.map((part) => encodeCursor({ ...place, ...part }))])
    expect(await refusalOf(owner.call(calls.listConflicts, { Cursor: cursor }))).toMatchObject({ code: "invalid" });
});

test("points that wait since an order was edited are decided under the number of the amendment", async () => {
  const web = await openWebShop();
  const member = await addMember();
  const EUR = { Currency: "EUR" };
  const amend = (AmendNumber: string, Amount: string) =>
    web.call(shopCalls.amendPurchase, {
      ...{ ReceiptNumber: "#3", AmendNumber, Lines: JSON.stringify([{ Line: "1", Amount }]), ...EUR },
    });
  const Lines = [{ Line: "1", Amount: "2000.00" }];
  await web.sell({ ReceiptNumber: "#3", CardNumber: member.card, Lines, ...EUR });
  expect(await amend("1", "3100.00")).toMatchObject({ Waiting: true, WaitingPoints: 1_100 });
  const IdShop = String(web.shopId);
  expect((await owner.call(calls.listConflicts, { IdShop })).Conflicts).toMatchObject([
    { ReceiptNumber: "#3~1", Kind: "points", Points: 1_100 },
  ]);
  const addition = { IdShop, ReceiptNumber: "#3~1" };
  const before = (await member.points()).Available;
  expect(await owner.call(readReceipt, addition)).toMatchObject({ ReceiptNumber: "#3~1", Waiting: true });
  const manager = await openOffice("shop", web.shopId);
  const release = { ...addition, Decision: "release", Reason: "Seen" } as const;
  expect(await manager.call(calls.decidePoints, release)).toEqual({ Points: 1_100 });
  expect((await member.points()).Available).toBe(before + 1_100);
  expect((await owner.call(calls.listConflicts, { IdShop })).Conflicts).toEqual([]);
  // The shop itself never names an amendment so.
  expect(await fieldsOf(web.takeBack("#3~1", undefined, EUR))).toEqual([["OriginalReceiptNumber", "invalid"]]);
  expect((await web.takeBack("#3", undefined, EUR)).Points.Taken).toBe(3_100);
  await expectInvariants(database);
});

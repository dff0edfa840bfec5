import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import * as calls from "#office/shops/calls.ts";
import * as shopCalls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { casesOf } from "#testing/conflicts.server.ts";
import { fieldsOf } from "#testing/drafts.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";
import { openTestOffice } from "#testing/office.server.ts";

const { addMember, clock, database, openOffice, openShop, openWebShop } = await openTestOffice();

let till: Awaited<ReturnType<typeof openShop>>;
let owner: Awaited<ReturnType<typeof openOffice>>;
beforeEach(async () => {
  till = await openShop();
  owner = await openOffice("owner");
});

const { conflicts, events, of } = casesOf(database, () => ({ till, owner }));
const daysAgo = (days: number) => new Date(clock.now.getTime() - days * 24 * 3_600_000).toISOString();

/** A return of 90.00 that came before its sale of 40.00. */
async function returnTooMuch(member: { card: string }, back: object = { Amount: "90.00" }, sale: object = {}) {
  const [sold, returned] = [till.newNumber(), till.newNumber()];
  await till.takeBack(sold, undefined, { ReceiptNumber: returned, ...back });
  await till.sell({ ReceiptNumber: sold, CardNumber: member.card, Amount: "40.00", ...sale });
  return { sold, returned };
}

test("a return that does not fit takes what is left of its sale", async () => {
  const member = await addMember();
  const { sold, returned } = await returnTooMuch(member);
  expect(await conflicts()).toMatchObject([
    { Reason: "return_does_not_fit", Kind: "return", Amount: "90.00", Points: 40, OriginalReceiptNumber: sold },
  ]);
  const before = (await member.points()).Available;
  expect(await owner.call(calls.decideReturn, { ...of(returned), Decision: "apply" })).toEqual({
    Taken: 40,
    Reissued: 0,
  });
  expect((await member.points()).Available).toBe(before - 40);
  expect(await events(returned)).toEqual(["points.taken", "purchase.returned"]);
  expect(await till.takeBack(sold, undefined, {}).catch(({ problem }) => problem.code)).toBe("more_than_bought");
  expect(await conflicts()).toEqual([]);
  await expectInvariants(database);
});

test("of lines that do not fit, those that are there are taken; an amount is spread over the lines", async () => {
  const member = await addMember();
  const Lines = [
    { Line: "1", Amount: "30.00" },
    { Line: "2", Amount: "10.00" },
  ];
  const two = { Amount: undefined, Lines };
  const back = { Lines: JSON.stringify([{ Line: "2", Amount: "25.00" }, { Line: "3" }]) };
  const byLine = await returnTooMuch(member, back, two);
  expect(await owner.call(calls.decideReturn, { ...of(byLine.returned), Decision: "apply" })).toMatchObject({
    Taken: 10,
  });
  const byAmount = await returnTooMuch(member, { Amount: "20.00" }, two);
  expect(await owner.call(calls.decideReturn, { ...of(byAmount.returned), Decision: "apply" })).toMatchObject({
    Taken: 20,
  });
  const { rows } = await database.execute(
    sql`select refunds from shop_return where shop_id = ${till.shopId} and number = ${byAmount.returned}`,
  );
  expect(rows[0]?.["refunds"]).toEqual([
    { line: "1", cents: 1500 },
    { line: "2", cents: 500 },
  ]);
  await expectInvariants(database);
});

test("a return is attached to the sale it belongs to, if it fits that one", async () => {
  const member = await addMember();
  const { sold, returned } = await returnTooMuch(member);
  const [right, small] = [till.newNumber(), till.newNumber()];
  const elsewhere = await openShop("Cercle Lyon");
  await elsewhere.sell({ ReceiptNumber: right, CardNumber: member.card, Amount: "95.00" });
  await till.sell({ ReceiptNumber: small, CardNumber: member.card, Amount: "20.00" });
  const attach = (OriginalReceiptNumber: string, more: object = {}) =>
    owner.call(calls.decideReturn, { ...of(returned), Decision: "attach", OriginalReceiptNumber, ...more });
  expect(await refusalOf(attach(small))).toMatchObject({ code: "more_than_bought" });
  expect(await refusalOf(attach("unknown"))).toMatchObject({ code: "not_found" });
  expect(await refusalOf(attach(returned))).toMatchObject({ code: "not_found" });
  const none = owner.call(calls.decideReturn, { ...of(returned), Decision: "attach" });
  expect(await fieldsOf(none)).toEqual([["OriginalReceiptNumber", "required"]]);
  const OriginalIdShop = String(elsewhere.shopId);
  for (const number of [right, "unknown"])
    expect(await refusalOf(attach(number, { OriginalIdShop }))).toMatchObject({ code: "receipt_not_found" });
  const proof = { OriginalAmount: "95.00", OriginalDay: "2026-03-10" };
  expect(await attach(right, { OriginalIdShop, ...proof })).toEqual({ Taken: 90, Reissued: 0 });
  expect(await refusalOf(attach(small))).toMatchObject({ code: "already_decided" });
  // Its first sale is whole again.
  expect((await till.takeBack(sold)).Points.Taken).toBe(40);
  await expectInvariants(database);
});

test("a return that waits is dismissed; its sale, when it comes, stands whole", async () => {
  const member = await addMember();
  const [sold, returned] = [till.newNumber(), till.newNumber()];
  await till.takeBack(sold, undefined, { ReceiptNumber: returned });
  expect(await conflicts()).toMatchObject([{ Reason: "return_without_sale", Amount: null, Points: null }]);
  const apply = owner.call(calls.decideReturn, { ...of(returned), Decision: "apply" });
  expect(await refusalOf(apply)).toMatchObject({ code: "not_found" });
  expect(await owner.call(calls.decideReturn, { ...of(returned), Decision: "dismiss" })).toEqual({
    Taken: 0,
    Reissued: 0,
  });
  expect((await till.sell({ ReceiptNumber: sold, CardNumber: member.card, Amount: "40.00" })).Points.Earned).toBe(40);
  expect((await member.points()).Available).toBe(290);
  const again = owner.call(calls.decideReturn, { ...of(returned), Decision: "apply" });
  expect(await refusalOf(again)).toMatchObject({ code: "already_decided" });
  expect(await conflicts()).toEqual([]);
  await expectInvariants(database);
});

test("a return is attached while its own sale arrives: it counts once", async () => {
  const member = await addMember();
  for (let n = 0; n < 8; n += 1) {
    const [sold, returned, right] = [till.newNumber(), till.newNumber(), till.newNumber()];
    const shop = await openShop();
    const at = { ...of(returned), IdShop: String(shop.shopId) };
    await shop.sell({
      ReceiptNumber: right,
      CardNumber: member.card,
      Amount: "40.00",
      SoldAt: daysAgo(n + 1),
    });
    await shop.takeBack(sold, undefined, { ReceiptNumber: returned, Amount: "40.00" });
    const before = (await member.points()).Available;
    const sale = {
      ReceiptNumber: sold,
      CardNumber: member.card,
      Amount: "40.00",
      SoldAt: daysAgo(n + 10),
    };
    const attach = { ...at, Decision: "attach", OriginalReceiptNumber: right } as const;
    const [, attached] = await Promise.allSettled([shop.sell(sale), owner.call(calls.decideReturn, attach)]);
    // Earned once, taken back once: from the one sale or from the other.
    expect((await member.points()).Available).toBe(before);
    if (attached?.status === "rejected") expect(attached.reason.problem.code).toBe("not_found");
  }
  await expectInvariants(database);
});

test("nobody attaches a return of their own card to a stranger's receipt", async () => {
  const [own, stranger] = [await addMember(), await addMember()];
  const manager = await openOffice("shop", till.shopId);
  await owner.call(calls.recordCard, { IdStaff: String(manager.id), CardNumber: own.card });
  const { returned } = await returnTooMuch(own);
  const OriginalReceiptNumber = till.newNumber();
  await till.sell({ ReceiptNumber: OriginalReceiptNumber, CardNumber: stranger.card, Amount: "100.00" });
  const attach = { ...of(returned), Decision: "attach", OriginalReceiptNumber } as const;
  expect(await refusalOf(manager.call(calls.decideReturn, attach))).toMatchObject({ status: 409, code: "own_card" });
  expect((await stranger.points()).Available).toBe(350);
  await owner.call(calls.decideReturn, attach);
  expect((await stranger.points()).Available).toBe(260);
});

/** A web shop, and an order of 100.00 to which 400.00 are added. */
async function openOrder(member: { card: string }, ReceiptNumber: string) {
  const web = await openWebShop();
  const EUR = { Currency: "EUR" };
  const Lines = [{ Line: "1", Amount: "100.00" }];
  const amended = JSON.stringify([...Lines, { Line: "2", Amount: "400.00" }]);
  const order = async () => {
    await web.sell({ ReceiptNumber, CardNumber: member.card, Lines, ...EUR });
    await web.call(shopCalls.amendPurchase, { ReceiptNumber, AmendNumber: "1", Lines: amended, ...EUR });
  };
  const takeBack = (more: object = {}) => web.takeBack(ReceiptNumber, undefined, { ...EUR, ...more });
  return { IdShop: String(web.shopId), order, takeBack };
}

test("a return that is attached to an order that was edited takes what was added, too", async () => {
  const member = await addMember();
  const { IdShop, order, takeBack } = await openOrder(member, "#1");
  await order();
  const before = (await member.points()).Available;
  const [returned, typo] = [till.newNumber(), till.newNumber()];
  const send = () => till.takeBack(typo, undefined, { ReceiptNumber: returned });
  const answer = await send();
  expect(answer).toMatchObject({ Waiting: true });
  const attach = (OriginalAmount: string) =>
    owner.call(calls.decideReturn, {
      ...{ ...of(returned), Decision: "attach", OriginalReceiptNumber: "#1", OriginalIdShop: IdShop },
      ...{ OriginalAmount, OriginalDay: "2026-03-10" },
    });
  expect(await refusalOf(attach("400.00"))).toMatchObject({ code: "receipt_not_found" });
  expect(await attach("500.00")).toEqual({ Taken: 500, Reissued: 0 });
  expect((await member.points()).Available).toBe(before - 500);
  expect(await refusalOf(takeBack())).toMatchObject({ code: "more_than_bought" });
  expect(await send()).toEqual(answer);
  await expectInvariants(database);
});

test("a return that does not fit takes what is left of an order that was edited, with what was added", async () => {
  const member = await addMember();
  const { IdShop, order, takeBack } = await openOrder(member, "#2");
  await takeBack({ ReceiptNumber: "R-2", Amount: "450.00", MayArriveEarly: "true" });
  await order();
  const apply = { ...of("R-2"), IdShop, Decision: "apply" } as const;
  expect(await owner.call(calls.decideReturn, apply)).toEqual({ Taken: 450, Reissued: 0 });
  expect((await takeBack()).Points.Taken).toBe(50);
  await expectInvariants(database);
});

import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { exportCustomer } from "#identity/calls.ts";
import { claimReceipt } from "#loyalty/calls.ts";
import * as customersCalls from "#office/customers/calls.ts";
import * as shopsCalls from "#office/shops/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as calls from "#till/calls.ts";

const { addMember, addPerson, clock, database, openOffice, openTill } = await openTestOffice();
const owner = await openOffice("owner");
const service = await openOffice("service");
const refused = { code: "own_card", status: 409 };
type Till = Awaited<ReturnType<typeof openTill>>;
type Member = Awaited<ReturnType<typeof addMember>>;

const recordCard = (till: Till, own: Member) =>
  owner.call(shopsCalls.recordCard, { IdStaff: String(till.person.id), CardNumber: own.card });

/** A till with a person signed in whose own card is known, and a colleague who signs in there instead. */
async function openWithColleague(own: Member) {
  const till = await openTill();
  await recordCard(till, own);
  const colleague = await addPerson(till.shopId);
  const signIn = ({ id, pin }: typeof colleague) => till.call(calls.signIn, { IdStaff: id, Pin: pin });
  /** What the colleague rings up, after which the first person is signed in again. */
  async function byColleague<T>(work: () => Promise<T>): Promise<T> {
    await signIn(colleague);
    const done = await work();
    await signIn(till.person);
    return done;
  }
  return { ...till, byColleague };
}

async function erase({ id }: Member) {
  const { IdRequest } = await service.call(customersCalls.eraseCustomer, { IdCustomer: id, Reason: "request" });
  await owner.call(customersCalls.approveRequest, { IdRequest });
}

test("nobody takes back, exchanges or voids a purchase of their own card; a colleague does", async () => {
  const own = await addMember();
  const till = await openWithColleague(own);
  const ReceiptNumber = till.newNumber();
  await till.byColleague(() => till.sell({ ReceiptNumber, CardNumber: own.card, Amount: "50.00" }));
  const back = () => ({ ReceiptNumber: till.newNumber(), OriginalReceiptNumber: ReceiptNumber });
  expect(await refusalOf(till.call(calls.postReturn, back()))).toMatchObject(refused);
  expect(await refusalOf(till.call(calls.voidSale, { ReceiptNumber }))).toMatchObject(refused);
  const ReturnOf = JSON.stringify({ OriginalReceiptNumber: ReceiptNumber });
  expect(await refusalOf(till.sell({ Amount: "60.00", ReturnOf }))).toMatchObject(refused);
  const batch = { Items: JSON.stringify([{ Kind: "return", ...back() }]), SentAt: till.moments().SentAt };
  expect((await till.call(calls.postBatch, batch)).Outcomes).toMatchObject([
    { Status: 409, Problem: { code: "own_card" } },
  ]);
  expect(await till.byColleague(() => till.call(calls.postReturn, back()))).toMatchObject({
    Refunds: [{ Amount: "50.00" }],
  });
});

test("an own return that arrives before its sale waits for a person instead of being applied", async () => {
  const own = await addMember();
  const till = await openWithColleague(own);
  const [sold, returned] = [till.newNumber(), till.newNumber()];
  const early = { ReceiptNumber: returned, OriginalReceiptNumber: sold };
  expect(await till.call(calls.postReturn, early)).toMatchObject({ Waiting: true });
  await till.byColleague(() => till.sell({ ReceiptNumber: sold, CardNumber: own.card, Amount: "50.00" }));
  const { rows } = await database.execute(sql`
    select state from shop_return where shop_id = ${till.shopId} and number = ${returned}`);
  expect(rows).toEqual([{ state: "conflict" }]);
});

test("erasing the own account does not shed the mark: a new one with the same mailbox or phone is theirs too", async () => {
  const mailbox = randomUUID();
  const mobilePhone = "+33612345777";
  const own = await addMember(0, { email: `${mailbox}@exemple.fr`, mobilePhone });
  const till = await openWithColleague(own);
  await erase(own);
  const { rows } = await database.execute<{ person: Buffer }>(
    sql`select person from staff_own_person where staff_id = ${till.person.id}`,
  );
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows.map(({ person }) => person.toString("latin1")))).not.toMatch(/exemple|33612345777/);

  const byAddress = await addMember(0, { email: `${mailbox}+2@exemple.fr` });
  const byPhone = await addMember(0, { mobilePhone });
  const stranger = await addMember();
  for (const again of [byAddress, byPhone]) {
    expect(await refusalOf(till.sell({ CardNumber: again.card, Amount: "50.00" }))).toMatchObject(refused);
    const { ClaimCode = "" } = await till.sell({ Amount: "50.00" });
    expect(await refusalOf(again.call(claimReceipt, { ClaimCode }))).toMatchObject(refused);
    await till.byColleague(() => till.sell({ CardNumber: again.card, Amount: "50.00" }));
  }
  await till.sell({ CardNumber: stranger.card, Amount: "50.00" });
  const exported = (customer: Member) => customer.call(exportCustomer);
  expect(JSON.stringify(await exported(byAddress))).toContain('"ownCardOfStaff":true');
  expect(JSON.stringify(await exported(stranger))).toContain('"ownCardOfStaff":false');
});

test("after an erasure, too, nobody decides in the back office about an account of their own", async () => {
  const email = `${randomUUID()}@exemple.fr`;
  const own = await addMember(0, { email });
  const till = await openTill();
  const manager = await openOffice("service");
  await owner.call(shopsCalls.recordCard, { IdStaff: String(manager.id), CardNumber: own.card });
  await erase(own);
  const again = await addMember(0, { email });
  const asked = await service.call(customersCalls.eraseCustomer, { IdCustomer: again.id, Reason: "request" });
  expect(await refusalOf(manager.call(customersCalls.approveRequest, asked))).toMatchObject({ code: "second_person" });
  const adjustment = { IdCustomer: again.id, Points: "10", Reason: "gesture", CustomerText: "Un geste" } as const;
  expect(await manager.call(customersCalls.adjustPoints, adjustment)).toMatchObject({ Waiting: true });
  await till.sell({ CardNumber: again.card, Amount: "10.00" });
});

test("for seven days, what a new colleague sells to a card of the staff waits for somebody else; a claim does too", async () => {
  const manager = await openOffice("shop");
  const own = await addMember();
  await owner.call(shopsCalls.recordCard, { IdStaff: String(manager.id), CardNumber: own.card });
  const till = await openTill(manager.shopId ?? 0);
  const begun = clock.now;
  await database.execute(sql`
    update staff set created_at = ${begun.toISOString()}, added_by = ${manager.id} where id = ${till.person.id}`);
  const sell = (CardNumber: string) => till.sell({ CardNumber, Amount: "50.00" });

  const CardNumber = own.card;
  expect(await till.call(calls.quote, { CardNumber, Amount: "50.00" })).toMatchObject({ Waiting: true });
  const ReceiptNumber = till.newNumber();
  const sold = await till.sell({ ReceiptNumber, CardNumber, Amount: "50.00" });
  expect(sold).toMatchObject({ Waiting: true, WaitingPoints: 50, Points: { Earned: 0 } });
  const { ClaimCode = "" } = await till.sell({ Amount: "20.00" });
  expect(await own.call(claimReceipt, { ClaimCode })).toMatchObject({ Waiting: true, Points: { Earned: 0 } });
  expect(await sell((await addMember()).card)).toMatchObject({ Points: { Earned: 50 } });

  const { Conflicts } = await owner.call(shopsCalls.listConflicts, { IdShop: String(till.shopId) });
  expect(Conflicts.map(({ Reason }) => Reason)).toEqual(["points_new_staff", "points_new_staff"]);
  const release = { IdShop: String(till.shopId), ReceiptNumber, Reason: "Vu en caisse", Decision: "release" } as const;
  expect(await refusalOf(manager.call(shopsCalls.decidePoints, release))).toMatchObject({ code: "own_card" });
  expect(await owner.call(shopsCalls.decidePoints, release)).toEqual({ Points: 50 });

  clock.now = new Date(begun.getTime() + 8 * 24 * 3_600_000);
  await till.call(calls.signIn, { IdStaff: till.person.id, Pin: till.person.pin });
  expect(await sell(own.card)).toMatchObject({ Points: { Earned: 50 } });
  clock.now = begun;
});

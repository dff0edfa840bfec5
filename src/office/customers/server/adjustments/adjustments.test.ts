import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { readHistory } from "#loyalty/calls.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import * as calls from "#office/customers/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { emailsTo } from "#testing/people.server.ts";
import { publishNow } from "#testing/programme.server.ts";

const { addCustomer, addMember, clock, database, openOffice, openShop } = await openTestOffice();
type Office = Awaited<ReturnType<typeof openOffice>>;

const adjust = (office: Office, IdCustomer: number, Points: number, more: object = {}, idempotencyKey?: string) =>
  office.call(
    calls.adjustPoints,
    { IdCustomer, Points, CustomerText: "Un geste pour votre retard", Reason: "gesture", ...more },
    idempotencyKey ? { idempotencyKey } : {},
  );
const available = async (member: { points: () => Promise<{ Available: number }> }) => (await member.points()).Available;

test("points are added and taken with the text that the customer reads; the status counts what was added", async () => {
  const service = await openOffice("service");
  const member = await addMember();
  expect(await adjust(service, member.id, 120)).toMatchObject({ Waiting: false, Points: { Available: 370, Debt: 0 } });
  expect(await adjust(service, member.id, -20, { CustomerText: "Une erreur de notre part" })).toMatchObject({
    Points: { Available: 350 },
  });
  const { Entries } = await member.call(readHistory);
  expect(Entries.slice(0, 2)).toMatchObject([
    { Kind: "adjust", Label: "Une erreur de notre part", Points: -20, Balance: 350 },
    { Kind: "adjust", Label: "Un geste pour votre retard", Points: 120, Balance: 370 },
  ]);
  expect((await member.points()).EarnedLast12Months).toBe(370);
});

test("more than the balance is refused, as is who is no member, a guest, nobody, and a text too long", async () => {
  const service = await openOffice("service");
  const member = await addMember();
  await adjust(service, member.id, -240);
  expect(await refusalOf(adjust(service, member.id, -10.5 as never))).toMatchObject({ code: "invalid" });
  const poor = await addMember();
  await adjust(service, poor.id, -249);
  const owner = await openOffice("owner");
  expect(await refusalOf(adjust(owner, (await addCustomer()).id, 10))).toMatchObject({ code: "no_member" });
  expect(await refusalOf(adjust(owner, (await addCustomer({ guest: true })).id, 10))).toMatchObject({
    code: "not_found",
  });
  expect(await refusalOf(adjust(owner, 999_999_999, 10))).toMatchObject({ code: "not_found" });
  expect(await refusalOf(adjust(owner, member.id, 1, { CustomerText: "x".repeat(81) }))).toMatchObject({
    code: "invalid",
  });
  expect(await refusalOf(adjust(owner, member.id, 1, { Reason: "because" }))).toMatchObject({ code: "invalid" });
});

test("points are worth what the reward gives that gives most: to the customer, in the record, for the day's limit", async () => {
  const service = await openOffice("service");
  let kept: Rules["rewards"] = [];
  const raise = ({ rewards }: Rules) => {
    kept = rewards;
    return { rewards: rewards.map((reward) => (reward.id === 3 ? { ...reward, amountCents: 10_000 } : reward)) };
  };
  await publishNow(database, raise, { now: clock.now });
  const [one, other, rich] = [await addMember(), await addMember(), await addMember(1_380)];
  try {
    // One voucher of 100 euros for 1250 points, one of 10 euros for 250; 130 points are left over.
    expect((await rich.points()).Value.Amount).toBe("110.00");
    const record = await service.call(calls.readCustomer, { IdCustomer: rich.id });
    expect(record.Points).toMatchObject({ Available: 1_630, Value: { Amount: "110.00" } });
    // 8 cents each: 125 points are the 10 euros of a day, and the record says so beforehand.
    expect((await service.call(calls.readCustomer, { IdCustomer: one.id })).Free).toEqual({
      Points: 125,
      Cents: 1_000,
    });
    expect(await adjust(service, one.id, 125)).toMatchObject({ Waiting: false });
    expect(await adjust(service, other.id, 126)).toMatchObject({ Waiting: true });
  } finally {
    await publishNow(database, { rewards: kept }, { now: clock.now });
  }
});

test("a debt is settled by what is given", async () => {
  const service = await openOffice("service");
  const member = await addMember();
  const shop = await openShop();
  const ReceiptNumber = shop.newNumber();
  await shop.sell({ ReceiptNumber, CardNumber: member.card, Amount: "100.00" });
  await member.obtain();
  await shop.takeBack(ReceiptNumber);
  expect(await member.points()).toMatchObject({ Available: 0, Debt: 0 });
  await adjust(service, member.id, 50);
  expect(await available(member)).toBe(50);
});

test("two adjustments of 200 at once: one is done, the other waits; the same one again does not wait twice", async () => {
  const member = await addMember();
  const [one, two] = [await openOffice("service"), await openOffice("service")];
  const both = await Promise.all([adjust(one, member.id, 200), adjust(two, member.id, 200)]);
  expect(both.map(({ Waiting }) => Waiting).sort()).toEqual([false, true]);
  expect(await available(member)).toBe(450);
  expect(await refusalOf(adjust(one, member.id, 200))).toMatchObject({ code: "already_asked" });
});

test("one colleague's day ends at 1000 points, counted over customers, also at once", async () => {
  const service = await openOffice("service");
  const members = await Promise.all(Array.from({ length: 6 }, () => addMember()));
  const done = await Promise.all(members.map(({ id }) => adjust(service, id, 200)));
  expect(done.filter(({ Waiting }) => Waiting)).toHaveLength(1);
  const start = clock.now;
  clock.now = new Date(start.getTime() + 24 * 3_600_000);
  const next = await openOffice("service");
  expect((await adjust(next, members[0]?.id ?? 0, 200)).Waiting).toBe(false);
  clock.now = start;
});

test("a large adjustment needs a fresh proof; a small one does not", async () => {
  const service = await openOffice("service");
  const member = await addMember();
  const start = clock.now;
  clock.now = new Date(start.getTime() + 6 * 60_000);
  expect(await refusalOf(adjust(service, member.id, 251))).toMatchObject({ code: "proof_needed" });
  expect((await adjust(service, member.id, 250)).Waiting).toBe(false);
  clock.now = start;
});

test("a double click with one idempotency key has one effect and one row of the audit log", async () => {
  const service = await openOffice("service");
  const member = await addMember();
  const [one, two] = await Promise.all([1, 2].map(() => adjust(service, member.id, 50, {}, "key-1")));
  expect(one).toEqual(two);
  expect(await available(member)).toBe(300);
  const { rows } = await database.execute(
    sql`select reason, after from audit_log where action = 'points_adjusted' and customer_id = ${member.id}`,
  );
  expect(rows).toHaveLength(1);
  expect(await refusalOf(adjust(service, member.id, 51, {}, "key-1"))).toMatchObject({ code: "key_reused" });
});

test("nobody gives themselves points alone, nor approves them", async () => {
  const service = await openOffice("service");
  const own = await addMember();
  await database.execute(sql`update staff set own_customer_id = ${own.id} where id = ${service.id}`);
  expect((await service.call(calls.readCustomer, { IdCustomer: own.id })).Free).toEqual({ Points: 0, Cents: 0 });
  const { Waiting, IdRequest } = await adjust(service, own.id, 10);
  expect(Waiting).toBe(true);
  const other = await openOffice("owner");
  const forOwn = await adjust(other, own.id, 300);
  const approve = (office: Office, id: number) => office.call(calls.approveRequest, { IdRequest: id });
  expect(await refusalOf(approve(service, forOwn.IdRequest))).toMatchObject({ code: "second_person" });
  await approve(other, IdRequest);
  expect(await available(own)).toBe(260);
});

test("who asked cannot approve; who did not can, once, and at once by two people has one effect", async () => {
  const [asker, one, two] = [await openOffice("service"), await openOffice("service"), await openOffice("owner")];
  const member = await addMember();
  const { Waiting, IdRequest } = await adjust(asker, member.id, 400, { Note: "Colis perdu, appel du 10 mars" });
  expect(Waiting).toBe(true);
  expect(await available(member)).toBe(250);
  const { Requests } = await two.call(calls.listApprovals);
  expect(Requests.find((request) => request.IdRequest === IdRequest)).toMatchObject({
    ...{ Kind: "points", Points: 400, Mine: false, Note: "Colis perdu, appel du 10 mars" },
    ...{ Firstname: "Camille", Value: { Amount: "16.00" } },
  });
  const approve = (office: Office) => office.call(calls.approveRequest, { IdRequest });
  expect(await refusalOf(approve(asker))).toMatchObject({ status: 409, code: "second_person" });
  expect(await refusalOf(asker.call(calls.declineRequest, { IdRequest }))).toMatchObject({ code: "second_person" });
  const outcomes = await Promise.allSettled([approve(one), approve(two)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await available(member)).toBe(650);
  expect(await refusalOf(approve(one))).toMatchObject({ code: "already_decided" });
  expect(await refusalOf(one.call(calls.approveRequest, { IdRequest: 999_999 }))).toMatchObject({ code: "not_found" });
});

test("what no longer fits at approval is refused and waits on; declined it has no effect", async () => {
  const [asker, approver] = [await openOffice("service"), await openOffice("owner")];
  const member = await addMember(50);
  const { IdRequest } = await adjust(asker, member.id, -300);
  await member.obtain();
  const decide = (line: typeof calls.approveRequest | typeof calls.declineRequest) =>
    approver.call(line, { IdRequest });
  expect(await refusalOf(decide(calls.approveRequest))).toMatchObject({ code: "balance_too_low" });
  const record = await approver.call(calls.readCustomer, { IdCustomer: member.id });
  expect(record.Requests).toMatchObject([{ IdRequest, Points: -300, Mine: false }]);
  await decide(calls.declineRequest);
  expect(await available(member)).toBe(50);
  expect((await approver.call(calls.readCustomer, { IdCustomer: member.id })).Requests).toEqual([]);
});

test("a voucher is given with its email; beyond 10 euros a day a second person decides", async () => {
  const [service, owner] = [await openOffice("service"), await openOffice("owner")];
  const member = await addMember();
  const give = (IdLoyaltyReward: number) =>
    service.call(calls.giveVoucher, { IdCustomer: member.id, IdLoyaltyReward, Reason: "complaint" });
  expect(await give(1)).toMatchObject({ Waiting: false, Points: { Available: 250 } });
  const record = await service.call(calls.readCustomer, { IdCustomer: member.id });
  expect(record.Vouchers).toMatchObject([{ State: "available", Value: { Amount: "10.00" } }]);
  expect(record.Free).toEqual({ Points: 0, Cents: 0 });
  const email = (await emailsTo(database, member.email)).find((mail) => mail.content.subject?.startsWith("Un bon de"));
  expect(email?.content.text).toContain(record.Vouchers[0]?.Code.slice(-4));
  const { Waiting, IdRequest } = await give(1);
  expect(Waiting).toBe(true);
  await owner.call(calls.approveRequest, { IdRequest });
  expect((await service.call(calls.readCustomer, { IdCustomer: member.id })).Vouchers).toHaveLength(2);
  expect(await refusalOf(give(99))).toMatchObject({ code: "not_found" });
});

test("the panel says when points that it adds expire, as they then do", async () => {
  const service = await openOffice("service");
  const member = await addMember();
  const { AddedExpireAt } = await service.call(calls.readCustomer, { IdCustomer: member.id });
  await adjust(service, member.id, 10);
  const { rows } = await database.execute<{ end: string }>(
    sql`select expires_at as end from loyalty_entry where customer_id = ${member.id} and points = 10`,
  );
  expect(new Date(rows[0]?.end ?? "").toISOString()).toBe(AddedExpireAt);
});

test("a record has ready-made texts for adjustments in the customer's language, which fit into the history", async () => {
  const service = await openOffice("service");
  for (const [language, first] of [
    ["fr", "Un geste de notre part"],
    ["en", "A gesture from us"],
    ["de", "Eine Aufmerksamkeit von uns"],
  ] as const) {
    const member = await addMember(0, { language });
    const { AdjustmentTexts } = await service.call(calls.readCustomer, { IdCustomer: member.id });
    expect(AdjustmentTexts[0]).toBe(first);
    for (const CustomerText of AdjustmentTexts) await adjust(service, member.id, 1, { CustomerText });
  }
});

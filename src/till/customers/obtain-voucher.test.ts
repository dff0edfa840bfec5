import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createTillCode, listCustomerRewards } from "#loyalty/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "#till/calls.ts";

const { addMember, clock, database, emails, openTill } = await openTestTill();
type Till = Awaited<ReturnType<typeof openTill>>;

async function scan(till: Till, CardNumber: string, EntryMode: "scanned" | "typed" = "scanned") {
  const { Customers } = await till.call(calls.identify, { CardNumber, EntryMode });
  return Customers[0]?.CustomerToken ?? "";
}
const change = (till: Till, CustomerToken: string, Points: number) =>
  till.call(calls.obtainVoucher, { CustomerToken, IdLoyaltyReward: "1", Points: String(Points) });
const changeByCode = (till: Till, CustomerToken: string, Code: string, Points = 550) =>
  till.call(calls.obtainVoucher, { CustomerToken, IdLoyaltyReward: "1", Points: String(Points), Code });
async function find(till: Till, Email: string) {
  const { Customers } = await till.call(calls.identify, { Email });
  return Customers[0]?.CustomerToken ?? "";
}
const refused = async (obtaining: Promise<unknown>) => (await refusalOf(obtaining)).code;

test("points become a voucher for the sale in hand, once, and the customer gets it by email", async () => {
  const till = await openTill();
  const member = await addMember(300);
  const token = await scan(till, member.card);
  const { Voucher, Points } = await change(till, token, 550);
  expect(Points.Available).toBe(300);
  expect(Voucher).toMatchObject({ Value: "10.00", State: "available" });
  const { CustomerRewards } = await member.call(listCustomerRewards, { LoyaltyRewardState: "available" });
  expect(CustomerRewards).toHaveLength(1);
  expect(Voucher.Code).not.toBe(CustomerRewards[0]?.Code);
  // A response that was lost: the points are not those of before.
  expect(await refused(change(till, token, 550))).toBe("reward_changed");
  const subjects = (await emails(member.email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => /10\s€/.test(subject ?? ""))).toHaveLength(1);
  const sold = await till.sell({ CardNumber: member.card, Amount: "50.00", VoucherCodes: Voucher.VoucherToken });
  expect(sold.Vouchers).toMatchObject([{ Value: "10.00", Taken: "10.00" }]);
  const { rows } = await database.execute<{ before: object; after: object }>(sql`
    select before, after from audit_log where action = 'voucher_obtained' and customer_id = ${member.id}`);
  expect(rows).toEqual([
    { before: { points: 550 }, after: { points: 300, reward: 1, valueCents: 1_000, agreedBy: "card" } },
  ]);
  await expectInvariants(database);
});

test("a card that was typed, a name, an address, another till's scan and an old one are not the customer's word", async () => {
  const till = await openTill();
  const member = await addMember(300);
  expect(await refused(change(till, await scan(till, member.card, "typed"), 550))).toBe("card_needed");
  const { Customers } = await till.call(calls.identify, { Email: member.email, EntryMode: "scanned" });
  expect(await refused(change(till, Customers[0]?.CustomerToken ?? "", 550))).toBe("card_needed");
  await till.sell({ CardNumber: member.card, Amount: "20.00" });
  const { Members } = await till.call(calls.searchByName, { Text: "Camille" });
  expect(await refused(change(till, Members[0]?.CustomerToken ?? "", 550))).toBe("card_needed");
  const neighbour = await openTill(till.shopId);
  const token = await scan(neighbour, member.card);
  expect(await refused(change(till, token, 550))).toBe("card_needed");
  clock.now = new Date(clock.now.getTime() + 16 * 60_000);
  await neighbour.call(calls.signIn, { IdStaff: neighbour.person.id, Pin: neighbour.person.pin });
  expect(await refused(change(neighbour, token, 550))).toBe("invalid");
  const later = await neighbour.call(calls.identify, { Email: member.email });
  expect(await refused(change(neighbour, later.Customers[0]?.CustomerToken ?? "", 550))).toBe("card_needed");
  expect((await member.points()).Available).toBe(570);
});

test("spending is refused as everywhere: unconfirmed, blocked, too few points, the own card", async () => {
  const till = await openTill();
  const unconfirmed = await addMember(300);
  await database.execute(sql`update customer set email_verified_at = null where id = ${unconfirmed.id}`);
  expect(await refused(change(till, await scan(till, unconfirmed.card), 550))).toBe("email_unconfirmed");
  const blocked = await addMember(300);
  const token = await scan(till, blocked.card);
  await database.execute(sql`update customer set blocked_at = now() where id = ${blocked.id}`);
  expect(await refused(change(till, token, 550))).toBe("card_blocked");
  const poor = await addMember();
  await poor.obtain();
  await till.sell({ CardNumber: poor.card, Amount: "1.00" });
  const few = await scan(till, poor.card);
  const { Available } = await poor.points();
  if (Available > 0) expect(await refused(change(till, few, Available))).toBe("not_enough_points");
  const own = await addMember(300);
  await database.execute(sql`update staff set own_customer_id = ${own.id} where id = ${till.person.id}`);
  expect(await refused(change(till, await scan(till, own.card), 550))).toBe("own_card");
});

test("the code on the customer's phone is their word too, once, for five minutes, and a new one ends the one before", async () => {
  const till = await openTill();
  const member = await addMember(300);
  const token = await find(till, member.email);
  expect(await refused(changeByCode(till, token, "123456"))).toBe("till_code_invalid");
  const { Code: former } = await member.call(createTillCode, {});
  const { Code, ExpiresAt } = await member.call(createTillCode, {});
  expect(Code).toMatch(/^\d{6}$/);
  expect(Date.parse(ExpiresAt) - clock.now.getTime()).toBe(5 * 60_000);
  if (former !== Code) expect(await refused(changeByCode(till, token, former))).toBe("till_code_invalid");
  const stranger = await addMember(300);
  expect(await refused(changeByCode(till, await find(till, stranger.email), Code))).toBe("till_code_invalid");
  // A refusal for another reason leaves it good.
  expect(await refused(changeByCode(till, token, Code, 549))).toBe("reward_changed");
  const both = await Promise.allSettled([changeByCode(till, token, Code), changeByCode(till, token, Code)]);
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await refused(changeByCode(till, token, Code, 300))).toBe("till_code_invalid");
  expect((await member.points()).Available).toBe(300);
  const { rows } = await database.execute<{ after: object }>(sql`
    select after from audit_log where action = 'voucher_obtained' and customer_id = ${member.id}`);
  expect(rows).toMatchObject([{ after: { agreedBy: "code" } }]);
  const late = await stranger.call(createTillCode, {});
  clock.now = new Date(clock.now.getTime() + 5 * 60_000);
  await till.call(calls.signIn, { IdStaff: till.person.id, Pin: till.person.pin });
  expect(await refused(changeByCode(till, await find(till, stranger.email), late.Code))).toBe("till_code_invalid");
  await expectInvariants(database);
});

test("five wrong tries end a code, and wrong codes count against the till", async () => {
  const till = await openTill();
  const member = await addMember(300);
  const token = await find(till, member.email);
  const { Code } = await member.call(createTillCode, {});
  const wrong = Code === "000000" ? "000001" : "000000";
  for (let n = 0; n < 5; n += 1) expect(await refused(changeByCode(till, token, wrong))).toBe("till_code_invalid");
  expect(await refused(changeByCode(till, token, Code))).toBe("till_code_invalid");
  const { rows } = await database.execute<{ failed_attempts: number }>(sql`
    select sum(failed_attempts)::integer as failed_attempts from shop_key_use u join shop_key k using (prefix)
    where k.shop_id = ${till.shopId}`);
  expect(rows[0]?.failed_attempts).toBeGreaterThanOrEqual(6);
});

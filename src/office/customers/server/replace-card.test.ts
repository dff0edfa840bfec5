import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { readLoyalty } from "#loyalty/calls.ts";
import * as calls from "#office/customers/calls.ts";
import { identify } from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { emailsTo } from "#testing/people.server.ts";
import { identify as identifyAtTill } from "#till/calls.ts";

const { addCustomer, addMember, addTill, clock, database, openOffice, openShop, openTill } = await openTestOffice();
const service = await openOffice("service");

const replace = ({ id }: { id: number }, more: { PhoneLost?: boolean } = {}) =>
  service.call(calls.replaceCard, { IdCustomer: id, Reason: "request", Note: "Carte perdue", ...more });
const saleOf = async (shopId: number, number: string) => {
  const { rows } = await database.execute<{ customer: number | null; earned: number; claim: string | null }>(sql`
    select customer_id::integer as customer, earned, claim_code as claim from shop_sale
    where shop_id = ${shopId} and number = ${number}`);
  return rows[0];
};

test("a replaced card is refused by keys and tills at once, and the new number names the customer", async () => {
  const member = await addMember(300);
  const { CardNumber } = await replace(member);
  expect(CardNumber).toMatch(/^29\d{11}$/);
  expect(CardNumber).not.toBe(member.card);
  expect((await service.call(calls.readCustomer, { IdCustomer: member.id })).CardNumber).toBe(CardNumber);
  const shop = await addTill((await openShop()).shopId);
  const till = await openTill();
  const lookUps = [
    (number: string) => shop.call(identify, { CardNumber: number }),
    (number: string) => till.call(identifyAtTill, { CardNumber: number }),
  ];
  for (const lookUp of lookUps) {
    expect(await refusalOf(lookUp(member.card))).toMatchObject({ status: 409, code: "card_blocked" });
    expect((await lookUp(CardNumber)).Customers).toHaveLength(1);
  }
});

test("a sale with the replaced card is stored without a customer, with its code; one made before the replacement counts", async () => {
  const member = await addMember();
  const { shopId } = await openShop();
  const till = await addTill(shopId);
  const before = new Date(clock.now.getTime() - 60_000).toISOString();
  await replace(member);
  const [late, early] = [till.newNumber(), till.newNumber()];
  await till.sell({ ReceiptNumber: late, CardNumber: member.card, Amount: "40.00" });
  await till.sell({ ReceiptNumber: early, CardNumber: member.card, Amount: "40.00", SoldAt: before });
  expect(await saleOf(shopId, late)).toMatchObject({ customer: null, claim: expect.any(String) });
  expect(await saleOf(shopId, early)).toMatchObject({ customer: member.id });
});

test("the customer is told, the numbers are in the log where an erasure deletes them, and the old one still finds them", async () => {
  const member = await addMember();
  const { CardNumber } = await replace(member);
  const email = (await emailsTo(database, member.email)).at(-1);
  expect(email?.content.text).toContain(member.card.slice(-4));
  expect(email?.content.text).not.toContain(CardNumber);
  const { Entries } = await service.call(calls.readTimeline, { IdCustomer: member.id, Show: "team" });
  expect(Entries.find(({ Kind }) => Kind === "card_replaced")).toMatchObject({
    ...{ Reason: "request", Note: "Carte perdue" },
    Changes: [{ Field: "CardNumber", Before: member.card, After: CardNumber }],
  });
  const { Customers } = await service.call(calls.findCustomers, { Search: member.card });
  expect(Customers.map(({ IdCustomer }) => IdCustomer)).toEqual([member.id]);
  const exported = await service.call(calls.exportCustomer, { IdCustomer: member.id, Reason: "request" });
  expect(JSON.stringify(exported)).toContain(member.card);
  const { IdRequest } = await service.call(calls.eraseCustomer, { IdCustomer: member.id, Reason: "request" });
  await (await openOffice("owner")).call(calls.approveRequest, { IdRequest });
  const { rows } = await database.execute(sql`
    select from loyalty_card where number in (${member.card}, ${CardNumber})
    union all select from audit_personal where personal::text like ${`%${CardNumber}%`}
    union all select from audit_log where concat(before, after) like ${`%${CardNumber}%`}`);
  expect(rows).toEqual([]);
});

test("after a lost phone the customer is signed out everywhere", async () => {
  const member = await addMember();
  await replace(member, { PhoneLost: true });
  expect(await refusalOf(member.call(readLoyalty))).toMatchObject({ code: "not_signed_in" });
});

test("a customer without a card has none to replace", async () => {
  expect(await refusalOf(replace(await addCustomer()))).toMatchObject({ status: 409, code: "no_member" });
});

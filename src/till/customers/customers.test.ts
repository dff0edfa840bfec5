import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { refusalOf } from "#testing/club.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "#till/calls.ts";

const { addCustomer, addMember, database, openTill } = await openTestTill({ RATE_LIMITS: "on" });

async function rename(id: number, firstname: string, lastname: string) {
  await database.execute(sql`update customer set firstname = ${firstname}, lastname = ${lastname} where id = ${id}`);
}

test("a customer with an account who never joined is enrolled once, with one welcome gift and one consent", async () => {
  const till = await openTill();
  const { email, id } = await addCustomer();
  expect((await refusalOf(till.call(calls.identify, { Email: email }))).status).toBe(404);
  const { Customers } = await till.call(calls.enrol, { Email: email });
  expect(Customers).toMatchObject([{ Points: 250, Vouchers: [] }]);
  const again = await till.call(calls.enrol, { Email: email });
  expect(again.Customers).toMatchObject([{ Points: 250 }]);
  const { rowCount } = await database.execute(
    sql`select from consent where customer_id = ${id} and subject = 'loyalty' and given`,
  );
  expect(rowCount).toBe(1);
  await till.sell({ CustomerToken: again.Customers[0]?.CustomerToken, Amount: "10.00" });
  await expectInvariants(database);
});

test("a former member is enrolled again with the same points and no second gift; vouchers and card number are not told", async () => {
  const till = await openTill();
  const member = await addMember(250);
  await member.obtain();
  await database.execute(
    sql`update loyalty_account set state = 'left', left_at = now() where customer_id = ${member.id}`,
  );
  const { Customers } = await till.call(calls.enrol, { Email: member.email });
  expect(Customers).toMatchObject([{ Vouchers: [] }]);
  expect(JSON.stringify(Customers)).not.toContain(member.card);
  const { rows } = await database.execute(
    sql`select before, after from audit_log where customer_id = ${member.id} and action = 'join'`,
  );
  expect(rows).toEqual([{ before: { state: "left" }, after: { state: "active" } }]);
  await expectInvariants(database);
});

test("an unknown address and a blocked customer are not enrolled; a token of another shop is none", async () => {
  const [till, other] = [await openTill(), await openTill()];
  expect(await refusalOf(till.call(calls.enrol, { Email: "nobody@exemple.fr" }))).toMatchObject({ code: "not_found" });
  const blocked = await addCustomer();
  await database.execute(sql`update customer set blocked_at = now() where id = ${blocked.id}`);
  expect(await refusalOf(till.call(calls.enrol, { Email: blocked.email }))).toMatchObject({ code: "card_blocked" });
  const member = await addMember();
  const { Customers } = await till.call(calls.identify, { CardNumber: member.card });
  const CustomerToken = Customers[0]?.CustomerToken;
  expect((await refusalOf(other.call(calls.enrol, { CustomerToken }))).status).toBe(400);
});

test("by the beginning of a name a till finds customers of its own shop alone, without vouchers, each logged", async () => {
  const [till, other] = [await openTill(), await openTill()];
  const [here, there, left] = [await addMember(250), await addMember(), await addMember()];
  await here.obtain();
  await rename(here.id, "Zélie", "Quintard");
  await rename(there.id, "Zélie", "Quintana");
  await rename(left.id, "Ines", "Quintal");
  await till.sell({ CardNumber: here.card, Amount: "10.00" });
  await till.sell({ CardNumber: left.card, Amount: "10.00" });
  await other.sell({ CardNumber: there.card, Amount: "10.00" });
  await database.execute(
    sql`update loyalty_account set state = 'left', left_at = now() where customer_id = ${left.id}`,
  );
  const found = await till.call(calls.searchByName, { Text: "quint" });
  expect(found).toMatchObject({ Members: [{ FullName: "Zélie Quintard", Vouchers: [] }], More: false });
  expect(found.Others).toMatchObject([{ FullName: "Ines Quintal" }]);
  expect(found.Members).toHaveLength(1);
  expect((await till.call(calls.searchByName, { Text: "zelie q" })).Members).toHaveLength(1);
  expect((await refusalOf(till.call(calls.searchByName, { Text: "q" }))).status).toBe(400);
  // Someone who has left is enrolled from the list.
  const CustomerToken = found.Others[0]?.CustomerToken;
  expect((await till.call(calls.enrol, { CustomerToken })).Customers).toMatchObject([{ Name: "Ines Q." }]);
  const { rows } = await database.execute(sql`
    select staff_id, count(*)::integer as times from shop_look_up
    where customer_id = ${here.id} and found_by = 'name' group by staff_id`);
  expect(rows).toEqual([{ staff_id: till.person.id, times: 2 }]);
});

test("of a hundred searches by name at once sixty are made", async () => {
  const till = await openTill();
  const looks = await Promise.all(
    Array.from({ length: 100 }, () => refusalOf(till.call(calls.searchByName, { Text: "quint" }))),
  );
  expect(looks.filter(({ code }) => code === "too_many")).toHaveLength(40);
});

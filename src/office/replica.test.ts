import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "#platform/database/database.server.ts";
import { createReadReplica } from "#platform/database/postgres/replica.server.ts";
import { addStaff } from "#staff/staff.server.ts";
import { enter, registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { findCustomers } from "./customers/calls.ts";
import { openOfficeSession } from "./sign-in/session.server.ts";

const standby = await openTestProduct();
const primary = await openTestProduct({}, { replica: standby.database });
const away = openDatabase("postgresql://localhost:1/nowhere");
afterAll(() => away.$client.end());

test("the back office searches customers on the replica, and customers read their own on the primary", async () => {
  await enter(standby.call, registrationForm({ Firstname: "Ondine", Lastname: "Standby" }));
  const { Token } = await enter(primary.call, registrationForm({ Firstname: "Ondine", Lastname: "Primary" }));
  const person = { email: "office@cercle.example", firstname: "Lou", lastname: "Garnier", role: "service" as const };
  const id = await addStaff(primary.database, { ...person, shopId: null });
  const token = await openOfficeSession(primary.database, new Request("https://cercle.example"), id, new Date());
  const { Customers } = await primary.as(undefined, { cookie: `staff.token=${token}` })(findCustomers, {
    Search: "Ondine",
  });
  expect(Customers.map(({ Lastname }) => Lastname)).toEqual(["Standby"]);
  const own = await primary.fetch("/api/customer", { headers: { authorization: `Bearer ${Token}` } });
  expect(await own.json()).toMatchObject({ Lastname: "Primary" });
});

test("while the replica is away the primary is read; another error is not tried twice", async () => {
  const read = createReadReplica(primary.database, away);
  const { rows } = await read((from) => from.execute<{ here: number }>(sql`select 1 as here`));
  expect(rows).toEqual([{ here: 1 }]);
  let tries = 0;
  const wrong = createReadReplica(
    primary.database,
    standby.database,
  )(async (from) => {
    tries += 1;
    await from.execute(sql`select nothing from nowhere`);
  });
  await expect(wrong).rejects.toThrow();
  expect(tries).toBe(1);
});

import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { readCustomer } from "#identity/calls.ts";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { consents } from "#identity/customer/consent/consent.tables.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { emailsTo, enter, form, freshEmail, registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

let failing = false;
const club: ClubHooks = {
  async join(queries, customerId, { locale }) {
    await queries.execute(sql`insert into member (customer_id, locale) values (${customerId}, ${locale})`);
    if (failing) throw new Error("The club is closed.");
  },
  findReferrer: async () => undefined,
  mailWelcome: async () => false,
  isUsedSince: async () => false,
  isMember: sql`exists (select from member where member.customer_id = customer.id)`,
  exportOf: async () => ({}),
  startClean: async () => {},
  hasPass: sql`false`,
  endPasses: async () => false,
  emailChanged: async () => {},
  erase: async () => {},
};
const { call, as, fetch, database } = await openTestProduct({}, { club });
await database.execute(sql`create table member (customer_id bigint primary key, locale text not null)`);

test("the loyalty opt-in of a registration joins the club and is logged", async () => {
  const { Customer, Token } = await enter(call, registrationForm({ LoyaltySubscribe: true, LanguageIsoCode: "en" }));
  expect(Customer.LoyaltySubscribe).toBe(true);
  expect((await as(Token)(readCustomer)).LoyaltySubscribe).toBe(true);
  const log = await database.select().from(consents).where(eq(consents.customerId, Customer.IdCustomer));
  expect(log).toMatchObject([{ subject: "loyalty", given: true, textVersion: expect.stringMatching(/^en-/) }]);
});

test("without the opt-in nobody joins", async () => {
  const { Customer } = await enter(call, registrationForm({ LoyaltySubscribe: false }));
  expect(Customer.LoyaltySubscribe).toBe(false);
});

test("registration and joining are one transaction: when the club fails there is no customer, no member, no mail", async () => {
  const Email = freshEmail();
  const { rowCount: before } = await database.execute(sql`select from member`);
  failing = true;
  const response = await fetch("/api/customer", form(registrationForm({ Email, LoyaltySubscribe: true })));
  failing = false;
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ code: "broken" });
  expect(await database.select().from(customers).where(eq(customers.email, Email))).toEqual([]);
  expect((await database.execute(sql`select from member`)).rowCount).toBe(before);
  expect(await emailsTo(database, Email)).toEqual([]);
  await enter(call, registrationForm({ Email, LoyaltySubscribe: true }));
});

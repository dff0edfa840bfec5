import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { refusalOf } from "#testing/club.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "#till/calls.ts";

const { database, openTill } = await openTestTill();
const person = (number: string) => ({ Email: `${number}@exemple.fr`, Firstname: "Ines", Lastname: "Faure" });

test("phone and consents that a new member gives at the till are recorded as given in the shop", async () => {
  const till = await openTill();
  const form = { ...person(till.newNumber().toLowerCase()), MobilePhone: "06 12 34 56 78" };
  await till.call(calls.join, { ...form, NewsletterSubscribe: true, NewsletterSmsSubscribe: true });
  const { rows } = await database.execute<{
    mobile_phone: string;
    subject: string;
    given: boolean;
    source: string;
  }>(sql`
    select c.mobile_phone, t.subject, t.given, t.source from customer c join consent t on t.customer_id = c.id
    where c.email = ${form.Email} order by t.subject`);
  const consent = { mobile_phone: "+33612345678", given: true, source: "store" };
  expect(rows).toEqual(["loyalty", "newsletter", "sms"].map((subject) => ({ ...consent, subject })));
  await expectInvariants(database);
});

test("without a word from the customer there is no consent; a phone that is none is refused", async () => {
  const till = await openTill();
  const form = person(till.newNumber().toLowerCase());
  expect((await refusalOf(till.call(calls.join, { ...form, MobilePhone: "12" }))).code).toBe("invalid");
  await till.call(calls.join, form);
  const { rows } = await database.execute<{ subject: string }>(sql`
    select t.subject from customer c join consent t on t.customer_id = c.id where c.email = ${form.Email}`);
  expect(rows).toEqual([{ subject: "loyalty" }]);
});

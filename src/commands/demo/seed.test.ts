import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { customerEmails } from "#identity/customer/customer.tables.server.ts";
import { openSession } from "#identity/session/session.server.ts";
import { listCustomerRewards, listEvents, readHistory, readLoyalty } from "#loyalty/calls.ts";
import { openTestClub } from "#testing/club.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { seedPeople } from "./seed-people.server.ts";

const { database, clock, as } = await openTestClub();

test("each demo customer has the state they are meant to demonstrate, and seeding twice adds nobody", async () => {
  const options = { now: clock.now, publicUrl: "https://cercle.test", passwordHash: null };
  // As in db/programme.json: the test database starts with points that arrive at once.
  await publishNow(database, { pendingDays: 14 }, { now: clock.now, startsAt: new Date("2020-01-01T00:00:00Z") });
  expect(await seedPeople(database, options)).toHaveLength(8);
  expect(await seedPeople(database, options)).toEqual([]);
  const people = new Map((await database.select().from(customerEmails)).map((row) => [row.email, row.customerId]));
  const tokens = new Map<string, string>();
  for (const [email, id] of people) tokens.set(email, (await openSession(database, id, { device: null })).token);
  const call = (email: string) => as(tokens.get(email));

  expect(await call("camille@exemple.fr")(readLoyalty)).toMatchObject({
    Tier: { Rank: 2 },
    LoyaltyCustomerState: true,
    Points: { Available: 855, Pending: 120 },
  });
  const { CustomerRewards } = await call("camille@exemple.fr")(listCustomerRewards);
  expect(CustomerRewards.map((voucher) => voucher.LoyaltyRewardState)).toEqual(["available", "used", "expired"]);
  expect(await call("lea@exemple.fr")(readLoyalty)).toMatchObject({ Tier: { Rank: 1 }, Points: { Available: 300 } });
  expect(await call("hannah@beispiel.de")(readLoyalty)).toMatchObject({ Tier: { Rank: 3 }, NextTier: null });
  // Arrived yesterday.
  expect((await call("hannah@beispiel.de")(readHistory)).Entries[0]).toMatchObject({ Kind: "purchase", Points: 420 });
  const { Expiring } = (await call("oliver@example.com")(readLoyalty)).Points;
  const days = (Date.parse(Expiring?.Date ?? "") - clock.now.getTime()) / 86_400_000;
  expect(Expiring?.Points).toBe(300);
  expect(days).toBeGreaterThan(5);
  expect(days).toBeLessThan(30);
  const { Entries, NextCursor } = await call("margaux@exemple.fr")(readHistory);
  expect(NextCursor).not.toBeNull();
  const older = await call("margaux@exemple.fr")(readHistory, { Cursor: NextCursor ?? "" });
  expect([...Entries, ...older.Entries].map(({ Kind }) => Kind)).toContain("expiry");
  expect(await call("julien@exemple.fr")(readLoyalty)).toMatchObject({
    LoyaltyCustomerState: false,
    Points: { Available: 310 },
  });
  expect(await call("sophie@exemple.fr")(readLoyalty)).toMatchObject({ LoyaltyCustomerState: false });
  // Nothing of the past was written today.
  const { rows: written } = await database.execute(sql`
    select name, bool_or(at > now() - interval '1 hour') as now from (
      select 'consent' as name, customer_id, at from consent
      union all select 'letter', customer_id, queued_at from mail) written
    where customer_id = ${people.get("margaux@exemple.fr")} group by name order by name`);
  expect(written).toEqual([
    { name: "consent", now: false },
    { name: "letter", now: false },
  ]);
  // A price that a shop would ask, whatever a status multiplies.
  const { rows: odd } = await database.execute(sql`
    select number from shop_sale, jsonb_array_elements(lines) line where (line ->> 'cents')::integer % 100 <> 0`);
  expect(odd).toEqual([]);
  const { Events } = await call("antoine@exemple.fr")(listEvents);
  expect(Events.map((event) => event.State)).toEqual([
    "obtained",
    "obtained",
    "available",
    "locked",
    "available",
    "available",
  ]);
});

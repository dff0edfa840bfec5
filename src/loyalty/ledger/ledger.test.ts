import { and, eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { obtainReward, readHistory, readLoyalty, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { openTestClub, refusalOf } from "#testing/club.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";
import { credit, refreshAccount } from "./ledger.server.ts";
import { entries, lots } from "./ledger.tables.server.ts";
import { ledgerJobs } from "./ledger-jobs.server.ts";

const { addCustomer, database, clock } = await openTestClub();
const start = clock.now;
const dayMs = 86_400_000;

async function addMember() {
  clock.now = start;
  const member = await addCustomer();
  await member.call(subscribe);
  const grant = (points: number, cause: string, now = clock.now) =>
    credit(database, { customerId: member.id, points, kind: "grant", cause, label: {}, now });
  const available = async () => (await member.call(readLoyalty)).Points.Available;
  return { ...member, grant, available };
}

const action = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ do: "join" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "leave" as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("credit" as const),
      points: fc.integer({ min: 1, max: 700 }),
      cause: fc.nat(12),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("obtain" as const), reward: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.constant({ do: "expire" as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("wait" as const), days: fc.integer({ min: 1, max: 500 }) }) },
);

test("after random actions in random order every invariant holds, and the balance is the model's", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
      clock.now = start;
      const { id, call } = await addCustomer();
      // The model is a list of lots, in the order in which they expire.
      let member = false;
      let welcomed = false;
      let model: { points: number; expiresAt: number }[] = [];
      const seen = new Set<number>();
      const total = () => model.reduce((sum, lot) => sum + lot.points, 0);
      const expiryOf = async () =>
        Date.parse(
          String(
            (
              await database.execute(
                sql`select to_char((club_day_end((club_day(${clock.now.toISOString()}::timestamptz)
                  + interval '24 months')::date)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`,
              )
            ).rows[0]?.["at"],
          ),
        );
      const earn = async (points: number) => {
        model.push({ points, expiresAt: await expiryOf() });
      };
      const spend = (points: number) => {
        for (const lot of model) {
          const taken = Math.min(lot.points, points);
          lot.points -= taken;
          points -= taken;
        }
      };
      for (const step of actions) {
        model = model.filter((lot) => lot.expiresAt > clock.now.getTime());
        if (step.do === "wait") clock.now = new Date(clock.now.getTime() + step.days * dayMs);
        if (step.do === "join") {
          await call(subscribe);
          if (!welcomed) await earn(250);
          member = welcomed = true;
        }
        if (step.do === "leave") {
          await call(unsubscribe);
          member = false;
        }
        if (step.do === "expire") await refreshAccount(database, id, clock.now);
        if (step.do === "credit") {
          const movement = { customerId: id, points: step.points, label: {}, now: clock.now };
          const given = credit(database, { ...movement, kind: "grant", cause: `grant:${step.cause}` });
          if (!member) await expect(given).rejects.toThrow("not_a_member");
          else {
            expect((await given).moved).toBe(!seen.has(step.cause));
            if (!seen.has(step.cause)) await earn(step.points);
            seen.add(step.cause);
          }
        }
        if (step.do === "obtain") {
          const cost = [250, 500, 1250][step.reward - 1] ?? 0;
          const { code } = await refusalOf(call(obtainReward, { IdLoyaltyReward: step.reward }));
          expect(code).toBe(!member ? "not_a_member" : total() < cost ? "not_enough_points" : undefined);
          if (!code) spend(cost);
        }
        model = model.filter((lot) => lot.expiresAt > clock.now.getTime());
        expect((await call(readLoyalty)).Points.Available).toBe(total());
        await expectInvariants(database);
      }
    }),
    { numRuns: 12 },
  );
});

test("the same cause moves points once, also in 50 concurrent calls", async () => {
  const { grant, available } = await addMember();
  const granted = await Promise.all(Array.from({ length: 50 }, () => grant(100, "grant:one")));
  expect(granted.filter(({ moved }) => moved)).toHaveLength(1);
  expect(new Set(granted.map(({ entryId }) => entryId)).size).toBe(1);
  expect(await available()).toBe(350);
});

test("concurrent credits and debits of one account add up exactly", async () => {
  const { grant, call, available } = await addMember();
  const outcomes = await Promise.all([
    ...Array.from({ length: 25 }, (_, n) => grant(50, `grant:${n}`)),
    ...Array.from({ length: 25 }, () => refusalOf(call(obtainReward, { IdLoyaltyReward: 1 }))),
  ]);
  const obtained = outcomes.filter((outcome) => "status" in outcome && outcome.status === undefined).length;
  expect(await available()).toBe(250 + 25 * 50 - obtained * 250);
});

test("entries cannot be updated, deleted or truncated", async () => {
  const { id } = await addMember();
  await expect(database.update(entries).set({ points: 9000 }).where(eq(entries.customerId, id))).rejects.toThrow();
  await expect(database.delete(entries).where(eq(entries.customerId, id))).rejects.toThrow();
  await expect(database.execute(sql`truncate loyalty_entry cascade`)).rejects.toThrow();
});

test("points expire 24 months after they were earned, at the end of that day in Paris", async () => {
  const { available, call } = await addMember();
  clock.now = new Date("2028-03-10T22:59:58Z");
  expect(await available()).toBe(250);
  clock.now = new Date("2028-03-10T22:59:59Z");
  // No job has run, but the points no longer count.
  expect(await available()).toBe(0);
  expect((await call(readLoyalty)).Points.Expiring).toBeNull();
  expect(await refusalOf(call(obtainReward, { IdLoyaltyReward: 1 }))).toMatchObject({ code: "not_enough_points" });
});

test("a late job writes each expiry once, with the day of the expiry", async () => {
  const { id, grant, as } = await addMember();
  clock.now = new Date(start.getTime() + 100 * dayMs);
  await grant(70, "grant:later");
  clock.now = new Date("2028-03-20T12:00:00Z");
  const jobs = ledgerJobs({ publicUrl: "https://cercle.test", now: () => clock.now });
  await jobs["loyalty:refresh"]?.({}, database);
  await jobs["loyalty:expire"]?.({}, database);
  const { Entries } = await as("fr")(readHistory);
  expect(Entries[0]).toMatchObject({
    Kind: "expiry",
    Label: "Points expirés",
    Date: "2028-03-10T22:59:59.000Z",
    Points: -250,
    Balance: 70,
    ExpiresAt: null,
  });
  expect(Entries).toHaveLength(3);
  const left = await database
    .select()
    .from(lots)
    .where(and(eq(lots.customerId, id), sql`remaining > 0`));
  expect(left.map(({ remaining }) => remaining)).toEqual([70]);
});

test("20 concurrent jobs and a credit expire the same points once", async () => {
  const { id, grant, available } = await addMember();
  clock.now = new Date("2028-03-11T12:00:00Z");
  await Promise.all([
    ...Array.from({ length: 20 }, () => refreshAccount(database, id, clock.now)),
    grant(80, "grant:between"),
  ]);
  const expiries = await database.execute(sql`select from loyalty_entry where customer_id = ${id} and kind = 'expiry'`);
  expect(expiries.rowCount).toBe(1);
  expect(await available()).toBe(80);
});

test("a movement debits expired points before it checks the balance", async () => {
  const { grant, call } = await addMember();
  clock.now = new Date("2028-03-09T12:00:00Z");
  await grant(200, "grant:young");
  clock.now = new Date("2028-03-11T12:00:00Z");
  expect(await refusalOf(call(obtainReward, { IdLoyaltyReward: 1 }))).toMatchObject({ code: "not_enough_points" });
  expect((await grant(50, "grant:more")).balance).toBe(250);
  expect((await call(obtainReward, { IdLoyaltyReward: 1 })).Points.Available).toBe(0);
});

test("the points that expire first are spent first, whenever they were credited", async () => {
  const { id, grant, call } = await addMember();
  clock.now = new Date(start.getTime() + 30 * dayMs);
  await grant(100, "grant:young");
  const earnedAt = new Date(start.getTime() - 300 * dayMs);
  await credit(database, {
    customerId: id,
    points: 100,
    kind: "grant",
    cause: "grant:old",
    label: {},
    now: clock.now,
    earnedAt,
  });
  expect((await call(readLoyalty)).Points.Expiring).toEqual({ Points: 100, Date: "2027-05-14" });
  await call(obtainReward, { IdLoyaltyReward: 1 });
  const left = await database
    .select({ remaining: lots.remaining })
    .from(lots)
    .where(eq(lots.customerId, id))
    .orderBy(lots.expiresAt);
  expect(left.map(({ remaining }) => remaining)).toEqual([0, 100, 100]);
  expect((await call(readLoyalty)).Points.Expiring).toEqual({ Points: 100, Date: "2028-03-10" });
});

test("points of several credits that expire on one day are added up", async () => {
  const { grant, call } = await addMember();
  await grant(30, "grant:same-day", new Date("2026-03-10T20:00:00Z"));
  await grant(9, "grant:next-day", new Date("2026-03-10T23:30:00Z"));
  expect((await call(readLoyalty)).Points.Expiring).toEqual({ Points: 280, Date: "2028-03-10" });
});

import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readLoyalty } from "#loyalty/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { ledgerJobs } from "#loyalty/ledger/ledger-jobs.server.ts";
import { queryProgramme } from "#loyalty/programme/programme.server.ts";
import { rulesOf } from "#loyalty/programme/versions/versions.server.ts";
import { mails } from "#platform/mail/mail.tables.server.ts";
import * as shopCalls from "#shop/calls.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { addMember, clock, database, openShop } = await openTestShop();
const start = clock.now;
const original = rulesOf(await queryProgramme(database, 4, clock.now));
/** Each test is three years after the one before, so that no version of another promises anything. */
let years = 0;
beforeEach(async () => {
  years += 3;
  clock.now = new Date(start);
  clock.now.setUTCFullYear(start.getUTCFullYear() + years);
  await publishNow(database, original, { now: clock.now });
});

/** The rule is written twice: for one customer, and for the whole club at once. */
afterEach(async () => {
  const one = sql`select a.customer_id, s.tier_id, s.until from loyalty_account a
    cross join lateral loyalty_status(a.customer_id, p.id, p.tier_months, club_day(${clock.now})) s
    join loyalty_tier t on t.programme_id = p.id and t.id = s.tier_id where t.points_required > 0`;
  const all = sql`select customer_id, tier_id, until from loyalty_statuses(p.id, p.tier_months, club_day(${clock.now}))`;
  const { rows } = await database.execute(sql`select different.*
    from loyalty_programme_at(4, ${clock.now}) p cross join lateral (
      (${one} except ${all}) union all (${all} except ${one})) different`);
  expect(rows).toEqual([]);
});

const after = (days: number) => new Date(clock.now.getTime() + days * 86_400_000);
type Member = Awaited<ReturnType<typeof addMember>>;
const statusOf = async (member: Member) => (await member.call(readLoyalty)).Tier;

test("a status is kept until the day that was promised when a version counts fewer months", async () => {
  const member = await addMember(1_000);
  const promised = await statusOf(member);
  expect(promised).toMatchObject({ Name: "Soie" });
  clock.now = after(213);
  await publishNow(database, { tierMonths: 6 }, { now: clock.now });
  clock.now = after(1);
  expect(await statusOf(member)).toMatchObject({ Name: "Soie", Until: promised?.Until, PointsToKeep: 1_000 });

  const till = await openShop();
  const [found] = (await till.call(shopCalls.identify, { CardNumber: member.card })).Customers;
  expect(found?.Tier).toMatchObject({ Name: "Soie" });
  const quoted = await till.call(shopCalls.quote, {
    CardNumber: member.card,
    Lines: JSON.stringify([{ Line: "1", Amount: "100.00", Earns: true }]),
  });
  expect(quoted.Points.Earned).toBe(125);

  clock.now = new Date(`${promised?.Until}T12:00:00Z`);
  expect(await statusOf(member)).toMatchObject({ Name: "Soie" });
  clock.now = after(1);
  expect(await statusOf(member)).toMatchObject({ Name: "Coton", Until: null });
});

test("a status is kept until the day that was promised when a version asks for more points", async () => {
  const member = await addMember(1_000);
  const promised = await statusOf(member);
  clock.now = after(30);
  const raised = ({ tiers }: typeof original) => ({
    tiers: tiers.map((tier) => (tier.pointsRequired > 0 ? { ...tier, pointsRequired: tier.pointsRequired * 2 } : tier)),
  });
  await publishNow(database, raised, { now: clock.now });
  expect(await statusOf(member)).toMatchObject({ Name: "Soie", Until: promised?.Until });
  clock.now = after(40);
  const newcomer = await addMember(1_000);
  expect(await statusOf(newcomer)).toMatchObject({ Name: "Coton" });
});

test("what is earned after the change can hold a status for longer than was promised, by the new rules", async () => {
  const member = await addMember(1_000);
  clock.now = after(300);
  await publishNow(database, { tierMonths: 6 }, { now: clock.now });
  clock.now = after(30);
  const earned = { customerId: member.id, points: 1_000, kind: "grant" as const, cause: "later", label: {} };
  await credit(database, { ...earned, now: clock.now });
  const until = new Date(clock.now);
  until.setUTCMonth(until.getUTCMonth() + 6);
  expect(await statusOf(member)).toMatchObject({ Name: "Soie", Until: until.toISOString().slice(0, 10) });
});

test("a kept status that ends is told 30 days before", async () => {
  const member = await addMember(1_000);
  const until = (await statusOf(member))?.Until ?? "";
  clock.now = after(213);
  await publishNow(database, { tierMonths: 6 }, { now: clock.now });
  const jobs = ledgerJobs({ publicUrl: "https://cercle.test", now: () => clock.now });
  const told = () =>
    database
      .select({ cause: mails.cause })
      .from(mails)
      .where(sql`${eq(mails.customerId, member.id)} and cause like 'lapse:status:%'`);
  clock.now = new Date(Date.parse(`${until}T08:00:00Z`) - 31 * 86_400_000);
  await jobs["loyalty:warn"]?.({}, database);
  expect(await told()).toEqual([]);
  clock.now = after(1);
  await jobs["loyalty:warn"]?.({}, database);
  expect(await told()).toEqual([{ cause: `lapse:status:30:${member.id}:${until}` }]);
});

import { expect, test } from "vitest";
import { listTiers, obtainReward, readLoyalty, subscribe } from "#loyalty/calls.ts";
import { openTestClub } from "#testing/club.server.ts";
import { credit } from "./ledger.server.ts";

const { addCustomer, database, clock } = await openTestClub();

async function addMember(joinedAt: string) {
  clock.now = new Date(joinedAt);
  const member = await addCustomer();
  await member.call(subscribe);
  const grant = (points: number, day: string) => {
    clock.now = new Date(day);
    const cause = `grant:${day}:${points}`;
    return credit(database, { customerId: member.id, points, kind: "grant", cause, label: {}, now: clock.now });
  };
  const read = async (moment: string) => {
    clock.now = new Date(moment);
    return member.call(readLoyalty);
  };
  return { ...member, grant, read };
}

test("the tiers are listed in the caller's language", async () => {
  const { as } = await addCustomer();
  expect((await as("de")(listTiers)).Tiers.map(({ Name, PointsRequired }) => [Name, PointsRequired])).toEqual([
    ["Baumwolle", 0],
    ["Seide", 1000],
    ["Kaschmir", 3000],
  ]);
});

test("a tier follows the points earned in 12 months: spending does not lower it", async () => {
  const { grant, call, read } = await addMember("2026-03-10T10:00:00Z");
  await grant(1000, "2026-03-11T10:00:00Z");
  expect(await read("2026-03-12T10:00:00Z")).toMatchObject({
    Points: { Available: 1250, EarnedLast12Months: 1250, Value: { Amount: "50.00" } },
    Tier: { Rank: 2, Name: "Soie" },
    NextTier: { Name: "Cachemire", PointsRequired: 3000, PointsMissing: 1750 },
  });
  await call(obtainReward, { IdLoyaltyReward: 3 });
  expect(await read("2026-03-12T10:00:00Z")).toMatchObject({
    Points: { Available: 0, EarnedLast12Months: 1250, Value: { Amount: "0.00" } },
    Tier: { Rank: 2 },
  });
});

test("the value is what whole vouchers bring: 1 240 points are 40 euros", async () => {
  const { grant, read } = await addMember("2026-03-10T10:00:00Z");
  await grant(990, "2026-03-11T10:00:00Z");
  expect((await read("2026-03-12T10:00:00Z")).Points).toMatchObject({
    Available: 1240,
    Value: { Amount: "40.00" },
  });
});

test("the highest tier has no next one", async () => {
  const { grant, read } = await addMember("2026-03-10T10:00:00Z");
  await grant(2750, "2026-03-11T10:00:00Z");
  expect(await read("2026-03-12T10:00:00Z")).toMatchObject({
    Tier: { Rank: 3, Until: "2027-03-10" },
    NextTier: null,
  });
});

test("Until is the last day of the tier if nothing more is earned", async () => {
  const { grant, read } = await addMember("2026-01-05T10:00:00Z");
  await grant(400, "2026-02-10T10:00:00Z");
  await grant(600, "2026-05-20T10:00:00Z");
  // The 250 stop counting after 5 January 2027 and 1 000 remain; without the 400 of February the tier ends.
  expect((await read("2026-06-01T10:00:00Z")).Tier).toMatchObject({ Rank: 2, Until: "2027-02-10" });
  expect(await read("2027-02-10T22:59:59Z")).toMatchObject({
    Points: { EarnedLast12Months: 1000 },
    Tier: { Rank: 2, Until: "2027-02-10" },
  });
  expect(await read("2027-02-10T23:00:00Z")).toMatchObject({
    Points: { EarnedLast12Months: 600 },
    Tier: { Rank: 1, Until: null },
    NextTier: { PointsMissing: 400 },
  });
});

test("days are counted in Paris: points of 23:30 UTC on 31 December belong to the new year", async () => {
  const { grant, read } = await addMember("2024-06-01T10:00:00Z");
  await grant(1000, "2025-12-31T23:30:00Z");
  expect((await read("2026-02-01T10:00:00Z")).Tier).toMatchObject({ Rank: 2, Until: "2027-01-01" });
  expect((await read("2027-01-01T22:59:59Z")).Points.EarnedLast12Months).toBe(1000);
  expect((await read("2027-01-01T23:00:00Z")).Points.EarnedLast12Months).toBe(0);
});

test("points of 28 and 29 February both count until 28 February of the next year", async () => {
  const { grant, read } = await addMember("2023-01-01T10:00:00Z");
  await grant(10, "2024-02-28T10:00:00Z");
  await grant(20, "2024-02-29T10:00:00Z");
  expect((await read("2025-02-28T12:00:00Z")).Points.EarnedLast12Months).toBe(30);
  expect((await read("2025-03-01T12:00:00Z")).Points.EarnedLast12Months).toBe(0);
});

import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { checkRules } from "#loyalty/programme/rules.ts";
import { compareRules } from "#loyalty/programme/versions/differences.ts";
import { refusalOf } from "#testing/club.server.ts";
import { fieldsOf, openTestDrafts } from "#testing/drafts.server.ts";
import * as calls from "./calls.ts";

const { after, database, marketing, save, today } = await openTestDrafts();

test("a draft with gaps is saved and says what is missing; asking to publish it is refused beside each field", async () => {
  const { Revision, Problems } = await save(({ tiers, rewards }) => ({
    tiers: tiers.map((tier, n) => ({
      ...tier,
      pointsRequired: n === 2 ? 900 : tier.pointsRequired,
      benefits: n === 2 ? { ...tier.benefits, fr: [...tier.benefits.fr, "Livraison le jour même"] } : tier.benefits,
    })),
    rewards: rewards.map((reward, n) => (n === 0 ? { ...reward, points: 0, minimumBasketCents: 500 } : reward)),
  }));
  const expected = [
    ["tiers.2.pointsRequired", "ascending"],
    ["tiers.2.benefits.en.4", "required"],
    ["tiers.2.benefits.de.4", "required"],
    ["rewards.0.points", "above_zero"],
    ["rewards.0.minimumBasketCents", "below_value"],
  ];
  expect(Problems.map(({ field, code }) => [field, code])).toEqual(expected);
  expect(Problems[0]?.message).toContain("seuil");
  const asked = marketing.call(calls.askToPublish, { Revision: String(Revision), StartsAt: after(600).toISOString() });
  expect(await fieldsOf(asked)).toEqual(expected);
});

test("a euro earns 100 points at most, so that every sale's points can be stored", async () => {
  const rated = (pointsPerEuro: number) =>
    save(({ tiers }) => ({
      pointsPerEuro,
      tiers: tiers.map((tier, n) => ({ ...tier, multiplierHundredths: n === 2 ? 200 : 100 })),
    }));
  expect((await rated(50)).Problems).toEqual([]);
  await database.execute(sql`update loyalty_draft set state = 'discarded' where state in ('open', 'asked')`);
  const { Problems } = await rated(51);
  expect(Problems).toMatchObject([{ field: "tiers.2.multiplierHundredths", code: "too_many_points" }]);
});

test("whom customers ask is an address and a number that can be called, or nobody", async () => {
  const problemsOf = async (contactEmail: string | null, contactPhone: string | null) => {
    const { Problems } = await save(() => ({ contactEmail, contactPhone }));
    await database.execute(sql`update loyalty_draft set state = 'discarded' where state in ('open', 'asked')`);
    return Problems.map(({ field, code }) => [field, code]);
  };
  expect(await problemsOf("bonjour@cercle.example", "+33 (0)1 99.00-12 34")).toEqual([]);
  expect(await problemsOf(null, null)).toEqual([]);
  expect(await problemsOf("bonjour", "appelez-nous")).toEqual([
    ["contactEmail", "email"],
    ["contactPhone", "phone"],
  ]);
});

test("an id far from those in use is refused: the next one could not be added", async () => {
  const added = (id: number) =>
    save(({ rewards }) => ({ rewards: rewards.map((reward, n) => (n === 2 ? { ...reward, id } : reward)) }));
  expect((await added(11)).Problems).toEqual([]);
  await database.execute(sql`update loyalty_draft set state = 'discarded' where state in ('open', 'asked')`);
  expect(await fieldsOf(added(1_000))).toEqual([["rewards.2.id", "invalid"]]);
});

test.each([
  ["no JSON", "{"],
  ["another field", JSON.stringify({ other: 1 })],
])("rules that are malformed are refused: %s", async (_, Rules) => {
  const saved = marketing.call(calls.saveDraft, { Revision: "0", Label: "X", Rules });
  expect(await refusalOf(saved)).toMatchObject({ status: 400, code: "invalid" });
});

test.each(["Soie\u0000", "Soie\ud800 fine", "Soie\nfine", "Soie\u2028fine"])(
  "a text of the rules is one line that can be stored: %j is refused",
  async (fr) => {
    const saved = save(({ tiers }) => ({ tiers: tiers.map((tier) => ({ ...tier, name: { ...tier.name, fr } })) }));
    expect(await fieldsOf(saved)).toEqual([["tiers.0.name.fr", "invalid"]]);
  },
);

test("an event that the product cannot see is refused, and one it can keeps its proof", async () => {
  const invented = save(({ events }) => ({ events: events.map((event) => ({ ...event, id: event.id + 50 })) }));
  expect(await fieldsOf(invented)).toEqual([["events.0.id", "invalid"]]);
  await save(({ events }) => ({ events: events.map((event) => ({ ...event, proof: "newsletter" })) }));
  const { Draft, Current } = await marketing.call(calls.readRules);
  expect(Draft?.Rules.events).toEqual(Current.Rules.events);
});

test("points for a friend arrive no sooner than those of the purchase, and for a friend at least, unless there are none", async () => {
  const before = { ...(await today()), pendingDays: 10 };
  const problemsOf = (points: number, days: number, perYear: number) =>
    checkRules({ ...before, referral: { points, days, perYear } }).map(({ field, code }) => [field, code]);
  expect(problemsOf(50, 9, 0)).toEqual([
    ["referral.days", "below_pending"],
    ["referral.perYear", "above_zero"],
  ]);
  expect(problemsOf(50, 10, 1)).toEqual([]);
  expect(problemsOf(0, 0, 0)).toEqual([]);
});

test("what is different is told by rule, with what was added and what is gone", async () => {
  const before = await today();
  expect(checkRules(before)).toEqual([]);
  expect(compareRules(before, before).filter(({ changes }) => changes.length > 0)).toEqual([]);
  const [first, second, third] = before.tiers;
  if (!first || !second || !third) throw new Error("The seed has three tiers.");
  const changed = compareRules(before, {
    ...before,
    referral: { ...before.referral, perYear: 3 },
    tiers: [first, { ...second, multiplierHundredths: 130 }],
    rewards: before.rewards.map((reward) => ({ ...reward, validDays: 120 })),
  }).filter(({ changes }) => changes.length > 0);
  expect(changed.map(({ part, changes }) => [part, ...changes])).toEqual([
    ["referral", "value"],
    ["tiers", "rate"],
    ["tiers", "gone"],
    ["rewards", "validity"],
    ["rewards", "validity"],
    ["rewards", "validity"],
  ]);
});

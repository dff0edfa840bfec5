import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { readProgramme } from "#loyalty/calls.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import { addCampaign, listCampaigns } from "#office/campaigns/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { fieldsOf, openTestDrafts } from "#testing/drafts.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import * as calls from "./calls.ts";

const { after, call, clock, database, marketing, openOffice, owner, save, today } = await openTestDrafts();

test("a draft is saved, asked for, published by a second person and in force from its start", async () => {
  const { Revision } = await save(() => ({ welcomePoints: 300 }));
  const StartsAt = after(60).toISOString();
  await marketing.call(calls.askToPublish, { Revision: String(Revision), StartsAt });
  const asked = (await owner.call(calls.readRules)).Draft;
  expect(asked).toMatchObject({ State: "asked", AskedBy: "Lou Garnier", AskedByMe: false, StartsAt, Problems: [] });
  const alone = marketing.call(calls.publish, { Revision: String(Revision), StartsAt });
  expect(await refusalOf(alone)).toMatchObject({ status: 409, code: "second_person" });
  const { Version } = await owner.call(calls.publish, { Revision: String(Revision), StartsAt });
  expect((await call(readProgramme)).WelcomePoints).toBe(250);
  expect((await owner.call(calls.readRules)).Versions[0]).toMatchObject({ Version, State: "scheduled" });
  clock.now = after(60);
  expect((await call(readProgramme)).WelcomePoints).toBe(300);
  const page = await owner.call(calls.readRules);
  expect(page).toMatchObject({ Current: { Version }, Draft: null });
  expect(
    page.Versions.map(({ State }) => State)
      .filter((state) => state !== "withdrawn")
      .slice(0, 2),
  ).toEqual([...["current", "past"]]);
  // The gift of joining is shown among the events, too.
  expect((await call(readProgramme)).Events[0]?.Points).toBe(300);
  const old = await owner.call(calls.readVersion, { Version: "1" });
  expect(old.Rules.welcomePoints).toBe(250);
});

test("a benefit that contradicts the rate is told as a warning, and can be published", async () => {
  const faster = ({ tiers }: Rules) => ({
    tiers: tiers.map((tier) => (tier.id === 2 ? { ...tier, multiplierHundredths: 150 } : tier)),
  });
  const { Revision, Problems, Warnings } = await save(faster);
  expect(Problems).toEqual([]);
  expect(Warnings).toContainEqual({ field: "tiers.1.benefits.en.1", text: "1.25 points per euro", number: "1.25" });
  expect((await owner.call(calls.readRules)).Draft?.Warnings).toEqual(Warnings);
  await marketing.call(calls.askToPublish, { Revision: String(Revision), StartsAt: after(60).toISOString() });
});

test("the log says who changed what of a draft, from what to what", async () => {
  const log = async () => {
    const { rows } = await database.execute<{ staff_id: number; before: object; after: object }>(
      sql`select staff_id, before, after from audit_log where action = 'programme_saved' order by id desc limit 1`,
    );
    return rows[0];
  };
  const { welcomePoints } = await today();
  const { Revision } = await save(() => ({ welcomePoints: 310 }));
  expect(await log()).toEqual({
    staff_id: marketing.id,
    before: { revision: 0, changed: { welcomePoints } },
    after: { revision: 1, label: "Printemps 2027", changed: { welcomePoints: 310 } },
  });
  // The second person's own changes alone.
  const rewards = (rules: Rules) => rules.rewards.map((one) => (one.id === 1 ? { ...one, points: 1 } : one));
  await save((rules) => ({ welcomePoints: 310, rewards: rewards(rules) }), { Revision, by: owner });
  expect(await log()).toMatchObject({
    staff_id: owner.id,
    before: { changed: { rewards: [{ id: 1, points: 250 }] } },
    after: { changed: { rewards: [{ id: 1, points: 1 }] } },
  });
  expect(JSON.stringify(await log())).not.toContain("welcomePoints");
});

test("of two people who edit one draft the second is told, and nothing is lost", async () => {
  const { Revision } = await save(() => ({ welcomePoints: 310 }));
  await save(() => ({ welcomePoints: 320 }), { Revision, by: owner });
  const second = save(() => ({ pointsPerEuro: 2 }), { Revision });
  expect(await refusalOf(second)).toMatchObject({ status: 409, code: "draft_changed" });
  const { Draft } = await marketing.call(calls.readRules);
  expect(Draft).toMatchObject({ Revision: 2, Rules: { welcomePoints: 320, pointsPerEuro: 1 } });
  const begun = save(() => ({}));
  expect(await refusalOf(begun)).toMatchObject({ code: "draft_changed" });
  const both = await Promise.allSettled([1, 2].map((n) => save(() => ({ welcomePoints: 400 + n }), { Revision: 2 })));
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a version begins a minute ahead at least, and after every other", async () => {
  const { Revision } = await save(() => ({ welcomePoints: 260 }));
  const ask = (StartsAt: Date) =>
    marketing.call(calls.askToPublish, { Revision: String(Revision), StartsAt: StartsAt.toISOString() });
  expect(await fieldsOf(ask(after(59)))).toEqual([["StartsAt", "too_soon"]]);
  const publish = (StartsAt: Date) =>
    owner.call(calls.publish, { Revision: String(Revision), StartsAt: StartsAt.toISOString() });
  const first = after(120);
  await ask(first);
  // The second person is late.
  clock.now = after(100);
  expect(await fieldsOf(publish(first))).toEqual([["StartsAt", "too_soon"]]);
  await ask(after(120));
  const { Version } = await publish(after(120));
  const next = await save(() => ({ welcomePoints: 270 }));
  const early = marketing.call(calls.askToPublish, {
    Revision: String(next.Revision),
    StartsAt: after(90).toISOString(),
  });
  expect(await fieldsOf(early)).toEqual([["StartsAt", "after_scheduled"]]);
  // Every process must know of it in time, as of a version that is published.
  const now = clock.now;
  clock.now = after(60);
  const late = owner.call(calls.withdraw, { Version: String(Version) });
  expect(await refusalOf(late)).toMatchObject({ status: 409, code: "version_begun" });
  clock.now = new Date(now.getTime() + 59_000);
  await owner.call(calls.withdraw, { Version: String(Version) });
  const again = owner.call(calls.withdraw, { Version: String(Version) });
  expect(await refusalOf(again)).toMatchObject({ status: 409, code: "version_begun" });
  expect((await owner.call(calls.readRules)).Versions[0]).toMatchObject({ Version, State: "withdrawn" });
});

test("saving takes a request back, and only the revision that was asked for is published", async () => {
  const { Revision } = await save(() => ({ welcomePoints: 280 }));
  const StartsAt = after(600).toISOString();
  await marketing.call(calls.askToPublish, { Revision: String(Revision), StartsAt });
  const changed = await save(() => ({ welcomePoints: 9_999 }), { Revision });
  for (const revision of [Revision, changed.Revision]) {
    const published = owner.call(calls.publish, { Revision: String(revision), StartsAt });
    expect(await refusalOf(published)).toMatchObject({ code: "draft_changed" });
  }
  await marketing.call(calls.discardDraft, { Revision: String(changed.Revision) });
  expect((await owner.call(calls.readRules)).Draft).toBeNull();
  const gone = owner.call(calls.publish, { Revision: String(changed.Revision), StartsAt });
  expect(await refusalOf(gone)).toMatchObject({ status: 404 });
});

test("the second person publishes the start that they saw, and no other", async () => {
  const { Revision } = await save(() => ({ welcomePoints: 285 }));
  const [seen, sooner] = [after(86_400).toISOString(), after(120).toISOString()];
  for (const StartsAt of [seen, sooner])
    await marketing.call(calls.askToPublish, { Revision: String(Revision), StartsAt });
  const published = owner.call(calls.publish, { Revision: String(Revision), StartsAt: seen });
  expect(await refusalOf(published)).toMatchObject({ status: 409, code: "draft_changed" });
  expect((await owner.call(calls.readRules)).Draft).toMatchObject({ State: "asked", StartsAt: sooner });
});

test("a draft does not undo a version that a command has published since it was begun", async () => {
  const publishByCommand = async () => {
    clock.now = after(1);
    return publishNow(database, ({ tierMonths }) => ({ tierMonths: tierMonths + 1 }), { now: clock.now });
  };
  const ask = (Revision: number, StartsAt: string) =>
    marketing.call(calls.askToPublish, { Revision: String(Revision), StartsAt });
  const { Revision } = await save(() => ({ welcomePoints: 287 }));
  await ask(Revision, after(600).toISOString());
  const { StartsAt } = (await owner.call(calls.readRules)).Draft ?? {};
  await publishByCommand();
  const published = owner.call(calls.publish, { Revision: String(Revision), StartsAt: StartsAt ?? "" });
  expect(await refusalOf(published)).toMatchObject({ status: 409, code: "draft_changed" });
  expect(await refusalOf(ask(Revision, after(600).toISOString()))).toMatchObject({ code: "draft_changed" });
  // Saving it again does not read the other version into it.
  const saved = await save(() => ({ welcomePoints: 288 }), { Revision });
  expect(await refusalOf(ask(saved.Revision, after(600).toISOString()))).toMatchObject({ code: "draft_changed" });
  await marketing.call(calls.discardDraft, { Revision: String(saved.Revision) });
  const begun = await save(() => ({ welcomePoints: 289 }));
  await ask(begun.Revision, after(600).toISOString());
});

test("a campaign for a status that a later version drops is still listed by its name", async () => {
  const { tiers } = await today();
  const office = await openOffice("marketing");
  const names = { NameFr: "Ventes privées", NameEn: "Private sale", NameDe: "Privatverkauf" };
  const texts = { TextFr: "Sept points", TextEn: "Seven points", TextDe: "Sieben Punkte" };
  const period = { From: "2026-12-01", To: "2026-12-31" };
  const { IdCampaign } = await office.call(addCampaign, {
    ...{ ...names, ...texts, ...period, ExtraPoints: "7", IdLoyaltyTier: "3" },
  });
  const tierName = async () =>
    (await office.call(listCampaigns)).Campaigns.find((one) => one.IdCampaign === IdCampaign)?.TierName;
  expect(await tierName()).toBe("Cachemire");
  clock.now = after(1);
  await publishNow(database, { tiers: tiers.filter(({ id }) => id !== 3) }, { now: clock.now });
  expect(await tierName()).toBe("Cachemire");
  await publishNow(database, { tiers }, { now: clock.now });
});

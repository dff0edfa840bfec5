import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { readLoyalty } from "#loyalty/calls.ts";
import * as shopCalls from "#shop/calls.ts";
import { openTestCampaigns } from "#testing/campaigns.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import * as calls from "./calls.ts";

const { addMember, begin, clock, database, hours, launch, openOffice, openShop, today } = await openTestCampaigns();

test("a campaign counts for sales since a colleague approved it; the person who launched it cannot, and once is enough", async () => {
  clock.now = new Date("2026-03-15T10:00:00Z");
  const shop = await openShop();
  const member = await addMember();
  const earned = async (SoldAt = clock.now) => {
    const sold = { CardNumber: member.card, Amount: "20.00", SoldAt: SoldAt.toISOString() };
    const { Points } = await shop.call(shopCalls.quote, { CardNumber: member.card, Amount: "20.00" });
    return { quoted: Points.Earned, sold: (await shop.sell(sold)).Points.Earned };
  };
  const campaign = await launch({ ExtraPoints: "1000", From: "2026-03-15" });
  expect(await campaign.read()).toMatchObject({
    State: "waiting",
    Mine: false,
    AddedBy: "Lou Garnier",
    ExtraCents: 4_000,
  });
  const { Campaigns: own } = await campaign.office.call(calls.listCampaigns);
  expect(own.find(({ IdCampaign }) => IdCampaign === campaign.IdCampaign)).toMatchObject({ Mine: true });
  expect(await earned()).toEqual({ quoted: 20, sold: 20 });
  expect((await member.call(readLoyalty)).Campaigns).toEqual([]);
  const approve = (by: typeof campaign.office) => by.call(calls.approveCampaign, { IdCampaign: campaign.IdCampaign });
  expect(await refusalOf(approve(campaign.office))).toMatchObject({ status: 409, code: "second_person" });
  const unchecked = sql`update campaign set approved_at = created_at, approved_by = created_by
    where id = ${campaign.IdCampaign}`;
  await expect(database.execute(unchecked)).rejects.toThrow();
  clock.now = hours(2);
  const [one, two] = [await openOffice("marketing"), await openOffice("owner")];
  const both = await Promise.allSettled([approve(one), approve(two)]);
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await refusalOf(approve(two))).toMatchObject({ status: 409, code: "already_decided" });
  expect(await campaign.read()).toMatchObject({ State: "running", StartsAt: clock.now.toISOString() });
  // It was not approved yet when this was sold.
  expect(await earned(hours(-1))).toEqual({ quoted: 1_020, sold: 20 });
  expect(await earned()).toEqual({ quoted: 1_020, sold: 1_020 });
  expect((await member.call(readLoyalty)).Campaigns).toHaveLength(1);
  await campaign.end();

  const never = await launch({ ExtraPoints: "5", From: "2026-03-15" });
  await never.end();
  expect(await refusalOf(never.approve())).toMatchObject({ code: "not_found" });
  expect(await never.read()).toMatchObject({ State: "refused" });
  expect(await refusalOf(one.call(calls.approveCampaign, { IdCampaign: 999_999 }))).toMatchObject({
    code: "not_found",
  });
});

test.each([
  [{ ExtraPoints: "5", From: "2026-03-09" }, "From", "in_past"],
  [{ ExtraPoints: "5", To: "2026-03-09" }, "To", "before_start"],
  [{ Multiplier: "1" }, "Multiplier"],
  [{ Multiplier: "1.255" }, "Multiplier"],
  [{ Multiplier: "10.01" }, "Multiplier"],
  [{ ExtraPoints: "10001" }, "ExtraPoints"],
  [{ ExtraPoints: "0" }, "ExtraPoints"],
  [{}, "Multiplier"],
  [{ Multiplier: "2", ExtraPoints: "5" }, "ExtraPoints"],
  [{ ExtraPoints: "5", NameDe: "" }, "NameDe"],
  [{ ExtraPoints: "5", MinimumAmount: "0.00" }, "MinimumAmount"],
  [{ ExtraPoints: "5", MinimumAmount: "5,005" }, "MinimumAmount"],
])("a campaign that cannot be is refused beside its field: %j", async (campaign, field, code?: string) => {
  const failed = await begin(campaign).then(
    () => undefined,
    (error) => error,
  );
  expect(failed?.problem).toMatchObject({ status: 400, errors: [{ field, ...(code && { code }) }] });
});

test.each([
  // A Tuesday at eleven by the club's clock.
  [{ FromHour: "22", ToHour: "2" }, { ToHour: "La plage doit finir après son début" }],
  [{ FromHour: "12", ToHour: "12" }, { ToHour: "La plage doit finir après son début" }],
  [{ FromHour: "24" }, { FromHour: "Indiquez une heure entière" }],
  [
    { FromHour: "9:30", ToHour: "25" },
    { FromHour: "heure entière", ToHour: "heure entière" },
  ],
  [{ ToHour: "0" }, { ToHour: "Indiquez une heure entière" }],
  [{ To: "2026-03-12", Weekdays: "1,5" }, { Weekdays: "Aucun de ces jours" }],
  [{ To: today, ToHour: "11" }, { ToHour: "Ces heures sont passées" }],
  [{ To: "2026-03-16", Weekdays: "2", ToHour: "11" }, { ToHour: "Ces heures sont passées" }],
  [
    { From: "2026-03-09", To: "2026-03-08", FromHour: "9", ToHour: "8" },
    { From: "Ce jour est passé", To: "La fin doit être le jour du début", ToHour: "La plage doit finir" },
  ],
])("days and hours that cannot be are told at their fields, all at once: %j", async (asked, wanted) => {
  const failed = await launch({ ExtraPoints: "5", ...asked }).then(
    () => undefined,
    (error) => error,
  );
  const told = failed?.problem?.errors.map(({ field, message }: { field: string; message: string }) => [
    field,
    message,
  ]);
  const expected = Object.entries(wanted).map(([field, words]) => [field, expect.stringContaining(words)]);
  expect(told).toEqual(expected);
});

test("days and hours of which one is left are no mistake", async () => {
  for (const asked of [
    { To: today, ToHour: "12" },
    { To: "2026-03-17", Weekdays: "2", ToHour: "11" },
    { To: "2026-03-13", Weekdays: "5" },
  ])
    await (await launch({ ExtraPoints: "5", ...asked })).end();
});

test("two people give 10 000 points or ten times the points at most, and the field says so", async () => {
  for (const most of [{ ExtraPoints: "10000" }, { Multiplier: "10" }]) await (await begin(most)).end();
  const messageOf = async (campaign: object) =>
    begin(campaign).then(
      () => undefined,
      (error) => error.problem?.errors[0].message,
    );
  expect(await messageOf({ ExtraPoints: "10001" })).toContain("de 1 à 10\u202f000");
  expect(await messageOf({ Multiplier: "10.01" })).toContain("jusqu’à 10");
});

test("the page counts points beyond what an integer holds", async () => {
  const campaign = await begin({ ExtraPoints: "5", From: "2026-03-20" });
  await database.execute(sql`
    insert into metric_delta (day, metric, part, count, amount)
    values (${today}, 'campaign', ${campaign.IdCampaign}, 1, 3000000000)`);
  const read = await campaign
    .read()
    .finally(() =>
      database.execute(sql`delete from metric_delta where metric = 'campaign' and part = ${campaign.IdCampaign}`),
    );
  expect(read).toMatchObject({ Sales: 1, Points: 3_000_000_000 });
  await campaign.end();
});

test("a campaign is never changed, only ended, once", async () => {
  const campaign = await begin({ ExtraPoints: "5", From: "2026-03-20" });
  expect(await campaign.read()).toMatchObject({ State: "planned" });
  const change = (what: string) => database.execute(sql.raw(`${what} where id = ${campaign.IdCampaign}`));
  for (const what of [
    "update campaign set extra_points = 6",
    "update campaign set ends_at = now()",
    "update campaign set approved_at = now()",
    "delete from campaign",
  ])
    await expect(change(what)).rejects.toThrow();
  const ended = await Promise.allSettled([campaign.end(), campaign.end()]);
  expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await refusalOf(campaign.end())).toMatchObject({ code: "not_found" });
  const unknown = campaign.office.call(calls.endCampaign, { IdCampaign: "999999" });
  expect(await refusalOf(unknown)).toMatchObject({ code: "not_found" });
});

test("a campaign that nobody approved is refused or withdrawn, not ended; its days stay as they were asked", async () => {
  const campaign = await launch({ ExtraPoints: "5", To: "2026-03-24" });
  await (await openOffice("owner")).call(calls.endCampaign, { IdCampaign: campaign.IdCampaign });
  const ends = new Date("2026-03-24T23:00:00Z").toISOString();
  expect(await campaign.read()).toMatchObject({ State: "refused", EndsAt: ends });
  const withdrawn = await launch({ ExtraPoints: "5" });
  await withdrawn.office.call(calls.endCampaign, { IdCampaign: withdrawn.IdCampaign });
  expect(await withdrawn.read()).toMatchObject({ State: "withdrawn" });
  const { rows } = await database.execute(
    sql`select action, after from audit_log where action like 'campaign%' order by id desc limit 4`,
  );
  expect(rows).toMatchObject([
    { action: "campaign_withdrawn", after: { campaign: { fr: "Ventes privées", en: expect.any(String) } } },
    { action: "campaign_added" },
    { action: "campaign_refused", after: { campaign: { fr: "Ventes privées", en: expect.any(String) } } },
    { action: "campaign_added" },
  ]);
});

test("what was refused is not approved afterwards, also by a process whose clock is behind", async () => {
  const [start, campaign] = [clock.now, await launch({ ExtraPoints: "5" })];
  clock.now = new Date(start.getTime() + 1_000);
  await campaign.end();
  clock.now = start;
  expect(await refusalOf(campaign.approve())).toMatchObject({ code: "not_found" });
  expect(await campaign.read()).toMatchObject({ State: "refused" });
});

test("the audit log tells a campaign's last day as it was asked, before and after an early end", async () => {
  const campaign = await begin({ ExtraPoints: "5", To: "2026-03-24" });
  await campaign.end();
  const { rows } = await database.execute(
    sql`select before, after from audit_log where action = 'campaign_ended' order by id desc limit 1`,
  );
  expect(rows).toMatchObject([{ before: { to: "2026-03-24" }, after: { to: today } }]);
});

import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { claimReceipt, readHistory, readLoyalty } from "#loyalty/calls.ts";
import * as shopCalls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as calls from "./calls.ts";

const { addMember, clock, database, openOffice, openShop } = await openTestOffice();
const today = "2026-03-10";
const start = clock.now;
afterEach(() => {
  clock.now = start;
});
const hours = (count: number) => new Date(clock.now.getTime() + count * 3_600_000);

/** Launched by one person, approved by nobody yet. */
async function launch(campaign: object) {
  const office = await openOffice("marketing");
  const names = { NameFr: "Ventes privées", NameEn: "Private sale", NameDe: "Privatverkauf" };
  const texts = { TextFr: "Deux fois plus de points", TextEn: "Twice the points", TextDe: "Doppelte Punkte" };
  const { IdCampaign } = await office.call(calls.addCampaign, {
    ...{ ...names, ...texts, From: today, To: "2026-03-31", ...campaign },
  });
  return {
    // A session of its own: the clock may have moved.
    end: async () => (await openOffice("marketing")).call(calls.endCampaign, { IdCampaign }),
    read: async () =>
      (await (await openOffice("marketing")).call(calls.listCampaigns)).Campaigns.find(
        (one) => one.IdCampaign === IdCampaign,
      ),
    approve: async () => (await openOffice("owner")).call(calls.approveCampaign, { IdCampaign }),
    office,
    IdCampaign,
  };
}

/** Launched and approved at once. Only the campaigns of one test are in force. */
async function begin(campaign: object) {
  const launched = await launch(campaign);
  await launched.approve();
  return launched;
}

test("a sale earns by the best campaign, frozen with it: quote, purchase, history and returns agree", async () => {
  const shop = await openShop();
  const twice = await begin({ Multiplier: "2" });
  const extra = await begin({ ExtraPoints: "30" });
  const member = await addMember();
  const sale = {
    CardNumber: member.card,
    Lines: [
      { Line: "1", Amount: "50.00" },
      { Line: "2", Amount: "40.00" },
    ],
  };
  const quoted = await shop.call(shopCalls.quote, { ...sale, Lines: JSON.stringify(sale.Lines) });
  expect(quoted).toMatchObject({ Points: { Earned: 180 }, Campaign: { Name: "Ventes privées", Points: 90 } });
  const ReceiptNumber = shop.newNumber();
  const sold = await shop.sell({ ...sale, ReceiptNumber });
  expect(sold).toMatchObject({ Points: { Earned: 180 }, Campaign: { Name: "Ventes privées", Points: 90 } });
  const [entry] = (await member.call(readHistory)).Entries;
  expect(entry?.Label).toContain("Ventes privées");
  // Of a small sale the points added are more.
  const small = shop.newNumber();
  expect(await shop.sell({ CardNumber: member.card, Amount: "10.00", ReceiptNumber: small })).toMatchObject({
    Points: { Earned: 40 },
    Campaign: { Points: 30 },
  });
  expect(await twice.read()).toMatchObject({ State: "running", Sales: 1, Points: 90, Cents: 360 });
  await twice.end();
  await extra.end();
  // The rule of the sale counts, also after the campaign has ended.
  const line = (Line: string) => [{ Line }];
  expect(await shop.takeBack(ReceiptNumber, line("2"))).toMatchObject({ Points: { Taken: 80 } });
  expect(await twice.read()).toMatchObject({ State: "over", Sales: 1, Points: 50 });
  expect(await shop.takeBack(ReceiptNumber, line("1"))).toMatchObject({ Points: { Taken: 100 } });
  expect(await twice.read()).toMatchObject({ Points: 0 });
  // Points that were added stay while anything is left.
  expect(await shop.takeBack(small, undefined, { Amount: "9.00" })).toMatchObject({ Points: { Taken: 9 } });
  expect(await shop.takeBack(small)).toMatchObject({ Points: { Taken: 31 } });
  expect(await extra.read()).toMatchObject({ Points: 0 });
  expect((await shop.sell({ CardNumber: member.card, Amount: "10.00" })).Campaign).toBeUndefined();
});

test("what falls below a campaign's least amount by a return loses the points that were added, also by a claim", async () => {
  const shop = await openShop();
  const member = await addMember();
  const campaign = await begin({ ExtraPoints: "500", MinimumAmount: "100.00" });
  const Lines = [
    { Line: "1", Amount: "300.00" },
    { Line: "2", Amount: "100.00" },
  ];
  const ReceiptNumber = shop.newNumber();
  expect(await shop.sell({ CardNumber: member.card, Lines, ReceiptNumber })).toMatchObject({ Points: { Earned: 900 } });
  expect(await shop.takeBack(ReceiptNumber, [{ Line: "1" }])).toMatchObject({ Points: { Taken: 300 } });
  expect(await campaign.read()).toMatchObject({ Points: 500 });
  const cent = [{ Line: "2", Amount: "0.01" }];
  expect(await shop.takeBack(ReceiptNumber, cent)).toMatchObject({ Points: { Taken: 501 } });
  expect(await campaign.read()).toMatchObject({ Points: 0 });

  const claimed = shop.newNumber();
  const { ClaimCode = "" } = await shop.sell({ Amount: "150.00", ReceiptNumber: claimed });
  await shop.takeBack(claimed, undefined, { Amount: "80.00" });
  expect(await member.call(claimReceipt, { ClaimCode })).toMatchObject({ Points: { Earned: 70 } });
  await campaign.end();
});

test("a campaign may ask for a least amount, of what is paid on lines that earn", async () => {
  const shop = await openShop();
  const member = await addMember(250);
  const campaign = await begin({ ExtraPoints: "40", MinimumAmount: "49,90" });
  expect(await campaign.read()).toMatchObject({ MinimumAmount: { Amount: "49.90" } });
  expect((await member.call(readLoyalty)).Campaigns).toMatchObject([{ MinimumAmount: { Amount: "49.90" } }]);
  const given = async (sale: object) => (await shop.sell({ CardNumber: member.card, ...sale })).Campaign?.Points;
  expect(await given({ Amount: "49.89" })).toBeUndefined();
  expect(await given({ Amount: "49.90" })).toBe(40);
  expect(await given({ Amount: "59.89", VoucherCodes: await member.obtain() })).toBeUndefined();
  const Lines = [
    { Line: "1", Amount: "49.89" },
    { Line: "2", Amount: "50.00", Earns: false },
  ];
  expect(await given({ Lines })).toBeUndefined();
  await campaign.end();
});

test("a campaign counts as of SoldAt, and never for a sale of before it was made", async () => {
  // On a day of its own: for sales of that day it stays in force, as it ends later.
  clock.now = new Date("2026-03-13T10:00:00Z");
  const shop = await openShop();
  const member = await addMember();
  const sell = (at: Date) => shop.sell({ CardNumber: member.card, Amount: "20.00", SoldAt: at.toISOString() });
  const campaign = await begin({ ExtraPoints: "5", From: "2026-03-13" });
  expect(await sell(hours(-1))).toMatchObject({ Points: { Earned: 20 } });
  expect(await sell(hours(0))).toMatchObject({ Points: { Earned: 25 } });
  clock.now = hours(3);
  await campaign.end();
  // Sold while it ran, sent after it has ended.
  expect(await sell(hours(-1))).toMatchObject({ Points: { Earned: 25 } });
  expect(await sell(hours(0))).toMatchObject({ Points: { Earned: 20 } });
  const { ClaimCode = "" } = await shop.sell({ Amount: "20.00", SoldAt: hours(-1).toISOString() });
  expect(await member.call(claimReceipt, { ClaimCode })).toMatchObject({ Points: { Earned: 25 } });
  expect(await campaign.read()).toMatchObject({ Sales: 3, Points: 15 });
});

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
  expect(await campaign.read()).toMatchObject({ State: "waiting", Mine: false, AddedBy: "Lou Garnier" });
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

test("by status, by shop, and for who has not bought for months; the member's page shows it to them alone", async () => {
  const [shop, other] = [await openShop("Cercle Rennes"), await openShop()];
  const [cotton, silk] = [await addMember(), await addMember(1_100)];
  const sell = (at: typeof shop, card: string) => at.sell({ CardNumber: card, Amount: "40.00" });
  const shown = async (member: typeof cotton) =>
    (await member.call(readLoyalty)).Campaigns.map(({ Name, ShopName }) => ({ Name, ShopName }));

  const forSilk = await begin({ ExtraPoints: "7", IdLoyaltyTier: "2", NameFr: "Soie seule" });
  expect(await sell(shop, silk.card)).toMatchObject({ Campaign: { Points: 7 } });
  expect((await sell(shop, cotton.card)).Campaign).toBeUndefined();
  expect(await shown(silk)).toEqual([{ Name: "Soie seule", ShopName: null }]);
  expect(await shown(cotton)).toEqual([]);
  await forSilk.end();

  const inShop = await begin({ ExtraPoints: "8", IdShop: String(shop.shopId), NameFr: "À Rennes" });
  expect(await sell(shop, cotton.card)).toMatchObject({ Campaign: { Points: 8 } });
  expect((await sell(other, cotton.card)).Campaign).toBeUndefined();
  expect(await shown(cotton)).toEqual([{ Name: "À Rennes", ShopName: "Cercle Rennes" }]);
  await inShop.end();

  const idle = await begin({ ExtraPoints: "9", IdleMonths: "6", To: "2026-12-31" });
  expect((await sell(shop, cotton.card)).Campaign).toBeUndefined();
  clock.now = new Date("2026-10-01T10:00:00Z");
  expect(await shown(cotton)).toHaveLength(1);
  expect(await sell(shop, cotton.card)).toMatchObject({ Campaign: { Points: 9 } });
  expect((await sell(shop, cotton.card)).Campaign).toBeUndefined();
  expect(await shown(cotton)).toEqual([]);
  const owner = await openOffice("owner");
  await owner.call(calls.endCampaign, { IdCampaign: idle.IdCampaign });
});

test("after months without a purchase it counts once, in whatever order receipts are claimed or sent", async () => {
  const shop = await openShop();
  const [claiming, queued] = [await addMember(), await addMember()];
  const campaign = await begin({ ExtraPoints: "9", IdleMonths: "6", To: "2026-12-31" });
  clock.now = new Date("2026-10-01T10:00:00Z");
  // The newest first.
  for (const [days, Earned] of [
    [1, 29],
    [2, 20],
    [3, 20],
  ] as const) {
    const SoldAt = hours(-24 * days).toISOString();
    const { ClaimCode = "" } = await shop.sell({ Amount: "20.00", SoldAt });
    expect(await claiming.call(claimReceipt, { ClaimCode })).toMatchObject({ Points: { Earned } });
    expect(await shop.sell({ CardNumber: queued.card, Amount: "20.00", SoldAt })).toMatchObject({ Points: { Earned } });
  }
  await campaign.end();
});

test.each([
  [{ ExtraPoints: "5", From: "2026-03-09" }, "From"],
  [{ ExtraPoints: "5", To: "2026-03-09" }, "To"],
  [{ Multiplier: "1" }, "Multiplier"],
  [{ Multiplier: "1.255" }, "Multiplier"],
  [{ Multiplier: "10.01" }, "Multiplier"],
  [{ ExtraPoints: "10001" }, "ExtraPoints"],
  [{ ExtraPoints: "0" }, "ExtraPoints"],
  [{}, "Multiplier"],
  [{ Multiplier: "2", ExtraPoints: "5" }, "ExtraPoints"],
  [{ ExtraPoints: "5", NameDe: "" }, "NameDe"],
  [{ ExtraPoints: "5", MinimumAmount: "0.00" }, "MinimumAmount"],
  [{ ExtraPoints: "5", MinimumAmount: "5 €" }, "MinimumAmount"],
])("a campaign that cannot be is refused beside its field: %j", async (campaign, field) => {
  const failed = await begin(campaign).then(
    () => undefined,
    (error) => error,
  );
  expect(failed?.problem).toMatchObject({ status: 400, errors: [{ field }] });
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
    { action: "campaign_withdrawn", after: { campaign: "Ventes privées" } },
    { action: "campaign_added" },
    { action: "campaign_refused", after: { campaign: "Ventes privées" } },
    { action: "campaign_added" },
  ]);
});

test("the audit log tells a campaign's last day as it was asked, before and after an early end", async () => {
  const campaign = await begin({ ExtraPoints: "5", To: "2026-03-24" });
  await campaign.end();
  const { rows } = await database.execute(
    sql`select before, after from audit_log where action = 'campaign_ended' order by id desc limit 1`,
  );
  expect(rows).toMatchObject([{ before: { to: "2026-03-24" }, after: { to: today } }]);
});

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

/** Only the campaigns of one test are in force. */
async function begin(campaign: object) {
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
    office,
    IdCampaign,
  };
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
  // Points added stay while anything is left.
  expect(await shop.takeBack(small, undefined, { Amount: "9.00" })).toMatchObject({ Points: { Taken: 9 } });
  expect(await shop.takeBack(small)).toMatchObject({ Points: { Taken: 31 } });
  expect(await extra.read()).toMatchObject({ Points: 0 });
  expect((await shop.sell({ CardNumber: member.card, Amount: "10.00" })).Campaign).toBeUndefined();
});

test("a campaign counts as of SoldAt, and never for a sale of before it was made", async () => {
  const shop = await openShop();
  const member = await addMember();
  const sell = (at: Date) => shop.sell({ CardNumber: member.card, Amount: "20.00", SoldAt: at.toISOString() });
  const campaign = await begin({ ExtraPoints: "5" });
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
  [{ Multiplier: "3.01" }, "Multiplier"],
  [{ ExtraPoints: "251" }, "ExtraPoints"],
  [{ ExtraPoints: "0" }, "ExtraPoints"],
  [{}, "Multiplier"],
  [{ Multiplier: "2", ExtraPoints: "5" }, "ExtraPoints"],
  [{ ExtraPoints: "5", NameDe: "" }, "NameDe"],
])("a campaign that cannot be is refused beside its field: %j", async (campaign, field) => {
  const failed = await begin(campaign).then(
    () => undefined,
    (error) => error,
  );
  expect(failed?.problem).toMatchObject({ status: 400, errors: [{ field }] });
});

test("one person gives 250 points or three times the points at most, and the field says so", async () => {
  for (const most of [{ ExtraPoints: "250" }, { Multiplier: "3" }]) await (await begin(most)).end();
  const messageOf = async (campaign: object) =>
    begin(campaign).then(
      () => undefined,
      (error) => error.problem?.errors[0].message,
    );
  expect(await messageOf({ ExtraPoints: "251" })).toContain("de 1 à 250");
  expect(await messageOf({ Multiplier: "3.01" })).toContain("jusqu’à 3");
});

test("the page counts points beyond what an integer holds", async () => {
  const campaign = await begin({ ExtraPoints: "5", From: "2026-03-20" });
  await database.execute(sql`
    insert into figure_delta (day, figure, part, count, amount)
    values (${today}, 'campaign', ${campaign.IdCampaign}, 1, 3000000000)`);
  const read = await campaign
    .read()
    .finally(() =>
      database.execute(sql`delete from figure_delta where figure = 'campaign' and part = ${campaign.IdCampaign}`),
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
    "delete from campaign",
  ])
    await expect(change(what)).rejects.toThrow();
  const ended = await Promise.allSettled([campaign.end(), campaign.end()]);
  expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await refusalOf(campaign.end())).toMatchObject({ code: "not_found" });
  const unknown = campaign.office.call(calls.endCampaign, { IdCampaign: "999999" });
  expect(await refusalOf(unknown)).toMatchObject({ code: "not_found" });
});

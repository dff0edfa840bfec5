import { expect, test } from "vitest";
import { claimReceipt, readHistory, readLoyalty } from "#loyalty/calls.ts";
import * as shopCalls from "#shop/calls.ts";
import { openTestCampaigns } from "#testing/campaigns.server.ts";
import * as calls from "./calls.ts";

const { addMember, begin, clock, hours, openOffice, openShop } = await openTestCampaigns();

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

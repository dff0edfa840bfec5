import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { claimReceipt, readLoyalty } from "#loyalty/calls.ts";
import { saveSegment } from "#office/segments/calls.ts";
import * as shopCalls from "#shop/calls.ts";
import { openTestCampaigns } from "#testing/campaigns.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";

const { addMember, begin, clock, database, launch, openOffice, openShop, openWebShop } = await openTestCampaigns();

const full = { Line: "1", Amount: "60.00" };
const sale = { Line: "2", Amount: "40.00", PriceType: "sale" as const };

test("a campaign on full-price lines multiplies these alone: quote, sale, claim and returns in any order agree", async () => {
  const campaign = await begin({ Multiplier: "2", LineRule: '{"priceTypes":["full"]}' });
  const till = await openShop();
  const member = await addMember();
  const Lines = [full, sale];
  const asked = { CardNumber: member.card, Lines: JSON.stringify(Lines) };
  expect(await till.call(shopCalls.quote, asked)).toMatchObject({ Points: { Earned: 160 }, Campaign: { Points: 60 } });
  for (const [first, second, taken] of [
    ["2", "1", [40, 120]],
    ["1", "2", [120, 40]],
  ] as const) {
    const ReceiptNumber = till.newNumber();
    expect((await till.sell({ ReceiptNumber, CardNumber: member.card, Lines })).Points.Earned).toBe(160);
    expect((await till.takeBack(ReceiptNumber, [{ Line: first }])).Points.Taken).toBe(taken[0]);
    expect((await till.takeBack(ReceiptNumber, [{ Line: second }])).Points.Taken).toBe(taken[1]);
  }
  const { ClaimCode = "" } = await till.sell({ Lines });
  expect(await member.call(claimReceipt, { ClaimCode })).toMatchObject({ Points: { Earned: 160 } });
  const onSale = await till.sell({ CardNumber: member.card, Lines: [sale] });
  expect(onSale.Campaign).toBeUndefined();
  expect(await campaign.read()).toMatchObject({ LineRule: { priceTypes: ["full"] }, Points: 60 });
  await campaign.end();
  await expectInvariants(database);
});

test("the least amount of a campaign is asked of its own lines, and a return of another line leaves its points", async () => {
  const LineRule = '{"priceTypes":["sale"],"minimumLineAmount":"30.00"}';
  const campaign = await begin({ ExtraPoints: "500", MinimumAmount: "40.00", LineRule });
  const till = await openShop();
  const { card: CardNumber } = await addMember();
  const small = { ...sale, Line: "3", Amount: "29.99" };
  expect((await till.sell({ CardNumber, Lines: [full, small] })).Campaign).toBeUndefined();
  const ReceiptNumber = till.newNumber();
  expect((await till.sell({ ReceiptNumber, CardNumber, Lines: [full, sale] })).Points.Earned).toBe(600);
  expect((await till.takeBack(ReceiptNumber, [{ Line: "1" }])).Points.Taken).toBe(60);
  expect((await till.takeBack(ReceiptNumber, [{ Line: "2", Amount: "0.01" }])).Points.Taken).toBe(501);
  await campaign.end();
  await expectInvariants(database);
});

test("what an amendment adds counts by the campaign's rule, and more of a line as the line did", async () => {
  const campaign = await begin({ Multiplier: "2", LineRule: '{"priceTypes":["full"]}' });
  const web = await openWebShop();
  const { card: CardNumber } = await addMember();
  const ReceiptNumber = web.newNumber();
  await web.sell({ ReceiptNumber, CardNumber, Lines: [full, sale], Currency: "EUR" });
  const Lines = [
    { ...full, Amount: "70.00" },
    { ...sale, Amount: "50.00" },
    { Line: "3", Amount: "10.00" },
  ];
  const amended = { ReceiptNumber, AmendNumber: "1", Lines: JSON.stringify(Lines), Currency: "EUR" };
  expect(await web.call(shopCalls.amendPurchase, amended)).toMatchObject({ Points: { Earned: 20 + 10 + 20 } });
  expect((await web.takeBack(ReceiptNumber, undefined, { Currency: "EUR" })).Points.Taken).toBe(210);
  await campaign.end();
  await expectInvariants(database);
});

test("a campaign for a segment counts for who is in it at the time of the sale, by the version of its launch", async () => {
  const office = await openOffice("marketing");
  const Definition = JSON.stringify({
    all: [
      { fact: "purchases", min: 1, max: 2 },
      { fact: "language", in: ["fr"] },
    ],
  });
  const { IdSegment, Version } = await office.call(saveSegment, { Name: "Some", Definition });
  const campaign = await begin({ ExtraPoints: "7", IdSegment: String(IdSegment), NameFr: "Certains" });
  expect(await campaign.read()).toMatchObject({ SegmentName: "Some" });
  const later = { IdSegment: String(IdSegment), Version: String(Version), Name: "Some" };
  await office.call(saveSegment, { ...later, Definition: '{"fact":"imported"}' });
  // Who approves it reads the version that it counts for.
  expect(await campaign.read()).toMatchObject({ SegmentDefinition: JSON.parse(Definition) });
  const till = await openShop();
  const member = await addMember();
  const shown = async () => (await member.call(readLoyalty)).Campaigns.filter(({ Name }) => Name === "Certains").length;
  const given = [];
  const pages = [];
  for (let n = 0; n < 4; n += 1) {
    pages.push(await shown());
    given.push((await till.sell({ CardNumber: member.card, Amount: "10.00" })).Campaign?.Points ?? 0);
  }
  expect(given).toEqual([0, 7, 7, 0]);
  expect(pages).toEqual([0, 1, 1, 0]);
  await campaign.end();
});

test("by days of the week and hours of the club's clock, also where the clocks changed", async () => {
  const saturday = new Date("2026-03-28T10:00:00Z");
  const campaign = await begin({ ExtraPoints: "7", Weekdays: "6,7", FromHour: "10", ToHour: "12", To: "2026-04-30" });
  clock.now = new Date("2026-03-30T20:00:00Z");
  const till = await openShop();
  const { card: CardNumber } = await addMember();
  const given = async (SoldAt: string) =>
    (await till.sell({ CardNumber, Amount: "10.00", SoldAt })).Campaign?.Points ?? 0;
  // In winter ten o'clock is 9 UTC, from the Sunday on 8.
  expect(await given("2026-03-28T08:59:59Z")).toBe(0);
  expect(await given("2026-03-28T09:00:00Z")).toBe(7);
  expect(await given(saturday.toISOString())).toBe(7);
  expect(await given("2026-03-28T11:00:00Z")).toBe(0);
  expect(await given("2026-03-29T07:59:59Z")).toBe(0);
  expect(await given("2026-03-29T09:59:59Z")).toBe(7);
  expect(await given("2026-03-30T09:00:00Z")).toBe(0);
  await campaign.end();
});

test("the member's page lists a campaign at all times, with its days and hours where it has some", async () => {
  const restricted = await begin({ ExtraPoints: "7", Weekdays: "6,7", FromHour: "10" });
  const always = await begin({ ExtraPoints: "5" });
  const listed = (await (await addMember()).call(readLoyalty)).Campaigns;
  expect(listed).toMatchObject([{ Weekdays: [6, 7], FromHour: 10, ToHour: 24 }, {}]);
  expect(Object.keys(listed[1] ?? {})).toEqual(["Name", "Text", "EndsAt", "ShopName", "MinimumAmount"]);
  await restricted.end();
  await always.end();
});

test("a birthday campaign counts for the days around it, over the end of a year, and not for one that was changed since", async () => {
  clock.now = new Date("2026-12-20T10:00:00Z");
  const days = { From: "2026-12-20", To: "2027-03-31" };
  const campaign = await begin({ ExtraPoints: "7", BirthdayDays: "2", ...days });
  const till = await openShop();
  const member = await addMember();
  const bornOn = (day: string, changed: string | null) =>
    database.execute(
      sql`update customer set birthday = ${day}, birthday_changed_at = ${changed} where id = ${member.id}`,
    );
  const given = async (SoldAt: string) => {
    clock.now = new Date(SoldAt);
    return (await till.sell({ CardNumber: member.card, Amount: "10.00" })).Campaign?.Points ?? 0;
  };
  await bornOn("1990-01-01", null);
  expect(await given("2026-12-29T10:00:00Z")).toBe(0);
  expect(await given("2026-12-30T10:00:00Z")).toBe(7);
  expect(await given("2027-01-03T10:00:00Z")).toBe(7);
  expect(await given("2027-01-04T10:00:00Z")).toBe(0);
  // The 29th of February is the 28th in other years.
  await bornOn("1992-02-29", "2026-12-19T10:00:00Z");
  expect(await given("2027-03-02T10:00:00Z")).toBe(7);
  await bornOn("1992-03-03", "2027-03-02T11:00:00Z");
  expect(await given("2027-03-03T10:00:00Z")).toBe(0);
  await campaign.end();
});

test("limits in money are the points that are worth no more, and what is no rule is refused beside its field", async () => {
  const campaign = await begin({ ExtraPoints: "30", LimitAmount: "4,00", MemberLimitAmount: "2.00" });
  expect(await campaign.read()).toMatchObject({ LimitPoints: 100, MemberLimitPoints: 50 });
  await campaign.end();
  for (const [field, code, wrong] of [
    ["LineRule", "invalid", { LineRule: "{" }],
    ["LineRule", "invalid", { LineRule: '{"brand":"x"}' }],
    ["LineRule.anyCode", "unknown_code", { LineRule: '{"anyCode":["misspelt"]}' }],
    ["LineRule.priceTypes", "required", { LineRule: '{"priceTypes":[]}' }],
    ["LimitAmount", "invalid", { LimitAmount: "4", LimitPoints: "100" }],
    ["Weekdays", "invalid", { Weekdays: "8" }],
    ["BirthdayDays", "invalid", { BirthdayDays: "32" }],
  ] as const)
    await expect(launch({ ExtraPoints: "30", ...wrong })).rejects.toMatchObject({
      problem: { errors: [expect.objectContaining({ field, code })] },
    });
  await expect(launch({ ExtraPoints: "30", IdSegment: "999" })).rejects.toMatchObject({
    problem: { code: "not_found" },
  });
});

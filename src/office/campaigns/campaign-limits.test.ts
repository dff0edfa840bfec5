import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import * as shopCalls from "#shop/calls.ts";
import { openTestCampaigns } from "#testing/campaigns.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";

const { addMember, begin, database, openShop } = await openTestCampaigns();

test("a campaign of 1 000 points gives 1 000 of them to fifty sales at once, and returns do not reopen it", async () => {
  const campaign = await begin({ ExtraPoints: "30", LimitPoints: "1000" });
  const till = await openShop();
  const members = await Promise.all(Array.from({ length: 10 }, () => addMember()));
  const numbers = Array.from({ length: 50 }, () => till.newNumber());
  const sold = await Promise.all(
    numbers.map((ReceiptNumber, n) =>
      till.sell({ ReceiptNumber, CardNumber: members[n % 10]?.card ?? "", Amount: "10.00" }),
    ),
  );
  const given = sold.map(({ Campaign }) => Campaign?.Points ?? 0);
  expect(given.reduce((sum, points) => sum + points, 0)).toBe(1_000);
  // 33 sales have all of it, one the remainder.
  expect(given.toSorted((a, b) => b - a).slice(32, 35)).toEqual([30, 10, 0]);
  for (const [n, { Points }] of sold.entries()) expect(Points.Earned).toBe(10 + (given[n] ?? 0));
  expect(await campaign.read()).toMatchObject({ Points: 1_000, LimitPoints: 1_000, GivenPoints: 1_000 });

  const last = given.indexOf(10);
  expect((await till.takeBack(numbers[last] ?? "")).Points.Taken).toBe(20);
  expect(await campaign.read()).toMatchObject({ Points: 990, GivenPoints: 1_000 });
  const next = await till.sell({ CardNumber: (await addMember()).card, Amount: "10.00" });
  expect(next.Campaign).toBeUndefined();
  await campaign.end();
  await expectInvariants(database);
});

test("a limit per member is for all of their sales; the quote says what is left, and returns take by what was given", async () => {
  const campaign = await begin({ Multiplier: "3", MemberLimitPoints: "150" });
  const till = await openShop();
  const member = await addMember();
  const first = { CardNumber: member.card, Amount: "50.00" };
  expect((await till.sell(first)).Campaign?.Points).toBe(100);
  const ReceiptNumber = till.newNumber();
  const Lines = [
    { Line: "1", Amount: "30.00" },
    { Line: "2", Amount: "20.00" },
  ];
  const quoted = await till.call(shopCalls.quote, { CardNumber: member.card, Lines: JSON.stringify(Lines) });
  expect(quoted).toMatchObject({ Points: { Earned: 100 }, Campaign: { Points: 50 } });
  expect((await till.sell({ ReceiptNumber, CardNumber: member.card, Lines })).Points.Earned).toBe(100);
  // The line of 20.00 alone would have 40 points of the campaign: 20 and 10 are taken.
  expect((await till.takeBack(ReceiptNumber, [{ Line: "1" }])).Points.Taken).toBe(40);
  expect((await till.takeBack(ReceiptNumber, [{ Line: "2" }])).Points.Taken).toBe(60);
  expect((await till.sell(first)).Campaign).toBeUndefined();
  const other = await addMember();
  expect((await till.sell({ ...first, CardNumber: other.card })).Campaign?.Points).toBe(100);
  await campaign.end();
  await expectInvariants(database);
});

test.each([
  ["points for a member", { ExtraPoints: "30", MemberLimitPoints: "50" }, 50],
  ["one sale after months without a purchase", { ExtraPoints: "30", IdleMonths: "6" }, 30],
])("sales of one member at once do not exceed a limit: %s", async (_, rule, most) => {
  const campaign = await begin(rule);
  const till = await openShop();
  const member = await addMember();
  await database.execute(
    sql`update loyalty_account set member_since = member_since - interval '1 year' where customer_id = ${member.id}`,
  );
  const sold = await Promise.all(
    Array.from({ length: 5 }, () => till.sell({ CardNumber: member.card, Amount: "10.00" })),
  );
  expect(sold.reduce((sum, { Campaign }) => sum + (Campaign?.Points ?? 0), 0)).toBe(most);
  await campaign.end();
  await expectInvariants(database);
});

import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { pagePaths } from "#identity/paths.ts";
import { obtainReward, readHistory, unsubscribe } from "#loyalty/calls.ts";
import { ledgerJobs } from "#loyalty/ledger/ledger-jobs.server.ts";
import * as calls from "#shop/calls.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { openShop, addMember, database, clock, fetch } = await openTestShop();
const day = 24 * 3_600_000;
const afterDays = (days: number) => new Date(clock.now.getTime() + days * day);
const pendingDays = 14;
const parisDay = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Paris" });
const writtenDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "Europe/Paris" });

beforeAll(async () => {
  await publishNow(database, { pendingDays }, { now: clock.now });
});

/** As the nightly job does. */
const runNight = async () => {
  await ledgerJobs({ publicUrl: "http://localhost", now: () => clock.now })["loyalty:refresh"]?.({}, database);
};

test("points of a purchase are pending for 14 days: not spent, no status, then available and counted", async () => {
  const till = await openShop();
  const member = await addMember(1_000);
  const before = await member.points();
  const sold = await till.sell({ CardNumber: member.card, Amount: "100.00" });
  expect(sold.Points).toMatchObject({ Earned: 125, Available: before.Available, Pending: 125, Debt: 0 });
  const arrives = sold.Points.NextPending?.Date ?? "";
  // The start of the fifteenth day.
  expect(arrives).toBe(parisDay.format(afterDays(pendingDays)));
  const arrivesAt = new Date(sold.Points.ArrivesAt ?? 0);
  expect(parisDay.format(arrivesAt)).toBe(arrives);
  expect(parisDay.format(arrivesAt.getTime() - 1)).not.toBe(arrives);
  expect(await member.points()).toMatchObject({
    Available: before.Available,
    EarnedLast12Months: before.EarnedLast12Months,
    Pending: 125,
    NextPending: { Points: 125, Date: arrives },
  });
  const { Customers } = await till.call(calls.identify, { CardNumber: member.card });
  expect(Customers[0]).toMatchObject({ Points: before.Available, Pending: 125, NextPending: { Points: 125 } });
  clock.now = new Date(arrivesAt.getTime() - 1);
  expect((await member.points()).Pending).toBe(125);
  clock.now = arrivesAt;
  // Counted from the first moment of the day, before the nightly job has written it.
  const arrived = {
    ...{ Available: before.Available + 125, Pending: 0, NextPending: null },
    EarnedLast12Months: before.EarnedLast12Months + 125,
  };
  expect(await member.points()).toMatchObject(arrived);
  await runNight();
  expect(await member.points()).toMatchObject(arrived);
  const [entry] = (await member.call(readHistory)).Entries;
  expect(entry).toMatchObject({ Kind: "purchase", Points: 125, Balance: before.Available + 125 });
});

test("the first page of the history lists purchases whose points are pending, newest first, in the customer's language", async () => {
  const till = await openShop();
  const member = await addMember();
  const first = till.newNumber();
  const soldAt = clock.now;
  await till.sell({ ReceiptNumber: first, CardNumber: member.card, Amount: "89.90" });
  clock.now = afterDays(3);
  const { Points } = await till.sell({ CardNumber: member.card, Amount: "40.00" });
  await till.takeBack(first, [{ Line: "1", Amount: "30.00" }]);
  const listed = (language: string) => member.as(language)(readHistory, { Limit: 1 });
  const [newer, older] = (await listed("en")).Pending ?? [];
  expect(newer).toMatchObject({ Label: "Purchase of €40, Cercle Marais", Points: 40, ArrivesAt: Points.ArrivesAt });
  expect(older).toMatchObject({ Date: soldAt.toISOString(), Points: 59 });
  expect((await listed("de")).Pending?.map(({ Label }) => Label)).toEqual([
    "Einkauf über 40\u00a0€, Cercle Marais",
    "Einkauf über 89,90\u00a0€, Cercle Marais",
  ]);
  await member.obtain();
  const { NextCursor } = await listed("fr");
  expect(await member.call(readHistory, { Cursor: NextCursor ?? "" })).not.toHaveProperty("Pending");
  clock.now = new Date(older?.ArrivesAt ?? 0);
  expect((await listed("en")).Pending).toEqual([newer]);
});

test("the member page says when points arrive, from which purchase, and what they lead to", async () => {
  const till = await openShop();
  const member = await addMember(950);
  const see = async (path: string, language: string) => {
    const prefix = language === "fr" ? "" : `/${language}`;
    const response = await fetch(prefix + path, { headers: { cookie: `auth.token=${member.token}` } });
    const html = (await response.text()).replace(/<script[\s\S]*?<\/script>/g, "");
    return html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  };
  const words = (language: string) => see(pagePaths.memberPage, language);
  expect(await words("en")).not.toContain("pending");
  const [today, arrival] = [clock.now, afterDays(pendingDays)].map((moment) => writtenDay.format(moment));
  const { Points } = await till.sell({ CardNumber: member.card, Amount: "89.90" });
  expect(Points.Pending).toBe(112);
  const page = await words("en");
  // The balance itself is unchanged: 250 and 950.
  expect(page).toContain(`4 vouchers of €10 are waiting, worth €40. 112 points arrive on ${arrival}`);
  expect(page).toContain(`Purchase of €89.90, Cercle Marais, on ${today}.`);
  expect(page).toContain("After that, your points are worth €50 in vouchers.");
  expect(page).toContain("1,800 more points within 12 months. 112 of them are pending.");
  expect(await see(`${pagePaths.memberPage}?tab=history`, "en")).toContain(`pending until ${arrival}`);
  expect(await words("fr")).toContain("112 points arrivent le ");
  expect(await words("de")).toContain("112 Punkte kommen am ");
  clock.now = afterDays(2);
  await till.sell({ CardNumber: member.card, Amount: "100.00" });
  const several = await words("en");
  expect(several).toContain(`112 points arrive on ${arrival}`);
  expect(several).toContain("In all, 237 points are pending.");
  // The home of the account tells of the last purchase.
  expect(await see(pagePaths.account, "en")).toMatch(/125 points arrive on/);
});

test("a claimed receipt says when its points arrive", async () => {
  const till = await openShop();
  const member = await addMember();
  const claim = async (SoldAt: Date) => {
    const { ClaimCode = "" } = await till.sell({ Amount: "89.90", SoldAt: SoldAt.toISOString() });
    const body = new URLSearchParams({ intent: "receipt", ClaimCode });
    const headers = { cookie: `auth.token=${member.token}`, "sec-fetch-site": "same-origin" };
    return (await fetch(`/en${pagePaths.memberPage}`, { method: "POST", headers, body })).text();
  };
  const arrival = writtenDay.format(afterDays(pendingDays)).replace(" ", "\u00a0");
  expect(await claim(clock.now)).toContain(`Your receipt was added: 89 points arrive on ${arrival}.`);
  expect(await claim(afterDays(-pendingDays))).toContain("89 points have arrived with your receipt.");
});

test("pending points buy no voucher", async () => {
  const till = await openShop();
  const member = await addMember();
  await member.obtain();
  await till.sell({ CardNumber: member.card, Amount: "1000.00" });
  await expect(member.call(obtainReward, { IdLoyaltyReward: "1" })).rejects.toMatchObject({
    problem: { code: "not_enough_points" },
  });
  clock.now = afterDays(pendingDays);
  await member.obtain();
  expect((await member.points()).Available).toBe(750);
});

test("a return before the points arrive takes its own pending points and moves nothing else", async () => {
  const till = await openShop();
  const member = await addMember();
  const [first, second] = [till.newNumber(), till.newNumber()];
  await till.sell({ ReceiptNumber: first, CardNumber: member.card, Amount: "100.00" });
  await till.sell({ ReceiptNumber: second, CardNumber: member.card, Amount: "40.00" });
  clock.now = afterDays(3);
  const part = await till.call(calls.postReturn, {
    ...{ ReceiptNumber: till.newNumber(), OriginalReceiptNumber: first, Amount: "30.00" },
  });
  expect(part.Points).toMatchObject({ Taken: 30, Available: 250, Pending: 110, Debt: 0 });
  const rest = await till.takeBack(first);
  expect(rest.Points).toMatchObject({ Taken: 70, Available: 250, Pending: 40, Debt: 0 });
  clock.now = afterDays(pendingDays);
  await runNight();
  expect(await member.points()).toMatchObject({ Available: 290, EarnedLast12Months: 290, Pending: 0 });
});

test("a return of arrived points never takes the pending points of another sale", async () => {
  const till = await openShop();
  const member = await addMember();
  const first = till.newNumber();
  await till.sell({ ReceiptNumber: first, CardNumber: member.card, Amount: "100.00" });
  clock.now = afterDays(pendingDays);
  const code = await member.obtain();
  await till.sell({ CardNumber: member.card, Amount: "10.00", VoucherCodes: code });
  await till.sell({ CardNumber: member.card, Amount: "500.00" });
  const back = await till.takeBack(first);
  expect(back.Points).toMatchObject({ Taken: 100, Available: 0, Pending: 500, Debt: 0 });
});

test("a sale sold long ago brings its points at once, one sold some days ago arrives from its own day", async () => {
  const till = await openShop();
  const member = await addMember();
  const old = await till.sell({ CardNumber: member.card, Amount: "100.00", SoldAt: afterDays(-20).toISOString() });
  expect(old.Points).toMatchObject({ Earned: 100, Available: 350, Pending: 0, ArrivesAt: null });
  const late = await till.sell({ CardNumber: member.card, Amount: "50.00", SoldAt: afterDays(-10).toISOString() });
  expect(late.Points).toMatchObject({ Earned: 50, Available: 350, Pending: 50 });
  clock.now = afterDays(pendingDays - 10);
  expect((await member.points()).Available).toBe(400);
});

test("a status bought and returned in the withdrawal period multiplies nothing, and returned later multiplies nothing more", async () => {
  const till = await openShop();
  const member = await addMember();
  const big = till.newNumber();
  const sell = async (Amount: string) => (await till.sell({ CardNumber: member.card, Amount })).Points.Earned;
  // 250 points at the start; silk begins at 1 000 and multiplies by 1.25.
  await till.sell({ ReceiptNumber: big, CardNumber: member.card, Amount: "1000.00" });
  expect(await sell("100.00")).toBe(100);
  clock.now = afterDays(pendingDays - 1);
  expect(await sell("100.00")).toBe(100);
  expect((await till.takeBack(big)).Points).toMatchObject({ Taken: 1_000, Debt: 0 });
  clock.now = afterDays(1);
  expect(await sell("100.00")).toBe(100);

  // A shop may take goods back later than it must. The status ends with the return, also what it would give on the same day.
  const late = till.newNumber();
  await till.sell({ ReceiptNumber: late, CardNumber: member.card, Amount: "1000.00" });
  clock.now = afterDays(pendingDays);
  expect(await sell("100.00")).toBe(125);
  await till.takeBack(late);
  expect(await sell("100.00")).toBe(100);
});

test("an exchange takes the new sale's pending points before available ones, and the status counts the new sale", async () => {
  const till = await openShop();
  const member = await addMember();
  const first = till.newNumber();
  await till.sell({ ReceiptNumber: first, CardNumber: member.card, Amount: "46.00" });
  clock.now = afterDays(pendingDays);
  const before = await member.points();
  const sold = await till.sell({
    ...{ CardNumber: member.card, Amount: "56.00", ReturnOf: { OriginalReceiptNumber: first, Amount: "46.00" } },
  });
  expect(sold.Points).toMatchObject({ Earned: 56, Taken: 46, Available: before.Available, Pending: 10, Debt: 0 });
  clock.now = afterDays(pendingDays);
  await runNight();
  expect(await member.points()).toMatchObject({
    Available: before.Available + 10,
    EarnedLast12Months: before.EarnedLast12Months + 10,
  });
});

test("an exchange while the first sale is pending takes that sale's own pending points", async () => {
  const till = await openShop();
  const member = await addMember();
  const first = till.newNumber();
  await till.sell({ ReceiptNumber: first, CardNumber: member.card, Amount: "46.00" });
  const sold = await till.sell({
    ...{ CardNumber: member.card, Amount: "56.00", ReturnOf: { OriginalReceiptNumber: first, Amount: "46.00" } },
  });
  expect(sold.Points).toMatchObject({ Earned: 56, Taken: 46, Available: 250, Pending: 56, Debt: 0 });
});

test("the new sale of an exchange, returned in part before its points arrive, still counts for the status what is left", async () => {
  const till = await openShop();
  const member = await addMember();
  const [first, second] = [till.newNumber(), till.newNumber()];
  await till.sell({ ReceiptNumber: first, CardNumber: member.card, Amount: "46.00" });
  clock.now = afterDays(pendingDays);
  const { EarnedLast12Months: earned, Available: had } = await member.points();
  const ReturnOf = { OriginalReceiptNumber: first, Amount: "46.00" };
  await till.sell({ ReceiptNumber: second, CardNumber: member.card, Amount: "56.00", ReturnOf });
  const back = await till.call(calls.postReturn, {
    ...{ ReceiptNumber: till.newNumber(), OriginalReceiptNumber: second, Amount: "20.00" },
  });
  // Ten are left of the new sale; ten more come from the balance.
  expect(back.Points).toMatchObject({ Taken: 20, Available: had - 10, Pending: 0 });
  clock.now = afterDays(pendingDays);
  await runNight();
  expect(await member.points()).toMatchObject({ Available: had - 10, EarnedLast12Months: earned - 46 + 36 });
});

test("points arrive for a former member, and settle debt", async () => {
  const till = await openShop();
  const member = await addMember();
  await till.sell({ CardNumber: member.card, Amount: "60.00" });
  await member.call(unsubscribe);
  clock.now = afterDays(pendingDays);
  await runNight();
  const { rows } = await database.execute<{ balance: number }>(
    sql`select balance from loyalty_account where customer_id = ${member.id}`,
  );
  expect(rows[0]?.balance).toBe(310);
});

test("points that arrive too late to count towards a status reach none", async () => {
  const till = await openShop();
  const member = await addMember();
  await till.sell({ CardNumber: member.card, Amount: "60.00" });
  clock.now = afterDays(400);
  await runNight();
  const { rows } = await database.execute(sql`
    select payload from graphile_worker._private_jobs where payload ->> 'tierId' is not null
      and payload ->> 'customerId' = ${String(member.id)}`);
  expect(rows).toEqual([]);
});

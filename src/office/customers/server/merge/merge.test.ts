import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { exportCustomer, readCustomer as readOwn } from "#identity/calls.ts";
import { listCustomerRewards, listEvents, obtainEvent, readHistory } from "#loyalty/calls.ts";
import { refreshAccount } from "#loyalty/ledger/ledger.server.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import * as calls from "#office/customers/calls.ts";
import * as shopCalls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestMerge } from "#testing/merge.server.ts";
import { emailsTo } from "#testing/people.server.ts";
import { publishNow } from "#testing/programme.server.ts";

const { addMember, clock, database, openOffice, openShop, openTill, ...people } = await openTestMerge();
const { expectEverything, merge, office, owner, preview, record } = people;
type Member = Awaited<ReturnType<typeof addMember>>;

const days = (count: number) => count * 24 * 3_600_000;

test("points move with their dates, the second welcome gift is taken back, vouchers get new codes", async () => {
  const shop = await openShop();
  const survivor = await addMember(100);
  const other = await addMember(400);
  await shop.sell({ ReceiptNumber: "M-1", CardNumber: other.card, Amount: "90.00" });
  const used = await other.obtain();
  await shop.sell({ CardNumber: other.card, Amount: "60.00", VoucherCodes: used });
  const unused = await other.obtain();
  const before = { survivor: await survivor.points(), other: await other.points() };
  const lots = await record(other);

  const planned = await preview(survivor, other);
  expect(await other.points()).toEqual(before.other);
  const done = await merge(survivor, other);
  expect(planned).toMatchObject(done);
  const sum = before.survivor.Available + before.other.Available;
  expect(done).toEqual({
    Points: { Moved: before.other.Available, GiftTaken: 250, Available: sum - 250, Debt: 0 },
    Vouchers: 1,
  });
  expect(await survivor.points()).toMatchObject({
    Available: sum - 250,
    EarnedLast12Months: before.survivor.EarnedLast12Months + before.other.EarnedLast12Months - 250,
  });
  const merged = await record(survivor);
  expect(merged.MergedAccounts).toBe(1);
  expect(new Set(merged.Points.ByExpiry.map(({ Month }) => Month))).toEqual(
    new Set([...lots.Points.ByExpiry, ...merged.Points.ByExpiry].map(({ Month }) => Month)),
  );
  expect(merged.Vouchers).toMatchObject([{ State: "available", Value: { Amount: "10.00" } }]);
  expect(merged.Last12Months).toMatchObject({ Receipts: 2, Amount: { Amount: "140.00" } });
  const { CustomerRewards } = await survivor.call(listCustomerRewards, { LoyaltyRewardState: "available" });
  const code = CustomerRewards[0]?.Code ?? "";
  expect([unused, used]).not.toContain(code);
  expect(await refusalOf(shop.sell({ Amount: "60.00", VoucherCodes: unused }))).toMatchObject({
    code: "voucher_expired",
  });
  await shop.sell({ CardNumber: other.card, Amount: "60.00", VoucherCodes: code });
  await expectEverything();
});

test("the old card and its receipts lead to the survivor; a return takes from the moved purchase and gives back its voucher", async () => {
  const shop = await openShop();
  const survivor = await addMember();
  const other = await addMember(250);
  const VoucherCodes = await other.obtain();
  const Lines = [
    { Line: "1", Amount: "80.00" },
    { Line: "2", Amount: "30.00" },
  ];
  await shop.sell({ ReceiptNumber: "M-2", CardNumber: other.card, Lines, VoucherCodes });
  await shop.takeBack("M-2", [{ Line: "2" }]);
  await merge(survivor, other);
  const between = await survivor.points();
  const found = await shop.call(shopCalls.identify, { CardNumber: other.card });
  expect(found.Customers).toMatchObject([{ Points: between.Available }]);
  const back = await shop.takeBack("M-2");
  expect(back.ReissuedVouchers).toHaveLength(1);
  expect(back.Points).toMatchObject({ Taken: 72, Available: between.Available - 72 });
  expect((await survivor.points()).Available).toBe(between.Available - 72);
  expect((await record(survivor)).Vouchers).toMatchObject([{ State: "available" }]);
  const sold = await shop.sell({ CardNumber: other.card, Amount: "40.00" });
  expect(sold.Points).toMatchObject({ Earned: 40, Available: between.Available - 32 });
  await expectEverything();
});

test("debts are added, and settled by what both have; what lapsed before is not taken twice", async () => {
  const shop = await openShop();
  const start = clock.now;
  const [survivor, other] = [await addMember(), await addMember()];
  await shop.sell({ ReceiptNumber: "M-3", CardNumber: other.card, Amount: "300.00" });
  const codes = [await other.obtain(), await other.obtain()].join(",");
  // Used vouchers cannot be cancelled, so that a debt arises.
  await shop.sell({ CardNumber: other.card, Amount: "20.00", VoucherCodes: codes });
  await shop.takeBack("M-3");
  expect(await other.points()).toMatchObject({ Available: 0, Debt: 250 });
  await shop.sell({ ReceiptNumber: "M-4", CardNumber: survivor.card, Amount: "50.00" });
  const done = await merge(survivor, other);
  // 250 and 50 of the survivor pay the gift and what they can of the debt.
  expect(done.Points).toEqual({ Moved: 0, GiftTaken: 250, Available: 0, Debt: 200 });
  clock.now = new Date(start.getTime() + days(800));
  await refreshAccount(database, survivor.id, clock.now);
  await shop.takeBack("M-4");
  clock.now = start;
  await expectEverything();
});

test("a purchase that lapsed before the merge owes nothing when it is returned after it", async () => {
  const shop = await openShop();
  const start = clock.now;
  const [survivor, other] = [await addMember(), await addMember()];
  await shop.sell({ ReceiptNumber: "M-5", CardNumber: other.card, Amount: "70.00" });
  clock.now = new Date(start.getTime() + days(740));
  await merge(survivor, other, "Deux fois elle", [await openOffice("service"), await openOffice("owner")]);
  const back = await shop.takeBack("M-5");
  expect(back.Points).toMatchObject({ Taken: 0, Debt: 0 });
  clock.now = start;
  await expectEverything();
});

test("sales and returns of either account at the same time lose nothing and count once", async () => {
  const shop = await openShop();
  for (let round = 0; round < 4; round += 1) {
    const [survivor, other] = [await addMember(), await addMember(20)];
    const numbers = Array.from({ length: 2 }, () => shop.newNumber());
    for (const ReceiptNumber of numbers) await shop.sell({ ReceiptNumber, CardNumber: other.card, Amount: "20.00" });
    const sellTo = (member: Member) => shop.sell({ CardNumber: member.card, Amount: "10.00" });
    const outcomes = await Promise.allSettled([
      sellTo(other),
      shop.takeBack(numbers[0] ?? ""),
      merge(survivor, other),
      shop.takeBack(numbers[1] ?? ""),
      sellTo(survivor),
      sellTo(other),
    ]);
    expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
    // 250 of one gift, 20 granted, 2 × 20 sold and returned, 3 × 10 sold.
    expect(await survivor.points()).toMatchObject({ Available: 300, Debt: 0 });
    await expectEverything();
  }
});

test("of two merges the wrong way round at once, one happens; a chain leads to the last", async () => {
  const shop = await openShop();
  const [one, two] = [await addMember(), await addMember()];
  const outcomes = await Promise.allSettled([merge(one, two), merge(two, one)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const left = outcomes[0]?.status === "fulfilled" ? one : two;
  const third = await addMember();
  await shop.sell({ ReceiptNumber: "M-6", CardNumber: one.card, Amount: "30.00" });
  await merge(third, left);
  await shop.takeBack("M-6");
  for (const { card } of [one, two, third])
    expect((await shop.call(shopCalls.identify, { CardNumber: card })).Customers).toMatchObject([{ Points: 250 }]);
  await expectEverything();
});

test("the other is signed out for good, its address is nobody's, and both addresses get the email", async () => {
  const survivor = await addMember();
  const other = await addMember(60);
  await merge(survivor, other);
  expect(await refusalOf(other.call(readOwn))).toMatchObject({ code: "not_signed_in" });
  await survivor.call(readOwn);
  const subject = "Vos deux comptes n’en font plus qu’un";
  const emailTo = async (email: string) =>
    (await emailsTo(database, email)).find(({ content: sent }) => sent.subject === subject)?.content.text ?? "";
  expect(await emailTo(survivor.email)).toContain("Vous avez maintenant 310 points.");
  expect(await emailTo(survivor.email)).toContain("250 points reçus deux fois ont été repris");
  expect(await emailTo(other.email)).toContain("Pour vous connecter, utilisez désormais l’adresse");
  expect(await emailTo(other.email)).not.toContain(survivor.email);
  const { Entries } = await survivor.call(readHistory);
  expect(Entries.map(({ Label }) => Label)).toContain("Cadeau reçu deux fois, repris");
});

test.each([
  ["en", "Your two accounts are now one", "You now have 250 points."],
  ["de", "Ihre beiden Konten sind jetzt eines", "Sie haben jetzt 250 Punkte."],
])("the email is in the customer's language: %s", async (language, subject, sentence) => {
  const survivor = await addMember();
  await database.execute(sql`update customer set language = ${language} where id = ${survivor.id}`);
  await merge(survivor, await addMember());
  const sent = (await emailsTo(database, survivor.email)).find((mail) => mail.content.subject === subject);
  expect(sent?.content.text).toContain(sentence);
});

test("the export names the merge, and an erasure of the survivor leaves nothing personal of the other", async () => {
  const survivor = await addMember();
  const other = await addMember();
  await database.execute(sql`update customer set lastname = 'Introuvable' where id = ${other.id}`);
  await merge(survivor, other, "Reconnue par sa sœur");
  const exported = JSON.stringify(await survivor.call(exportCustomer));
  expect(exported).toContain("mergedAccounts");
  expect(exported).toContain(other.email);
  expect(exported).toContain("Reconnue par sa sœur");
  const { IdRequest } = await office.call(calls.eraseCustomer, {
    IdCustomer: survivor.id,
    Reason: "request",
    Note: "Par écrit",
  });
  await owner.call(calls.approveRequest, { IdRequest });
  const { rows } = await database.execute<{ name: string }>(
    sql`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const holding: string[] = [];
  for (const piece of [other.email, "Introuvable", "Reconnue par sa sœur", "Par écrit"])
    for (const { name } of rows) {
      const { rowCount } = await database.$client.query(
        `select 1 from "${name}" as row where row::text like '%' || $1 || '%' limit 1`,
        [piece],
      );
      if (rowCount) holding.push(`${name}: ${piece}`);
    }
  // The email of the merge, which its own address gets.
  expect(holding).toEqual([`mail: ${other.email}`]);
});

test("of an event that both have had, the later points are taken back, as of two welcome gifts", async () => {
  const [first, second, third] = [await addMember(), await addMember(), await addMember()];
  const has = async (member: Member, event: number, points: number, minutes: number) => {
    const at = new Date(clock.now.getTime() + minutes * 60_000).toISOString();
    await database.execute(sql`
      select * from loyalty_credit(${member.id}::bigint, ${points}::integer, 'event', ${`event:${event}`},
        ${JSON.stringify({ event })}::jsonb, ${at}::timestamptz, ${at}::timestamptz)`);
  };
  await has(first, 4, 50, 2);
  await has(second, 4, 40, 1);
  await has(second, 3, 30, 3);
  await has(third, 4, 60, 4);
  await has(third, 3, 20, 5);
  // Kept: the first gift, 40 of the event that came first, 30.
  expect(await merge(first, second)).toMatchObject({ Points: { Moved: 320, GiftTaken: 300, Available: 320 } });
  expect(await merge(third, first)).toMatchObject({ Points: { Moved: 320, GiftTaken: 330, Available: 320 } });
  await expectEverything();
});

test("in a club without a welcome gift, too, who merges the first account into the second keeps the bonuses to come", async () => {
  const club = await openTestMerge();
  const withoutGift = ({ events }: Rules) => ({
    welcomePoints: 0,
    events: events.filter(({ proof }) => proof !== "welcome"),
  });
  await publishNow(club.database, withoutGift, { now: club.clock.now });
  const facts = { newsletter: true, birthday: "1990-03-31" };
  const first = await club.addMember(0, { ...facts, email: "zoe+1@exemple.fr" });
  const second = await club.addMember(0, { ...facts, email: "zoe+2@exemple.fr" });
  const states = async ({ call }: Member) => (await call(listEvents)).Events.map(({ State }) => State);
  await first.call(obtainEvent, { IdLoyaltyProgramEvent: "2" });
  const before = await states(first);
  expect(await states(second)).not.toEqual(before);
  await club.merge(second, first);
  expect(await states(second)).toEqual(before);
});

test("a till that has looked up the old account sells to the survivor", async () => {
  const till = await openTill();
  const [survivor, other] = [await addMember(), await addMember()];
  const shop = await openShop();
  const { Customers } = await shop.call(shopCalls.identify, { CardNumber: other.card });
  await merge(survivor, other);
  const CustomerToken = Customers[0]?.CustomerToken ?? "";
  expect((await shop.sell({ CustomerToken, Amount: "25.00" })).Points).toMatchObject({ Earned: 25, Available: 275 });
  await till.sell({ CardNumber: other.card, Amount: "5.00" });
  expect((await survivor.points()).Available).toBe(280);
});

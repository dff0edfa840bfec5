import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { amountOf } from "#brand/amounts.ts";
import { eraseCustomer, exportCustomer, register } from "#identity/calls.ts";
import { claimReceipt, obtainReward, readHistory, readLoyalty, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { firstProgramme } from "#loyalty/programme/first-programme.server.ts";
import { noReferral } from "#loyalty/programme/rules.ts";
import { registrationForm } from "#testing/people.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestReferrals } from "#testing/referrals.server.ts";

const { addMember, as, clock, database, fetch, shop, ...referrals } = await openTestReferrals();
const { addFriend, available, buy, codeOf, gained, minimumCents, night, wait } = referrals;
const { points, days, perYear } = referrals.referral;

test("a member gets the points once, when the friend's first purchase has passed its days, and the friend the welcome gift", async () => {
  const member = await addMember();
  const friend = await addFriend(member);
  expect(await available(friend)).toBe(firstProgramme().welcomePoints);
  expect(await gained(member, async () => night())).toBe(0);
  await buy(friend);
  wait(days - 1);
  expect(await gained(member, async () => night())).toBe(0);
  wait(1);
  expect(await gained(member, async () => Promise.all([night(), night(), night()]))).toBe(points);
  await buy(friend);
  wait(days);
  expect(await gained(member, async () => night())).toBe(0);
  const { Entries } = await member.call(readHistory);
  expect(Entries[0]).toMatchObject({ Kind: "referral", Label: "Recommandation", Points: points });
});

test("the link is the member's for good, and leads to the registration in the visitor's language, whatever its code", async () => {
  const member = await addMember();
  const { Referral } = await member.call(readLoyalty);
  expect(Referral).toEqual({
    Url: expect.stringMatching(/\/friend\/[0-9a-f]{16}$/),
    Points: points,
    Days: days,
    PerYear: perYear,
    Minimum: { Amount: amountOf(minimumCents), CurrencyIsoCode: "EUR" },
  });
  await member.call(unsubscribe);
  expect((await member.call(readLoyalty)).Referral).toBeNull();
  await member.call(subscribe);
  expect((await member.call(readLoyalty)).Referral).toEqual(Referral);
  for (const code of [await codeOf(member), "0000000000000000", "x y"]) {
    const path = `/friend/${encodeURIComponent(code)}`;
    const response = await fetch(path, { headers: { "accept-language": "de" } });
    expect(response.headers.get("location")).toBe(
      `/de/authenticate/register?join&${new URLSearchParams({ friend: code })}`,
    );
  }
});

test("a code that no member has changes nothing about a registration", async () => {
  for (const ReferralCode of ["0000000000000000", "'; drop table", ""]) {
    const { AuthData } = await as()(register, registrationForm({ LoyaltySubscribe: true, ReferralCode }));
    expect(await available({ call: as(AuthData.Token) })).toBe(firstProgramme().welcomePoints);
  }
});

test("a friend who joins later, on the member page, counts too", async () => {
  const member = await addMember();
  const { AuthData } = await as()(register, registrationForm());
  const call = as(AuthData.Token);
  await database.execute(sql`update customer set email_verified_at = now() where id = ${AuthData.Customer.IdCustomer}`);
  await call(subscribe, { ReferralCode: await codeOf(member) });
  const { Card } = await call(readLoyalty);
  await shop.sell({ CardNumber: Card?.Number ?? "", Amount: "40.00" });
  wait(days);
  expect(await gained(member, async () => night())).toBe(points);
});

test("a purchase that vouchers paid in full brings nothing, nor one from before the friend joined", async () => {
  const member = await addMember();
  const before = await shop.sell({ Amount: "80.00" });
  wait(1);
  const friend = await addFriend(member);
  await friend.call(claimReceipt, { ClaimCode: before.ClaimCode ?? "" });
  const { CustomerReward } = await friend.call(obtainReward, { IdLoyaltyReward: 1 });
  await buy(friend, { Amount: "10.00", VoucherCodes: CustomerReward.Code });
  wait(days);
  expect(await gained(member, async () => night())).toBe(0);
  await buy(friend);
  wait(days);
  expect(await gained(member, async () => night())).toBe(points);
});

test("a friend counts until the purchase's own days are over, also after the numbers have changed", async () => {
  const member = await addMember();
  const friend = await addFriend(member);
  await buy(friend);
  wait(1);
  await publishNow(database, { referral: noReferral }, { now: clock.now });
  expect((await member.call(readLoyalty)).Referral).toBeNull();
  wait(days);
  expect(await gained(member, async () => night())).toBe(points);
  await publishNow(database, { referral: { points, days, perYear } }, { now: clock.now });
});

test("a member gets points for so many friends in a year, and what is beyond is not made up for", async () => {
  await publishNow(database, { referral: { points, days, perYear: 2 } }, { now: clock.now });
  const member = await addMember();
  const friends = [];
  for (let n = 0; n < 3; n += 1) friends.push(await addFriend(member));
  for (const friend of friends) await buy(friend);
  wait(days);
  expect(await gained(member, async () => Promise.all([night(), night()]))).toBe(2 * points);
  wait(366);
  expect(await gained(member, async () => night())).toBe(0);
  await publishNow(database, { referral: { points, days, perYear } }, { now: clock.now });
});

test("a member who left or was erased gets nothing, and the link of an erased member is one like any unknown code", async () => {
  const [gone, left] = [await addMember(), await addMember()];
  const code = await codeOf(gone);
  for (const friend of [await addFriend(gone), await addFriend(left)]) await buy(friend);
  await left.call(unsubscribe);
  await database.execute(sql`update session set proved_at = now() where customer_id = ${gone.id}`);
  await gone.call(eraseCustomer, {});
  const { rows } = await database.execute(sql`select 1 from loyalty_account where referral_code = ${code}`);
  expect(rows).toEqual([]);
  wait(days);
  await night();
  await left.call(subscribe);
  wait(1);
  expect(await gained(left, async () => night())).toBe(0);
});

test("neither export tells about the other person", async () => {
  const member = await addMember();
  const friend = await addFriend(member);
  await buy(friend);
  wait(days);
  await night();
  const [ofMember, ofFriend] = [await member.call(exportCustomer), await friend.call(exportCustomer)].map((one) =>
    JSON.stringify(one),
  );
  expect(ofFriend).toContain('"recommended":{"joinedAt"');
  expect(ofMember).toContain(await codeOf(member));
  expect(ofMember).toContain('"recommended":null');
  for (const told of [friend.email, friend.card]) expect(ofMember).not.toContain(told);
  for (const told of [member.email, member.card, await codeOf(member)]) expect(ofFriend).not.toContain(told);
});

test("nothing is decided while the friend is blocked", async () => {
  const member = await addMember();
  const friend = await addFriend(member);
  await buy(friend);
  await database.execute(sql`update customer set blocked_at = now() where id = ${friend.id}`);
  wait(days);
  expect(await gained(member, async () => night())).toBe(0);
  await database.execute(sql`update customer set blocked_at = null where id = ${friend.id}`);
  expect(await gained(member, async () => night())).toBe(points);
});

test("a friend with an invented address brings nothing until it is confirmed", async () => {
  const member = await addMember();
  const friend = await addFriend(member);
  await database.execute(sql`update customer set email_verified_at = null where id = ${friend.id}`);
  await buy(friend);
  wait(days);
  expect(await gained(member, async () => night())).toBe(0);
  await database.execute(sql`update customer set email_verified_at = now() where id = ${friend.id}`);
  expect(await gained(member, async () => night())).toBe(points);
});

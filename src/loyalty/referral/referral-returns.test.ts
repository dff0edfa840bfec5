import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { amountOf } from "#brand/amounts.ts";
import { eraseCustomer } from "#identity/calls.ts";
import { lockCustomer } from "#identity/customer/customer.server.ts";
import { readHistory } from "#loyalty/calls.ts";
import { password } from "#testing/people.server.ts";
import { openTestReferrals } from "#testing/referrals.server.ts";

const { addMember, clock, database, shop, ...referrals } = await openTestReferrals();
const { addFriend, buy, gained, minimumCents, night, wait } = referrals;
const { points, days } = referrals.referral;

test("of a first purchase that is returned in full before its days are over, the next one counts; a part changes nothing", async () => {
  const [member, other] = [await addMember(), await addMember()];
  const [friend, otherFriend] = [await addFriend(member), await addFriend(other)];
  await shop.takeBack(await buy(friend));
  const Lines = [
    { Line: "1", Amount: "30.00" },
    { Line: "2", Amount: "10.00" },
  ];
  await shop.takeBack(await buy(otherFriend, { Lines }), [{ Line: "1" }]);
  wait(days);
  expect(await gained(other, async () => expect(await gained(member, async () => night())).toBe(0))).toBe(points);
  await buy(friend);
  wait(days);
  expect(await gained(member, async () => night())).toBe(points);
});

test("points of a first purchase that is returned in full later are taken back, the day after, once", async () => {
  const member = await addMember();
  const friend = await addFriend(member);
  const receipt = await buy(friend);
  wait(days);
  await night();
  await shop.takeBack(receipt);
  expect(await gained(member, async () => night())).toBe(0);
  wait(1);
  expect(await gained(member, async () => Promise.all([night(), night()]))).toBe(-points);
  const { Entries } = await member.call(readHistory);
  expect(Entries[0]).toMatchObject({ Kind: "return", Label: "Recommandation, points repris", Points: -points });
  await buy(friend);
  wait(days);
  expect(await gained(member, async () => night())).toBe(0);
});

test("a friend keeps at least what the points are worth of the first purchase, before its days are over and later", async () => {
  for (const [keptCents, expected] of [
    [1, 0],
    [minimumCents - 1, 0],
    [minimumCents, points],
  ] as const)
    for (const when of ["early", "late"]) {
      const member = await addMember();
      const friend = await addFriend(member);
      const receipt = await buy(friend);
      const giveBack = () => shop.takeBack(receipt, undefined, { Amount: amountOf(4_000 - keptCents), Spread: true });
      if (when === "early") await giveBack();
      wait(days);
      const bought = await gained(member, async () => night());
      if (when === "late") await giveBack();
      wait(1);
      expect(bought + (await gained(member, async () => night()))).toBe(expected);
      if (when === "late" || expected > 0) continue;
      // The next purchase is the first.
      await buy(friend);
      wait(days);
      expect(await gained(member, async () => night())).toBe(points);
    }
});

test("a return dated before today that arrives while the night is at work is looked at the next night", async () => {
  const [member, other] = [await addMember(), await addMember()];
  const [friend, otherFriend] = [await addFriend(member), await addFriend(other)];
  const Lines = [
    { Line: "1", Amount: "30.00" },
    { Line: "2", Amount: "10.00" },
  ];
  const [receipt, otherReceipt] = [await buy(friend, { Lines }), await buy(otherFriend)];
  wait(days);
  await night();
  await shop.takeBack(receipt, [{ Line: "1" }]);
  await shop.takeBack(otherReceipt);
  const SoldAt = clock.now.toISOString();
  wait(1);
  const { running } = await database.transaction(async (tx) => {
    // The other member is locked, so the night waits after it has read which recommendations are marked.
    await lockCustomer(tx, other.id);
    const running = night();
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await database.execute(waiting)).rows.length).toBeGreaterThan(0);
    await shop.takeBack(receipt, [{ Line: "2" }], { SoldAt, SentAt: clock.now.toISOString() });
    return { running };
  });
  await running;
  expect(await gained(member, async () => night())).toBe(-points);
});

test("a night looks only at recommendations whose purchase something was returned of since", async () => {
  const member = await addMember();
  const [friend, other] = [await addFriend(member), await addFriend(member)];
  const Lines = [
    { Line: "1", Amount: "30.00" },
    { Line: "2", Amount: "10.00" },
  ];
  const receipt = await buy(friend, { Lines });
  await buy(other);
  wait(days);
  await night();
  const marked = async () => {
    const { rows } = await database.execute<{ id: string }>(
      sql`select customer_id as id from loyalty_referral where check_since is not null`,
    );
    return rows.map(({ id }) => Number(id));
  };
  wait(1);
  await night();
  expect(await marked()).toEqual([]);
  await shop.takeBack(receipt, [{ Line: "1" }]);
  await night();
  expect(await marked()).toEqual([friend.id]);
  wait(1);
  expect(await gained(member, async () => night())).toBe(0);
  expect(await marked()).toEqual([]);
  await shop.takeBack(receipt, [{ Line: "2" }]);
  wait(1);
  expect(await gained(member, async () => night())).toBe(-points);
  expect(await marked()).toEqual([]);
});

test("points that were spent are owed when they are taken back", async () => {
  const member = await addMember(250 - points);
  const friend = await addFriend(member);
  const receipt = await buy(friend);
  wait(days);
  await night();
  for (const code of [await member.obtain(), await member.obtain()])
    await shop.sell({ CardNumber: member.card, Amount: "10.00", VoucherCodes: code });
  await shop.takeBack(receipt);
  wait(1);
  await night();
  expect(await member.points()).toMatchObject({ Available: 0, Debt: points });
});

test("a friend who is erased before brings nothing; one who is erased afterwards and returns the goods takes the points along", async () => {
  const member = await addMember();
  const [early, late] = [await addFriend(member), await addFriend(member)];
  await buy(early);
  const receipt = await buy(late);
  wait(days - 1);
  await early.call(eraseCustomer, { Password: password });
  wait(1);
  expect(await gained(member, async () => night())).toBe(points);
  await late.call(eraseCustomer, { Password: password });
  await shop.takeBack(receipt);
  wait(1);
  expect(await gained(member, async () => night())).toBe(-points);
});

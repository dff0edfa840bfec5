import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { amountOf } from "#brand/amounts.ts";
import { editCustomer, eraseCustomer, exportCustomer, register } from "#identity/calls.ts";
import { lockCustomer } from "#identity/customer/customer.server.ts";
import { deviceCookieName } from "#identity/session/cookies.ts";
import { claimReceipt, obtainReward, readHistory, readLoyalty, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { mergeAccounts } from "#loyalty/ledger/merge/merge.server.ts";
import { firstProgramme } from "#loyalty/programme/first-programme.server.ts";
import { valueOfPoints } from "#loyalty/programme/point-value.ts";
import { noReferral, type Rules } from "#loyalty/programme/rules.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { form, freshEmail, password, registrationForm } from "#testing/people.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { addMember, as, clock, database, fetch, openShop, product, settings } = await openTestShop();
const { points, days, perYear } = firstProgramme().referral;
const minimumCents = valueOfPoints(firstProgramme()).cents(points, Math.ceil);
const shop = await openShop();
const dayMs = 24 * 3_600_000;
type Caller = Pick<Member, "call">;
type Member = Awaited<ReturnType<typeof addMember>>;

/** Each test in a year of its own. */
beforeEach(() => {
  clock.now = new Date(clock.now.getTime() + 366 * dayMs);
});

const wait = (count: number) => {
  clock.now = new Date(clock.now.getTime() + count * dayMs);
};
const night = () => product.jobs["loyalty:referrals"]?.({}, database);
const codeOf = async ({ call }: Caller) => (await call(readLoyalty)).Referral?.Url.split("/").at(-1) ?? "";
const available = async ({ call }: Caller) => (await call(readLoyalty)).Points.Available;

/** Registers by the member's link. */
async function addFriend(member: Caller, changes: Parameters<typeof registrationForm>[0] = {}, headers = {}) {
  const ReferralCode = await codeOf(member);
  const { AuthData } = await as(undefined, headers)(
    register,
    registrationForm({ LoyaltySubscribe: true, ReferralCode, ...changes }),
  );
  const call = as(AuthData.Token);
  await database.execute(sql`update customer set email_verified_at = now() where id = ${AuthData.Customer.IdCustomer}`);
  const { Card } = await call(readLoyalty);
  return { id: AuthData.Customer.IdCustomer, email: AuthData.Customer.Email, call, card: Card?.Number ?? "" };
}
type Friend = Awaited<ReturnType<typeof addFriend>>;

async function buy(friend: Friend, sale: Parameters<typeof shop.sell>[0] = { Amount: "40.00" }): Promise<string> {
  const ReceiptNumber = shop.newNumber();
  await shop.sell({ ReceiptNumber, CardNumber: friend.card, ...sale });
  return ReceiptNumber;
}

/** What the member has got beside the points from before. */
async function gained(member: Caller, during: () => Promise<unknown>) {
  const before = await available(member);
  await during();
  return (await available(member)) - before;
}

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

const same: [string, (member: Member, friend: Friend) => Promise<unknown>][] = [
  [
    "mobile phone",
    async (member, friend) => {
      const MobilePhone = `+336${10_000_000 + member.id}`;
      for (const { call } of [member, friend])
        await call(editCustomer, { Firstname: "Léa", Lastname: "Martin", MobilePhone });
    },
  ],
  [
    "postal address",
    async (member, friend) => {
      await database.execute(sql`insert into postal_address (customer_id, address1, postcode, city, country) values
        (${member.id}, '12 bis, rue de l’Église', '75 011', 'Paris', 'FR'),
        (${friend.id}, '12 Bis rue de l’Eglise', '75011', 'PARIS', 'FR')`);
    },
  ],
  [
    "phone's wallet",
    async (member, friend) =>
      database.execute(sql`insert into apple_device (customer_id, device_id, push_token, registered_at)
        select id, ${`phone-${member.id}`}, 'x', now() from unnest(array[${member.id}, ${friend.id}]::bigint[]) id`),
  ],
  [
    "former club",
    async (_, friend) =>
      database.execute(sql`insert into move_member (customer_id, source, source_id, linked, content, taken_at, moved_at)
      values (${friend.id}, 'old', ${`s-${friend.id}`}, true, '', now(), now())`),
  ],
];

test.each(same)("a friend with the same %s brings nothing, also when it is the same no longer", async (_, share) => {
  const member = await addMember();
  const friend = await addFriend(member);
  await share(member, friend);
  await buy(friend);
  wait(days);
  expect(await gained(member, async () => night())).toBe(0);
  for (const table of ["apple_device", "postal_address", "move_member"])
    await database.execute(sql`delete from ${sql.identifier(table)}`);
  await database.execute(sql`update customer set mobile_phone = null where id = ${friend.id}`);
  wait(1);
  expect(await gained(member, async () => night())).toBe(0);
});

test("an account made by one's own link, in one's own browser or with another spelling of the address, brings nothing", async () => {
  const email = `lea.${randomBytes(5).toString("hex")}@gmail.com`;
  const registered = await fetch("/api/customer", form(registrationForm({ Email: email, LoyaltySubscribe: true })));
  const { AuthData } = (await registered.json()) as ResponseBody<typeof register>;
  const cookies = registered.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
  const device = cookies.find((one) => one.startsWith(deviceCookieName));
  expect(device).toBeTruthy();
  const member = { call: as(AuthData.Token) };
  const friends = [
    await addFriend(member, { Email: email.replace("@", "+friend@") }),
    await addFriend(member, {}, { cookie: device }),
    await addFriend(member, {}, { authorization: `Bearer ${AuthData.Token}` }),
  ];
  for (const friend of friends) await buy(friend);
  wait(days);
  expect(await gained(member, async () => night())).toBe(0);
});

test("a person who was a member before and was erased is not a new friend, with or without a welcome gift", async () => {
  for (const welcomePoints of [0, firstProgramme().welcomePoints]) {
    const events = firstProgramme().events.filter(({ proof }) => welcomePoints > 0 || proof !== "welcome");
    await publishNow(database, { welcomePoints, events: events as Rules["events"] }, { now: clock.now });
    const member = await addMember();
    const Email = freshEmail();
    const { AuthData } = await as()(register, registrationForm({ Email, LoyaltySubscribe: true }));
    await as(AuthData.Token)(eraseCustomer, { Password: password });
    await buy(await addFriend(member, { Email }));
    wait(days);
    expect(await gained(member, async () => night())).toBe(0);
  }
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

const context = () => ({ now: clock.now, locale: "fr" as const, publicUrl: settings.publicUrl.origin });
const merge = async (survivor: { id: number }, other: { id: number }) =>
  database.transaction(async (tx) => mergeAccounts(tx, { survivorId: survivor.id, otherId: other.id }, context()));

test.each(["before", "after"])(
  "an account that is merged into the member who recommended it brings nothing, %s the points were credited",
  async (when) => {
    for (const survives of ["member", "friend"]) {
      const member = await addMember();
      const friend = await addFriend(member);
      await buy(friend);
      wait(days);
      if (when === "after") await night();
      const [survivor, other] = survives === "member" ? [member, friend] : [friend, member];
      await merge(survivor, other);
      await night();
      const [{ credited } = { credited: 0 }] = (
        await database.execute<{ credited: number }>(sql`
          select coalesce(sum(e.points), 0)::integer - coalesce((select sum(points) from loyalty_claw_back c
            where c.customer_id = ${survivor.id} and c.purchase like 'referral:%'), 0)::integer as credited
          from loyalty_entry e where e.customer_id = ${survivor.id} and e.kind = 'referral'`)
      ).rows;
      expect(credited).toBe(0);
    }
  },
);

test("a friend whose account becomes part of an older one was a member before; a newer one changes nothing", async () => {
  const old = await addMember();
  wait(1);
  const [member, other] = [await addMember(), await addMember()];
  const [known, fresh] = [await addFriend(member), await addFriend(other)];
  wait(1);
  const newer = await addMember();
  for (const friend of [known, fresh]) await buy(friend);
  wait(days);
  await night();
  await merge(old, known);
  await merge(newer, fresh);
  expect(await gained(other, async () => expect(await gained(member, async () => night())).toBe(-points))).toBe(0);
});

test("of two links of one member after a merge, both are the survivor's", async () => {
  const [survivor, other] = [await addMember(), await addMember()];
  const code = await codeOf(other);
  await merge(survivor, other);
  const friend = await addFriend(survivor, { ReferralCode: code });
  await buy(friend);
  wait(days);
  expect(await gained(survivor, async () => night())).toBe(points);
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

import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { editCustomer, eraseCustomer, register } from "#identity/calls.ts";
import { deviceCookieName } from "#identity/session/cookies.ts";
import { mergeAccounts } from "#loyalty/ledger/merge/merge.server.ts";
import { firstProgramme } from "#loyalty/programme/first-programme.server.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { form, freshEmail, password, registrationForm } from "#testing/people.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestReferrals } from "#testing/referrals.server.ts";

const { addMember, as, clock, database, fetch, settings, ...referrals } = await openTestReferrals();
const { addFriend, buy, codeOf, gained, night, wait } = referrals;
const { points, days } = referrals.referral;
type Member = Awaited<ReturnType<typeof addMember>>;
type Friend = Awaited<ReturnType<typeof addFriend>>;

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

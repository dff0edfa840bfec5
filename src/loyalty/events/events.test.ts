import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { listEvents, obtainEvent, readHistory, readLoyalty, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import { openTestClub, refusalOf } from "#testing/club.server.ts";
import { publishNow } from "#testing/programme.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const { addCustomer, database, clock, openShop } = await openTestShop();
const shop = await openShop();
const [welcome, email, profile, newsletter, sms, birthday] = [1, 2, 3, 4, 5, 6] as const;

async function addMember(facts: Partial<typeof customers.$inferInsert> = {}) {
  clock.now = new Date("2026-03-10T10:00:00Z");
  const member = await addCustomer(facts);
  await member.call(subscribe);
  const states = async () => (await member.call(listEvents)).Events.map((event) => event.State);
  const obtain = (id: number) => member.call(obtainEvent, { IdLoyaltyProgramEvent: id });
  const change = (set: Partial<typeof customers.$inferInsert>) =>
    database.update(customers).set(set).where(eq(customers.id, member.id));
  const buy = async () => {
    const { Card } = await member.call(readLoyalty);
    const ReceiptNumber = shop.newNumber();
    await shop.sell({ ReceiptNumber, CardNumber: Card?.Number ?? "", Amount: "0.50" });
    return ReceiptNumber;
  };
  return { ...member, states, obtain, change, buy };
}

test("for a customer who is no member every event is locked, with a hint how to obtain it", async () => {
  const { as } = await addCustomer({ newsletter: true });
  const { Events } = await as("en")(listEvents);
  expect(Events.map((event) => event.State)).toEqual(Array(6).fill("locked"));
  expect(Events[3]).toMatchObject({
    IdLoyaltyProgramEvent: 4,
    Name: "The Cercle newsletter",
    Points: 50,
    Frequency: "once",
    Hint: "Subscribe to the newsletter in “My details”.",
    ObtainedAt: null,
  });
});

test("an event whose proof is met is available, the others are locked", async () => {
  const { states, change, buy } = await addMember({ emailVerifiedAt: null });
  await buy();
  expect(await states()).toEqual(["obtained", "locked", "locked", "locked", "locked", "locked"]);
  await change({
    emailVerifiedAt: clock.now,
    mobilePhone: "+33612340005",
    newsletter: true,
    newsletterSms: true,
    birthday: "1990-03-31",
  });
  expect(await states()).toEqual(["obtained", "available", "available", "available", "available", "available"]);
});

test("each event credits its points once", async () => {
  const { obtain, states, call, as, buy } = await addMember({
    emailVerifiedAt: clock.now,
    mobilePhone: "+33612340006",
    newsletter: true,
    newsletterSms: true,
    birthday: "1990-03-31",
  });
  await buy();
  let available = 250;
  for (const id of [email, profile, newsletter, sms, birthday]) {
    const result = await obtain(id);
    available += result.Event.Points;
    expect(result).toMatchObject({
      Event: { IdLoyaltyProgramEvent: id, State: "obtained", Hint: null, ObtainedAt: clock.now.toISOString() },
      Points: { Available: available },
    });
  }
  expect(available).toBe(550);
  for (const id of [welcome, email, profile, newsletter, sms, birthday])
    expect(await refusalOf(obtain(id))).toMatchObject({ status: 409, code: "already_obtained" });
  expect(await states()).toEqual(Array(6).fill("obtained"));
  const details = [];
  for (const language of ["fr", "en", "de"])
    details.push((await refusalOf(as(language)(obtainEvent, { IdLoyaltyProgramEvent: email }))).detail);
  expect(details).toEqual([
    "Vous avez déjà reçu ces points.",
    "You have already received these points.",
    "Sie haben diese Punkte bereits erhalten.",
  ]);
  expect((await as("de")(readHistory)).Entries[0]).toMatchObject({
    Kind: "event",
    Label: "Ihr Geburtstag",
    Points: 100,
  });
  expect((await call(readLoyalty)).Points.Available).toBe(550);
});

test("50 concurrent requests for one event credit its points once", async () => {
  const { obtain, call } = await addMember({ newsletter: true });
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => refusalOf(obtain(newsletter))));
  expect(outcomes.filter(({ status }) => status === undefined)).toHaveLength(1);
  expect(outcomes.filter(({ code }) => code === "already_obtained")).toHaveLength(49);
  expect((await call(readLoyalty)).Points.Available).toBe(300);
});

test("the SMS bonus is credited once per phone number, also for two customers at once", async () => {
  const mine = { mobilePhone: "+33612340001", newsletterSms: true };
  const [one, other] = [await addMember(mine), await addMember(mine)];
  for (const { buy } of [one, other]) await buy();
  const outcomes = await Promise.all([one, other].map(({ obtain }) => refusalOf(obtain(sms))));
  expect(outcomes.map(({ code }) => code).sort()).toEqual(["already_obtained", undefined]);
  const [given, refused] = outcomes[0]?.code ? [other, one] : [one, other];
  expect((await given.states())[4]).toBe("obtained");
  const { Events } = await refused.as("en")(listEvents);
  expect(Events[4]).toMatchObject({
    State: "locked",
    Hint: "The points for this phone number have already been given.",
  });
  expect(await refusalOf(refused.obtain(sms))).toMatchObject({ status: 409, code: "already_obtained" });
  expect((await refused.call(readLoyalty)).Points.Available).toBe(250);
  // Another number has a bonus of its own, but each customer gets only one.
  await refused.change({ mobilePhone: "+33612340002" });
  expect((await refused.obtain(sms)).Points.Available).toBe(300);
  await given.change({ mobilePhone: "+33612340003" });
  expect(await refusalOf(given.obtain(sms))).toMatchObject({ code: "already_obtained" });
});

test("after erasure and a new registration a phone number brings no second SMS bonus", async () => {
  const mine = { mobilePhone: "+33612340004", newsletterSms: true };
  const { obtain, id, buy } = await addMember(mine);
  await buy();
  await obtain(sms);
  await database.transaction(async (tx) => {
    await clubHooks({ publicUrl: "https://cercle.test", now: () => clock.now }).erase(tx, id);
    await tx.delete(customers).where(eq(customers.id, id));
  });
  const again = await addMember(mine);
  await again.buy();
  expect(await refusalOf(again.obtain(sms))).toMatchObject({ status: 409, code: "already_obtained" });
  const { rows } = await database.execute(sql`select phone::text from loyalty_sms_bonus`);
  expect(JSON.stringify(rows)).not.toContain(Buffer.from("612340004").toString("hex"));
});

test("the SMS bonus is paid after the first purchase, and only then uses up the number", async () => {
  const mine = { mobilePhone: "+33612340007", newsletterSms: true };
  const stranger = await addMember(mine);
  expect(await refusalOf(stranger.obtain(sms))).toMatchObject({ status: 409, code: "event_locked" });
  const hints = [];
  for (const language of ["fr", "en", "de"]) hints.push((await stranger.as(language)(listEvents)).Events[4]?.Hint);
  expect(hints).toEqual([
    "Acceptez les SMS dans « Mes informations » : les points sont à vous après votre premier achat.",
    "Agree to text messages in “My details”: the points are yours after your first purchase.",
    "Stimmen Sie den SMS unter „Meine Daten“ zu: Die Punkte erhalten Sie nach Ihrem ersten Einkauf.",
  ]);
  // A purchase that was given back in full is none.
  await shop.takeBack(await stranger.buy());
  expect(await refusalOf(stranger.obtain(sms))).toMatchObject({ code: "event_locked" });

  const owner = await addMember(mine);
  await owner.buy();
  expect((await owner.obtain(sms)).Points.Available).toBe(300);
  await stranger.buy();
  expect(await refusalOf(stranger.obtain(sms))).toMatchObject({ code: "already_obtained" });
});

test("an account of a mailbox that had its welcome gift with another account gets none of the bonuses again", async () => {
  const facts = { newsletter: true, birthday: "1990-03-31", mobilePhone: "+33612340008" };
  const first = await addMember({ ...facts, email: "noe+1@exemple.fr" });
  expect(await first.states()).toEqual(["obtained", "available", "available", "available", "locked", "available"]);
  const second = await addMember({ ...facts, email: "noe+2@exemple.fr" });
  expect(await second.states()).toEqual(["obtained", "obtained", "obtained", "obtained", "obtained", "locked"]);
  for (const id of [email, profile, newsletter])
    expect(await refusalOf(second.obtain(id))).toMatchObject({ code: "already_obtained" });
  expect((await second.call(readLoyalty)).Points.Available).toBe(0);
  // A person who came back and buys has birthdays like everybody.
  await second.buy();
  expect((await second.obtain(birthday)).Points.Available).toBe(100);
});

test("without a welcome gift, too, a mailbox gets the bonuses with one account", async () => {
  const club = await openTestClub();
  const withoutGift = ({ events }: Rules) => ({
    welcomePoints: 0,
    events: events.filter(({ proof }) => proof !== "welcome"),
  });
  await publishNow(club.database, withoutGift, { now: club.clock.now });
  const facts = { newsletter: true, birthday: "1990-03-31" };
  const states = async (email: string) => {
    const { call } = await club.addCustomer({ ...facts, email });
    await call(subscribe);
    return { call, states: (await call(listEvents)).Events.map((event) => event.State) };
  };
  const first = await states("lou+1@exemple.fr");
  expect(first.states).toEqual(["available", "locked", "available", "locked", "available"]);
  const second = await states("lou+2@exemple.fr");
  expect(second.states).toEqual(["obtained", "obtained", "obtained", "obtained", "locked"]);
  await first.call(obtainEvent, { IdLoyaltyProgramEvent: newsletter });
  expect((await first.call(obtainEvent, { IdLoyaltyProgramEvent: email })).Points.Available).toBe(100);
  // Nor with an account that was made with an invented address.
  const invented = await club.addCustomer({ ...facts, email: "invented@exemple.fr", emailVerifiedAt: null });
  await invented.call(subscribe);
  await invented.call(obtainEvent, { IdLoyaltyProgramEvent: newsletter });
  const hooks = clubHooks({ publicUrl: "https://cercle.test", now: () => club.clock.now });
  await club.database.transaction(async (tx) => {
    const now = { email: "lou+3@exemple.fr", emailVerifiedAt: club.clock.now };
    await tx.update(customers).set(now).where(eq(customers.id, invented.id));
    await hooks.emailChanged(tx, invented.id, "invented@exemple.fr");
  });
  expect((await invented.call(readLoyalty)).Points.Available).toBe(0);
  const { Events } = await invented.call(listEvents);
  expect(Events.map(({ State }) => State)).toEqual(second.states);
});

test("an event stays obtained when its proof is no longer met", async () => {
  const { obtain, states, change } = await addMember({ newsletter: true });
  await obtain(newsletter);
  await change({ newsletter: false });
  expect((await states())[3]).toBe("obtained");
  expect(await refusalOf(obtain(newsletter))).toMatchObject({ code: "already_obtained" });
});

test("an event is refused if it is locked, unknown or malformed, or the customer is no member or has left", async () => {
  const { obtain, call } = await addMember({ emailVerifiedAt: null });
  expect(await refusalOf(obtain(email))).toMatchObject({ status: 409, code: "event_locked" });
  expect(await refusalOf(obtain(99))).toMatchObject({ status: 404, code: "not_found" });
  const elsewhere = { IdLoyaltyProgramEvent: email, IdLoyaltyProgram: 5 };
  expect(await refusalOf(call(obtainEvent, elsewhere))).toMatchObject({ status: 404 });
  expect(await refusalOf(call(listEvents, { IdLoyaltyProgram: 5 }))).toMatchObject({ status: 404 });
  for (const id of ["0", "-1", "4.0", "NaN", "9223372036854775808"])
    expect(await refusalOf(call(obtainEvent, { IdLoyaltyProgramEvent: id }))).toMatchObject({ status: 400 });
  await call(unsubscribe);
  expect(await refusalOf(obtain(email))).toMatchObject({ status: 409, code: "not_a_member" });
  const nonMember = await addCustomer({ newsletter: true });
  const claim = nonMember.call(obtainEvent, { IdLoyaltyProgramEvent: newsletter });
  expect(await refusalOf(claim)).toMatchObject({ status: 409, code: "not_a_member" });
});

test("a birthday changed to this month brings no points for 30 days", async () => {
  const { obtain, change } = await addMember({ birthday: "1990-07-14" });
  expect(await refusalOf(obtain(birthday))).toMatchObject({ code: "event_locked" });
  await change({ birthday: "1990-04-10", birthdayChangedAt: clock.now });
  clock.now = new Date("2026-04-09T09:59:59Z");
  expect(await refusalOf(obtain(birthday))).toMatchObject({ code: "event_locked" });
  clock.now = new Date("2026-04-09T10:00:00Z");
  expect((await obtain(birthday)).Points.Available).toBe(350);
});

test("birthday points are credited once a year, also for 29 February", async () => {
  const { obtain, states } = await addMember({ birthday: "1992-02-29" });
  clock.now = new Date("2027-02-01T08:00:00Z");
  expect((await obtain(birthday)).Points.Available).toBe(350);
  clock.now = new Date("2027-02-28T22:00:00Z");
  expect(await refusalOf(obtain(birthday))).toMatchObject({ code: "already_obtained" });
  clock.now = new Date("2027-03-01T08:00:00Z");
  // This year's points stay obtained until the year ends.
  expect((await states())[5]).toBe("obtained");
  clock.now = new Date("2028-02-29T12:00:00Z");
  expect((await obtain(birthday)).Points.Available).toBe(450);
});

test.each([
  ["1990-12-05", "2026-11-30T22:59:59Z", "locked"],
  ["1990-12-05", "2026-11-30T23:00:00Z", "available"],
  ["1990-12-05", "2026-12-31T22:59:59Z", "available"],
  ["1990-12-05", "2026-12-31T23:30:00Z", "locked"],
  ["1990-01-05", "2026-12-31T23:30:00Z", "available"],
  ["1990-07-05", "2026-06-30T22:00:00Z", "available"],
])("the month of a birthday is counted in Paris: on %s, at %s it is %s", async (day, moment, state) => {
  const { states } = await addMember({ birthday: day });
  clock.now = new Date(moment);
  expect((await states())[5]).toBe(state);
});

test("at 23:30 UTC on 31 December birthday points count for the new year", async () => {
  const { obtain } = await addMember({ birthday: "1990-01-01" });
  clock.now = new Date("2026-12-31T23:30:00Z");
  await obtain(birthday);
  clock.now = new Date("2027-01-15T12:00:00Z");
  expect(await refusalOf(obtain(birthday))).toMatchObject({ code: "already_obtained" });
});

test("twenty members who obtain an event at once do not wait for each other's connections", async () => {
  const members = await Promise.all(Array.from({ length: 20 }, () => addMember({ emailVerifiedAt: clock.now })));
  const obtained = await Promise.all(members.map(({ obtain }) => refusalOf(obtain(email))));
  expect(obtained.map(({ status }) => status)).toEqual(members.map(() => undefined));
});

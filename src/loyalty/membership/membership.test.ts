import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { customerEmails, customers } from "#identity/customer/customer.tables.server.ts";
import { obtainReward, readHistory, readLoyalty, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { isCardNumber } from "#loyalty/card/card-number.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { entries } from "#loyalty/ledger/ledger.tables.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import { openTestClub, refusalOf } from "#testing/club.server.ts";
import { leave } from "./membership.server.ts";

const { addCustomer, database, clock, fetch } = await openTestClub();
const hooks = clubHooks({ publicUrl: "https://cercle.test", now: () => clock.now });

test("a customer who has not joined has no card and no points", async () => {
  const { call, id } = await addCustomer();
  expect(await call(readLoyalty)).toEqual({
    IdCustomer: id,
    IdLoyaltyProgram: defaultProgrammeId,
    LoyaltyCustomerState: false,
    MemberSince: null,
    WelcomePoints: 250,
    TierMonths: 12,
    Card: null,
    Points: {
      ...{ Available: 0, Pending: 0, NextPending: null },
      EarnedLast12Months: 0,
      Value: { Amount: "0.00", CurrencyIsoCode: "EUR" },
      Expiring: null,
      Debt: 0,
    },
    Tier: null,
    NextTier: null,
    Campaigns: [],
    Referral: null,
  });
});

test("joining gives a card, 250 points worth 10 euros, and the first tier", async () => {
  const { as, id } = await addCustomer();
  const joined = await as("en")(subscribe, { LoyaltyCustomerState: true, IdLoyaltyProgram: defaultProgrammeId });
  expect(joined).toMatchObject({
    IdCustomer: id,
    LoyaltyCustomerState: true,
    MemberSince: "2026-03-10T10:00:00.000Z",
    Points: {
      Available: 250,
      EarnedLast12Months: 250,
      Value: { Amount: "10.00", CurrencyIsoCode: "EUR" },
      Expiring: { Points: 250, Date: "2028-03-10" },
    },
    Tier: { IdLoyaltyTier: 1, Rank: 1, Name: "Cotton", Until: null },
    NextTier: { IdLoyaltyTier: 2, Name: "Silk", PointsRequired: 1000, PointsMissing: 750 },
  });
  expect(isCardNumber(joined.Card?.Number ?? "")).toBe(true);
});

test("joining twice grants 250 points once", async () => {
  const { call } = await addCustomer();
  const first = await call(subscribe);
  expect(await call(subscribe)).toEqual(first);
});

test("50 concurrent joins make one member with one welcome gift and one card", async () => {
  const { call, id } = await addCustomer();
  const results = await Promise.all(Array.from({ length: 50 }, () => call(subscribe)));
  expect(new Set(results.map((result) => result.Card?.Number)).size).toBe(1);
  expect(results.every((result) => result.Points.Available === 250)).toBe(true);
  const cards = await database.execute(sql`select number from loyalty_card where customer_id = ${id}`);
  expect(cards.rows).toHaveLength(1);
});

test("leaving keeps points and card, returning restores them, without a second welcome gift", async () => {
  const { call } = await addCustomer();
  const joined = await call(subscribe);
  for (let round = 0; round < 3; round++) {
    const left = await call(unsubscribe);
    expect(left).toMatchObject({ LoyaltyCustomerState: false, Card: null, Tier: null, Points: { Available: 250 } });
    expect(await refusalOf(call(obtainReward, { IdLoyaltyReward: 1 }))).toMatchObject({ code: "not_a_member" });
    expect(await call(subscribe)).toEqual(joined);
  }
  expect((await call(readHistory)).Entries).toHaveLength(1);
});

test("leaving when not a member changes nothing", async () => {
  const { call } = await addCustomer();
  expect((await call(unsubscribe)).LoyaltyCustomerState).toBe(false);
  const rows = await database.execute(sql`select 1 from loyalty_account where state = 'left' and left_at is null`);
  expect(rows.rows).toHaveLength(0);
});

test("after erasure and a new registration a person gets no second welcome gift, and the old ledger stays", async () => {
  const { call, id, email } = await addCustomer();
  await call(subscribe, {}, { idempotencyKey: "once" });
  await database.transaction(async (tx) => {
    await hooks.erase(tx, id);
    await tx.delete(customerEmails).where(eq(customerEmails.customerId, id));
    await tx.delete(customers).where(eq(customers.id, id));
  });
  // The gift, and the entry that forfeits it.
  const ledger = await database.select().from(entries).where(eq(entries.customerId, id));
  expect(ledger).toMatchObject([{ points: 250 }, { points: -250, cause: "erased", balance: 0 }]);
  const left = await database.execute(sql`select 1 from loyalty_card where customer_id = ${id}
    union all select 1 from idempotency_key where customer_id = ${id}`);
  expect(left.rows).toHaveLength(0);

  const again = await addCustomer({ email });
  expect(await again.call(subscribe)).toMatchObject({ LoyaltyCustomerState: true, Points: { Available: 0 } });
});

test("one mailbox gets one welcome gift, whatever its plus-tags and, at Gmail, its dots", async () => {
  const gift = async (email: string) => {
    const { call } = await addCustomer({ email });
    const { WelcomePoints } = await call(readLoyalty);
    const { Points } = await call(subscribe);
    // What the page offers is what joining gives.
    expect(Points.Available, email).toBe(WelcomePoints);
    return Points.Available;
  };
  expect(await gift("zoe+1@exemple.fr")).toBe(250);
  for (const email of ["zoe+2@exemple.fr", "zoe@exemple.fr", "zoe+@exemple.fr"]) expect(await gift(email)).toBe(0);
  expect(await gift("zoe.roux@gmail.com")).toBe(250);
  for (const email of ["zoeroux@gmail.com", "z.o.e.roux+club@googlemail.com"]) expect(await gift(email)).toBe(0);
  // Elsewhere a dot makes another mailbox, and what has no name before its plus sign is taken as it is.
  for (const email of ["zoe.roux@exemple.fr", "zoeroux@exemple.fr", "+1@exemple.fr", "+2@exemple.fr"])
    expect(await gift(email)).toBe(250);
});

test("two joins at once from one mailbox bring one welcome gift", async () => {
  const people = await Promise.all([1, 2, 3, 4].map((tag) => addCustomer({ email: `max+${tag}@exemple.fr` })));
  const joined = await Promise.all(people.map(({ call }) => call(subscribe)));
  expect(joined.map(({ Points }) => Points.Available).sort()).toEqual([0, 0, 0, 250]);
});

test("the club's hooks join, recognise members, and export the club's data", async () => {
  const { call, id } = await addCustomer({ birthday: null });
  await database.transaction(async (tx) => {
    const known = () => tx.select({ member: hooks.isMember }).from(customers).where(eq(customers.id, id));
    expect(await known()).toEqual([{ member: false }]);
    await hooks.join(tx, id, { locale: "de", address: "192.0.2.1" });
    await hooks.join(tx, id, { locale: "de", address: "192.0.2.1" });
    expect(await known()).toEqual([{ member: true }]);
    await leave(tx, id, clock.now);
    expect(await known()).toEqual([{ member: false }]);
    await hooks.join(tx, id, { locale: "de", address: "192.0.2.1" });
  });
  await call(obtainReward, { IdLoyaltyReward: 1 });
  expect(await hooks.exportOf(database, id)).toMatchObject({
    account: { customerId: id, balance: 0 },
    entries: [{ points: 250 }, { points: -250 }],
    vouchers: [{ amountCents: 1000 }],
    warnings: [],
  });
});

test("a guest may not join", async () => {
  const { call } = await addCustomer({ guest: true });
  expect(await refusalOf(call(subscribe))).toMatchObject({ status: 403, code: "forbidden" });
  expect((await call(readLoyalty)).LoyaltyCustomerState).toBe(false);
});

test("a missing birthday must be given, and is stored; a known one is not changed", async () => {
  const { call, id } = await addCustomer({ birthday: null });
  expect(await refusalOf(call(subscribe))).toMatchObject({ status: 400, code: "invalid" });
  await call(subscribe, { CustomerBirthday: "1984-02-29" });
  await call(unsubscribe);
  await call(subscribe, { CustomerBirthday: "1990-03-10" });
  const [customer] = await database.select().from(customers).where(eq(customers.id, id));
  expect(customer).toMatchObject({ birthday: "1984-02-29", birthdayChangedAt: null });
});

test.each([
  ["2025-02-29", "date"],
  ["1899-12-31", "birthday"],
  ["2026-03-10", "birthday_future"],
  ["2090-01-01", "birthday_future"],
  ["10/03/1990", "date"],
])("the birthday %s is refused", async (birthday, code) => {
  const { token, call } = await addCustomer({ birthday: null });
  const response = await fetch("/api/loyalty/subscribe", {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({ CustomerBirthday: birthday }),
  });
  expect(response.status).toBe(400);
  expect((await response.json()).errors).toMatchObject([{ field: "CustomerBirthday", code }]);
  expect((await call(readLoyalty)).LoyaltyCustomerState).toBe(false);
});

test("subscribing with the state false is refused", async () => {
  const { call } = await addCustomer();
  expect(await refusalOf(call(subscribe, { LoyaltyCustomerState: false }))).toMatchObject({ status: 400 });
});

test.each(["0", "-1", "4.0", "NaN", "9223372036854775808"])("the programme %s is malformed", async (id) => {
  const { call } = await addCustomer();
  expect(await refusalOf(call(subscribe, { IdLoyaltyProgram: id }))).toMatchObject({ status: 400, code: "invalid" });
});

test("another programme is unknown, and nothing is written", async () => {
  const { call } = await addCustomer({ birthday: null });
  const refused = call(subscribe, { IdLoyaltyProgram: 5, CustomerBirthday: "1990-01-01" });
  expect(await refusalOf(refused)).toMatchObject({ status: 404, code: "not_found" });
  expect(await refusalOf(call(unsubscribe, { IdLoyaltyProgram: 5 }))).toMatchObject({ status: 404 });
  expect(await refusalOf(call(readLoyalty, { IdLoyaltyProgram: 5 }))).toMatchObject({ status: 404 });
  expect((await call(readLoyalty)).LoyaltyCustomerState).toBe(false);
});

test("a visitor who is not signed in gets 401", async () => {
  for (const path of ["customer", "history", "event/list", "reward", "reward/1/customerReward", "tier/list"])
    expect((await fetch(`/api/loyalty/${path}`)).status, path).toBe(401);
  for (const path of ["subscribe", "unsubscribe", "event/obtain", "reward/1/obtain", "store/update"])
    expect((await fetch(`/api/loyalty/${path}`, { method: "POST" })).status, path).toBe(401);
});

import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { customers } from "#identity/customer/customer.tables.server.ts";
import {
  listCustomerRewards,
  listRewards,
  obtainReward,
  readHistory,
  readLoyalty,
  subscribe,
  unsubscribe,
} from "#loyalty/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { openTestClub, refusalOf } from "#testing/club.server.ts";
import { vouchers } from "./voucher.tables.server.ts";

const { addCustomer, database, clock } = await openTestClub();
const joinedAt = clock.now;

async function addMember(extraPoints = 0, facts: Parameters<typeof addCustomer>[0] = {}) {
  clock.now = joinedAt;
  const member = await addCustomer(facts);
  await member.call(subscribe);
  if (extraPoints > 0)
    await credit(database, {
      customerId: member.id,
      points: extraPoints,
      kind: "grant",
      cause: "grant:test",
      label: {},
      now: clock.now,
    });
  return member;
}

/** Marks a voucher as used in its own row, as it was done before tills wrote down their uses. */
const useAsBefore = (code: string) =>
  database.update(vouchers).set({ usedAt: clock.now }).where(eq(vouchers.code, code));

test("each reward says whether the balance covers it, and how many points are missing", async () => {
  const { as } = await addMember(50);
  const { Rewards } = await as("de")(listRewards);
  expect(
    Rewards.map(({ Name, Points, Obtainable, PointsMissing }) => [Name, Points, Obtainable, PointsMissing]),
  ).toEqual([
    ["Gutschein über 10\u00a0€", 250, true, 0],
    ["Gutschein über 20\u00a0€", 500, false, 200],
    ["Gutschein über 50\u00a0€", 1250, false, 950],
  ]);
});

test("a customer who is no member can obtain no reward", async () => {
  const { call } = await addCustomer();
  const { Rewards } = await call(listRewards);
  expect(Rewards.map(({ Obtainable, PointsMissing }) => [Obtainable, PointsMissing])).toEqual([
    [false, 250],
    [false, 500],
    [false, 1250],
  ]);
  expect(await refusalOf(call(obtainReward, { IdLoyaltyReward: 1 }))).toMatchObject({
    status: 409,
    code: "not_a_member",
  });
});

test("points buy a voucher with a unique code, valid for 90 days", async () => {
  const { as, call } = await addMember();
  const { CustomerReward, Points } = await as("en")(obtainReward, { IdLoyaltyReward: 1 });
  expect(Points.Available).toBe(0);
  expect(CustomerReward).toMatchObject({
    IdLoyaltyReward: 1,
    Name: "€10 voucher",
    Value: { Amount: "10.00", CurrencyIsoCode: "EUR" },
    BarcodeFormat: "CODE128",
    LoyaltyRewardState: "available",
    ObtainedAt: "2026-03-10T10:00:00.000Z",
    // The whole of 8 June in Paris.
    ExpiresAt: "2026-06-08T21:59:59.000Z",
    UsedAt: null,
  });
  expect(CustomerReward.Code).toMatch(/^[2-9B-DF-HJKMNP-TV-XZ]{12}$/);
  expect((await as("en")(listCustomerRewards)).CustomerRewards).toEqual([CustomerReward]);
  expect((await call(readHistory)).Entries.map(({ Kind, Points, Balance }) => [Kind, Points, Balance])).toEqual([
    ["reward", -250, 0],
    ["welcome", 250, 250],
  ]);
});

test("a reward the balance cannot cover is refused, in the caller's language, and nothing moves", async () => {
  const { as, call } = await addMember();
  const details = [];
  for (const language of ["fr", "en", "de"])
    details.push((await refusalOf(as(language)(obtainReward, { IdLoyaltyReward: 2 }))).detail);
  expect(details).toEqual([
    "Vous n’avez pas encore assez de points.",
    "You do not have enough points yet.",
    "Sie haben noch nicht genug Punkte.",
  ]);
  expect((await call(readLoyalty)).Points.Available).toBe(250);
  expect((await call(listCustomerRewards)).CustomerRewards).toEqual([]);
});

test("50 concurrent purchases with the points for one make one voucher", async () => {
  const { call } = await addMember();
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => refusalOf(call(obtainReward, { IdLoyaltyReward: 1 }))),
  );
  expect(outcomes.filter(({ status }) => status === undefined)).toHaveLength(1);
  expect(outcomes.filter(({ code }) => code === "not_enough_points")).toHaveLength(49);
  expect((await call(listCustomerRewards)).CustomerRewards).toHaveLength(1);
  expect((await call(readLoyalty)).Points.Available).toBe(0);
});

test("points are spent only once the address is confirmed, and the refusal says so in the caller's language", async () => {
  const { as, call, id } = await addMember(0, { emailVerifiedAt: null });
  const refused = await refusalOf(call(obtainReward, { IdLoyaltyReward: 1 }));
  expect(refused).toMatchObject({ status: 409, code: "email_unconfirmed" });
  expect(await refusalOf(call(obtainReward, { IdLoyaltyReward: 99 }))).toMatchObject({ status: 404 });
  const details = [];
  for (const language of ["fr", "en", "de"])
    details.push((await refusalOf(as(language)(obtainReward, { IdLoyaltyReward: 1 }))).detail);
  expect(details).toEqual([
    "L’adresse e-mail doit d’abord être confirmée, par le lien reçu par e-mail.",
    "The email address must be confirmed first, by the link in our email.",
    "Die E‑Mail-Adresse muss zuerst bestätigt werden, über den Link in unserer E‑Mail.",
  ]);
  expect((await call(readLoyalty)).Points.Available).toBe(250);
  expect((await call(listCustomerRewards)).CustomerRewards).toEqual([]);
  await database.update(customers).set({ emailVerifiedAt: clock.now }).where(eq(customers.id, id));
  expect((await call(obtainReward, { IdLoyaltyReward: 1 })).Points.Available).toBe(0);
});

test("returning to the club and obtaining concurrently spends nothing without a confirmed address", async () => {
  const { call } = await addMember(5_000, { emailVerifiedAt: null });
  for (let round = 0; round < 5; round += 1) {
    await call(unsubscribe);
    const [, ...outcomes] = await Promise.all([
      call(subscribe),
      ...Array.from({ length: 8 }, () => refusalOf(call(obtainReward, { IdLoyaltyReward: 1 }))),
    ]);
    for (const { code } of outcomes) expect(["email_unconfirmed", "not_a_member"]).toContain(code);
  }
  expect((await call(readLoyalty)).Points.Available).toBe(5_250);
});

test.each(["0", "-1", "1.0", "NaN", "9223372036854775808", "1e3"])("the reward %s is malformed", async (id) => {
  const { call } = await addMember();
  expect(await refusalOf(call(obtainReward, { IdLoyaltyReward: id }))).toMatchObject({ status: 400, code: "invalid" });
});

test("an unknown reward, a missing id and another programme are refused", async () => {
  const { call } = await addMember();
  expect(await refusalOf(call(obtainReward, { IdLoyaltyReward: 99 }))).toMatchObject({
    status: 404,
    code: "not_found",
  });
  // For every caller, also for one who may not obtain anything.
  const outside = await addCustomer();
  for (const one of [call, outside.call])
    expect(await refusalOf(one(obtainReward, { IdLoyaltyReward: 1, IdLoyaltyProgram: 5 }))).toMatchObject({
      status: 404,
    });
  expect(await refusalOf(call(obtainReward, new FormData()))).toMatchObject({ status: 400 });
  expect(await refusalOf(call(listRewards, { IdLoyaltyProgram: 5 }))).toMatchObject({ status: 404 });
  expect(await refusalOf(call(listCustomerRewards, { IdLoyaltyProgram: 5 }))).toMatchObject({ status: 404 });
});

test("vouchers are available, used or expired, and the filter finds each", async () => {
  const { call } = await addMember(500);
  const used = (await call(obtainReward, { IdLoyaltyReward: 1 })).CustomerReward;
  await useAsBefore(used.Code);
  const expired = (await call(obtainReward, { IdLoyaltyReward: 1 })).CustomerReward;
  clock.now = new Date("2026-06-08T21:59:58Z");
  const states = async () =>
    (await call(listCustomerRewards)).CustomerRewards.map(({ Code, LoyaltyRewardState }) => [Code, LoyaltyRewardState]);
  expect(await states()).toEqual([
    [expired.Code, "available"],
    [used.Code, "used"],
  ]);
  clock.now = new Date("2026-06-08T22:00:00Z");
  const fresh = (await call(obtainReward, { IdLoyaltyReward: 1 })).CustomerReward;
  expect(await states()).toEqual([
    [fresh.Code, "available"],
    [used.Code, "used"],
    [expired.Code, "expired"],
  ]);
  const found = async (state: "available" | "used" | "expired") =>
    (await call(listCustomerRewards, { LoyaltyRewardState: state })).CustomerRewards.map(({ Code }) => Code);
  expect(await found("available")).toEqual([fresh.Code]);
  expect(await found("used")).toEqual([used.Code]);
  expect(await found("expired")).toEqual([expired.Code]);
  const wrong = new FormData();
  wrong.set("LoyaltyRewardState", "burnt");
  expect(await refusalOf(call(listCustomerRewards, wrong))).toMatchObject({ status: 400, code: "invalid" });
});

test("the database refuses to reset, change or delete a voucher", async () => {
  const { call, id } = await addMember();
  const { CustomerReward } = await call(obtainReward, { IdLoyaltyReward: 1 });
  await useAsBefore(CustomerReward.Code);
  for (const change of [
    "used_at = null",
    "used_at = used_at + interval '1 day'",
    "expires_at = expires_at + interval '1 day'",
    "amount_cents = 9",
  ])
    await expect(
      database.execute(sql.raw(`update loyalty_voucher set ${change} where customer_id = ${id}`)),
    ).rejects.toThrow();
  await expect(database.execute(sql.raw(`delete from loyalty_voucher where customer_id = ${id}`))).rejects.toThrow();
});

test("vouchers of another customer are not listed", async () => {
  const one = await addMember();
  const other = await addMember();
  await one.call(obtainReward, { IdLoyaltyReward: 1 });
  expect((await other.call(listCustomerRewards)).CustomerRewards).toEqual([]);
});

import { expect, test } from "vitest";
import { obtainReward, readHistory, subscribe } from "#loyalty/calls.ts";
import { openTestClub, refusalOf } from "#testing/club.server.ts";
import { credit } from "./ledger.server.ts";
import type { Label } from "./ledger.tables.server.ts";

const { addCustomer, database, clock } = await openTestClub();

async function addMember() {
  const member = await addCustomer();
  await member.call(subscribe);
  const grant = (cause: string, label: Label = {}) =>
    credit(database, { customerId: member.id, points: 10, kind: "grant", cause, label, now: clock.now });
  return { ...member, grant };
}

test("a customer who never joined has an empty history", async () => {
  const { call } = await addCustomer();
  expect(await call(readHistory)).toEqual({ Pending: [], Entries: [], NextCursor: null });
});

test("labels are in the caller's language: of events, rewards, texts of the grant and kinds", async () => {
  const { as, grant } = await addMember();
  await grant("a", { texts: { fr: "Achat en boutique", en: "In-store purchase", de: "Einkauf in der Boutique" } });
  await grant("b", { text: "Commande 4711" });
  await grant("c");
  await as("fr")(obtainReward, { IdLoyaltyReward: 1 });
  const labels = async (language: string) => (await as(language)(readHistory)).Entries.map(({ Label }) => Label);
  expect(await labels("fr")).toEqual([
    "Bon de 10 €",
    "Points ajoutés",
    "Commande 4711",
    "Achat en boutique",
    "Bienvenue dans le Cercle",
  ]);
  expect(await labels("en")).toEqual([
    "€10 voucher",
    "Points added",
    "Commande 4711",
    "In-store purchase",
    "Welcome to the Cercle",
  ]);
  expect(await labels("de")).toEqual([
    "Gutschein über 10\u00a0€",
    "Punkte gutgeschrieben",
    "Commande 4711",
    "Einkauf in der Boutique",
    "Willkommen im Cercle",
  ]);
});

test("an entry says how many of its points remain, and when they expire while any do", async () => {
  const { call, grant, id } = await addMember();
  await credit(database, { customerId: id, points: 300, kind: "grant", cause: "much", label: {}, now: clock.now });
  const expiries = async () =>
    (await call(readHistory)).Entries.map(({ Points, Remaining, ExpiresAt }) => [
      Points,
      Remaining,
      ExpiresAt !== null,
    ]);
  expect(await expiries()).toEqual([
    [300, 300, true],
    [250, 250, true],
  ]);
  await call(obtainReward, { IdLoyaltyReward: 1 });
  await grant("little");
  await call(obtainReward, { IdLoyaltyReward: 1 });
  // The welcome gift was spent first, then most of the grant.
  expect(await expiries()).toEqual([
    [-250, 0, false],
    [10, 10, true],
    [-250, 0, false],
    [300, 50, true],
    [250, 0, false],
  ]);
  const joinedAt = clock.now;
  clock.now = new Date("2029-01-01T12:00:00Z");
  // Expired, although the nightly job has not run yet.
  expect((await expiries()).every(([, remaining, expires]) => remaining === 0 && expires === false)).toBe(true);
  clock.now = joinedAt;
});

test("new entries do not shift the pages", async () => {
  const { call, grant } = await addMember();
  for (let n = 0; n < 44; n++) await grant(`grant:${n}`);
  const seen: number[] = [];
  let cursor: string | null = "";
  for (let page = 0; cursor !== null; page++) {
    const result: { Entries: { IdLoyaltyHistory: number }[]; NextCursor: string | null } = await call(readHistory, {
      Cursor: cursor,
    });
    expect(result.Entries.length).toBe([20, 20, 5][page]);
    seen.push(...result.Entries.map((entry) => entry.IdLoyaltyHistory));
    cursor = result.NextCursor;
    await grant(`grant:later:${page}`);
  }
  expect(seen).toHaveLength(45);
  expect(new Set(seen).size).toBe(45);
  expect([...seen].sort((a, b) => b - a)).toEqual(seen);
});

test("pages are read back and forth, and each entry is on exactly one of them", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  for (let n = 0; n < 24; n += 1)
    await credit(database, {
      customerId: member.id,
      points: 1,
      kind: "grant",
      cause: `forth:${n}`,
      label: {},
      now: clock.now,
    });
  const idsOf = (page: { Entries: { IdLoyaltyHistory: number }[] }) =>
    page.Entries.map((entry) => entry.IdLoyaltyHistory);
  const first = await member.call(readHistory, { Limit: 10 });
  const second = await member.call(readHistory, { Limit: 10, Cursor: first.NextCursor ?? "" });
  const third = await member.call(readHistory, { Limit: 10, Cursor: second.NextCursor ?? "" });
  expect([first.PreviousCursor, third.NextCursor]).toEqual([undefined, null]);
  expect(idsOf(third)).toHaveLength(5);
  const backToSecond = await member.call(readHistory, { Limit: 10, After: third.PreviousCursor ?? "" });
  expect(backToSecond).toEqual(second);
  const backToFirst = await member.call(readHistory, { Limit: 10, After: second.PreviousCursor ?? "" });
  expect(idsOf(backToFirst)).toEqual(idsOf(first));
  expect(backToFirst.PreviousCursor).toBeUndefined();
  expect(new Set([first, second, third].flatMap(idsOf)).size).toBe(25);
});

test("a page holds 1 to 100 entries", async () => {
  const { call } = await addMember();
  expect((await call(readHistory, { Limit: "1" })).Entries).toHaveLength(1);
  expect((await call(readHistory, { Limit: "100" })).NextCursor).toBeNull();
  for (const limit of ["0", "101", "-1", "1.5", "NaN", "1e1"])
    expect(await refusalOf(call(readHistory, { Limit: limit })), limit).toMatchObject({ status: 400, code: "invalid" });
});

test.each([
  "x",
  "AAAA",
  Buffer.from("0").toString("base64url"),
  Buffer.from("99999999999999999999").toString("base64url"),
])("the cursor %s is refused", async (cursor) => {
  const { call } = await addMember();
  expect(await refusalOf(call(readHistory, { Cursor: cursor }))).toMatchObject({ status: 400, code: "invalid" });
});

test("a cursor of another customer shows none of their entries", async () => {
  const one = await addMember();
  const other = await addMember();
  await one.grant("more");
  const { NextCursor } = await one.call(readHistory, { Limit: "1" });
  const { Entries } = await other.call(readHistory, { Cursor: NextCursor ?? "" });
  expect(Entries.map(({ Kind }) => Kind)).toEqual(["welcome"]);
  expect(Entries).toEqual((await other.call(readHistory)).Entries);
});

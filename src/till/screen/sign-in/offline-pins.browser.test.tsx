import { beforeEach, expect, test } from "vitest";
import { transact } from "#till/queue/database.ts";
import {
  checkOfflinePin,
  keepOfflinePins,
  listOfflinePeople,
  maxOfflineAttempts,
  rememberPin,
} from "./offline-pins.ts";

const alix = { IdStaff: 2, Name: "Alix M.", Locked: false, PinMark: "a1" };
const zoe = { IdStaff: 3, Name: "Zoé L.", Locked: false, PinMark: "b2" };
const names = async () => (await listOfflinePeople()).map(({ Name }) => Name);

/** Hashing at its full cost takes a third of a second each time, on purpose. */
const lowestCost = 1;

beforeEach(async () => {
  await keepOfflinePins([]);
  await rememberPin(alix, "482913", lowestCost);
  await rememberPin(zoe, "739164", lowestCost);
});

test("a PIN is stored hashed 600 000 times, and checked as it was stored", async () => {
  await rememberPin(alix, "482913");
  const stored = await transact(["pin"], "readonly", ({ store }) => store.get(alix.IdStaff));
  expect(stored?.iterations).toBe(600_000);
  expect(await checkOfflinePin(alix.IdStaff, "482913")).toBe("right");
  expect(await checkOfflinePin(alix.IdStaff, "111222")).toBe("wrong");
});

test("a PIN that the server accepted opens the till without a network; another person's does not", async () => {
  expect(await names()).toEqual(["Alix M.", "Zoé L."]);
  expect(await checkOfflinePin(2, "482913")).toBe("right");
  expect(await checkOfflinePin(2, "739164")).toBe("wrong");
  expect(await checkOfflinePin(4, "482913")).toBe("used_up");
});

test("five wrong PINs, also all at once, and then the right one is refused too, until the server accepts it again", async () => {
  const tries = await Promise.all(Array.from({ length: 8 }, () => checkOfflinePin(2, "111222")));
  expect(tries.filter((outcome) => outcome !== "used_up")).toHaveLength(maxOfflineAttempts - 1);
  expect(await checkOfflinePin(2, "482913")).toBe("used_up");
  expect(await names()).toEqual(["Zoé L."]);
  await rememberPin(alix, "482913", lowestCost);
  expect(await checkOfflinePin(2, "482913")).toBe("right");
});

test("a right PIN starts the count again", async () => {
  for (let attempt = 0; attempt < maxOfflineAttempts - 1; attempt += 1) await checkOfflinePin(2, "111222");
  expect(await checkOfflinePin(2, "482913")).toBe("right");
  expect(await checkOfflinePin(2, "111222")).toBe("wrong");
});

test("at the next contact, a person who was locked, has left or has another PIN is forgotten on this device", async () => {
  await keepOfflinePins([alix, { ...zoe, Locked: true }]);
  expect(await names()).toEqual(["Alix M."]);
  await rememberPin(zoe, "739164", lowestCost);
  await keepOfflinePins([zoe]);
  expect(await names()).toEqual(["Zoé L."]);
  await keepOfflinePins([{ ...zoe, PinMark: "c3" }]);
  expect(await names()).toEqual([]);
});

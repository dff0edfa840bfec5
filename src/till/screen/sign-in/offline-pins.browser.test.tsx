import { beforeEach, expect, test } from "vitest";
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

beforeEach(async () => {
  await keepOfflinePins([]);
  await rememberPin(alix, "482913");
  await rememberPin(zoe, "739164");
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
  await rememberPin(alix, "482913");
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
  await rememberPin(zoe, "739164");
  await keepOfflinePins([zoe]);
  expect(await names()).toEqual(["Zoé L."]);
  await keepOfflinePins([{ ...zoe, PinMark: "c3" }]);
  expect(await names()).toEqual([]);
});

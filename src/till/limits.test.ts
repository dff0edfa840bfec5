import { expect, test } from "vitest";
import { refusalOf } from "#testing/club.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "./calls.ts";

const { addMember, openTill } = await openTestTill({ RATE_LIMITS: "on" });

test("of a hundred look-ups by address at once sixty are made, of a hundred unknown cards thirty", async () => {
  const [looker, guesser] = [await openTill(), await openTill()];
  const { email } = await addMember();
  const atOnce = async (look: () => Promise<unknown>) => {
    const looks = await Promise.all(Array.from({ length: 100 }, () => refusalOf(look())));
    return looks.filter(({ code }) => code === "too_many").length;
  };
  expect(await atOnce(() => looker.call(calls.identify, { Email: email }))).toBe(40);
  expect(await atOnce(() => guesser.call(calls.identify, { CardNumber: "2900000000001" }))).toBe(70);
});

import { expect, test } from "vitest";
import { readHistory, readLoyalty, subscribe } from "#loyalty/calls.ts";
import { openTestClub } from "#testing/club.server.ts";
import { grantPoints } from "./grant-points.server.ts";

const { addCustomer, database, clock } = await openTestClub();
const grant = (...words: string[]) =>
  grantPoints(database, words, { now: clock.now, publicUrl: "https://cercle.test" });

test("the same cause twice grants once, also to two operators at once", async () => {
  const { email, call } = await addCustomer();
  await call(subscribe);
  const said = await Promise.all([grant(email, "120", "Achat 4711"), grant(email.toUpperCase(), "120", "Achat 4711")]);
  expect(said.filter((line) => line.includes("received 120 points"))).toHaveLength(1);
  expect(said.filter((line) => line.includes("already received"))).toHaveLength(1);
  expect((await call(readLoyalty)).Points.Available).toBe(370);
  expect((await call(readHistory)).Entries[0]).toMatchObject({ Kind: "grant", Label: "Achat 4711", Points: 120 });
});

test("what cannot be granted is refused in one line", async () => {
  const { email } = await addCustomer();
  await expect(grant(email, "10", "x")).rejects.toThrow("is not a member of the club");
  await expect(grant("nobody@exemple.fr", "10", "x")).rejects.toThrow("Nobody is registered as nobody@exemple.fr.");
  for (const points of ["0", "-5", "1.5", "1e3", "1000001", "many"])
    await expect(grant(email, points, "x")).rejects.toThrow("POINTS must be a whole number");
  await expect(grant(email, "10", "x".repeat(201))).rejects.toThrow("CAUSE must not be longer");
  for (const words of [[], [email], [email, "10"], [email, "10", " "], [email, "10", "x", "y"]])
    await expect(grant(...words)).rejects.toThrow("Usage:");
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { costOf, storedForm } from "./old-hash.server.ts";
import { readForeignHash } from "./read-hash.server.ts";
import { addHashSamples, createHashSamples } from "./samples.server.ts";

const { database } = await openTestProduct();
const vectors = JSON.parse(readFileSync(new URL("./vectors.json", import.meta.url), "utf8"));
const passwords = createPasswordHashes({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });

/** One vector of each format. */
const oneOfEach = [
  ...new Map<string, (typeof vectors)[number]>(
    vectors.map((vector: { format: string }) => [vector.format, vector]),
  ).values(),
];

async function stored(vector: (typeof vectors)[number]): Promise<string> {
  const read = readForeignHash(vector);
  if ("refused" in read) throw new Error(read.refused);
  return "stored" in read ? read.stored : storedForm(read.steps, await passwords.hash(read.text));
}

test("a wrong password is checked against one hash of each cost, with any hash and with none", async () => {
  const hashes = await Promise.all(oneOfEach.map(stored));
  await database.transaction((tx) => addHashSamples(tx, [...hashes, ...hashes]));
  const samples = await createHashSamples(database)();
  expect(new Set(samples.map(costOf))).toEqual(new Set(hashes.map(costOf)));
  expect(samples.filter((sample) => hashes.includes(sample))).toEqual([]);
  // No sample is anyone's password, and each can be checked.
  for (const sample of samples) expect(await passwords.matches("hashcat", sample)).toBe(false);

  const own = await passwords.hash("secret-42");
  let asked = 0;
  const counted = async () => {
    asked += 1;
    return samples;
  };
  for (const hash of [undefined, own, hashes[0]]) expect(await passwords.matches("wrong", hash, counted)).toBe(false);
  expect(asked).toBe(3);
  expect(await passwords.matches("secret-42", own, counted)).toBe(true);
  expect(asked).toBe(3);
});

import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { costOf, storedForm } from "./old-hash.server.ts";
import { readForeignHash, readStoredHash } from "./read-hash.server.ts";
import { addHashSamples, createHashSamples, deleteUnusedSamples } from "./samples.server.ts";

const { database } = await openTestProduct();
const vectors = JSON.parse(readFileSync(new URL("./vectors.json", import.meta.url), "utf8"));
const passwords = createPasswordHashes({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });

async function stored(vector: (typeof vectors)[number]): Promise<string> {
  const read = readForeignHash(vector);
  if ("refused" in read) throw new Error(read.refused);
  return "stored" in read ? read.stored : storedForm(read.steps, await passwords.hash(read.text));
}

test("a salt is no cost: hashes of one format and its rounds have the same", () => {
  const wrapped = (step: string) => `${step}|$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA`;
  for (const step of ["md5", "sha512", "phpass:8192", "drupal:32768", "pbkdf2:sha1:1000:20"])
    expect(costOf(wrapped(`${step}:c2FsdDE`)), step).toBe(costOf(wrapped(`${step}:c2FsdDI`)));
  expect(costOf(wrapped("phpass:8192:c2FsdDE"))).not.toBe(costOf(wrapped("phpass:4096:c2FsdDE")));
});

test("what an export of the product holds is stored as it was, if it can be checked within the limits", async () => {
  for (const hash of await Promise.all(vectors.map(stored))) expect(readStoredHash(hash)).toEqual({ stored: hash });
  const own = await createPasswordHashes().hash("secret-42");
  expect(readStoredHash(own)).toEqual({ stored: own });
  const bcrypt = `$2y$10$${"a".repeat(53)}`;
  for (const [hash, refused] of [
    ["secret-42", "damaged"],
    ["5f4dcc3b5aa765d61d8327deb882cf99", "damaged"],
    ["|5f4dcc3b5aa765d61d8327deb882cf99", "damaged"],
    ["md5::|$2y$10$abc", "damaged"],
    [`rot13|${bcrypt}`, "damaged"],
    [`${"md5::,".repeat(9)}|${bcrypt}`, "damaged"],
    [`pbkdf2:sha1:0:20:c2FsdA|${own}`, "damaged"],
    // Every password would match a text of no bytes.
    [`pbkdf2:sha1:1000:0:c2FsdA|${own}`, "damaged"],
    [own.replace("argon2id", "argon2"), "damaged"],
    [own.replace("m=19456", "m=4194304"), "too_expensive"],
    [`|${own.replace("t=2", "t=200")}`, "too_expensive"],
    [`|${bcrypt.replace("$10$", "$20$")}`, "too_expensive"],
    [`phpass:99999999:c2FsdA|${own}`, "too_expensive"],
    [`pbkdf2:sha1:900000:256:c2FsdA|${own}`, "too_expensive"],
    [`${"drupal:32768:c2FsdA,".repeat(2)}md5::|${own}`, "too_expensive"],
    [`pbkdf2:sha1:900000:20:c2FsdA,phpass:8192:c2FsdA|${own}`, "too_expensive"],
    ["|$pbkdf2-sha256$i=90000000$c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "too_expensive"],
    ["|$scrypt$ln=30,r=8,p=1$c2FsdA$AAAAAAAAAAAAAAAAAAAAAA", "too_expensive"],
  ] as const)
    expect(readStoredHash(hash), hash).toEqual({ refused });
});

/** Hashes whose checks take the milliseconds that they name, by a clock that only checks and pauses move. */
function timedPasswords() {
  const clock = { ms: 0, checks: 0 };
  const timed = createPasswordHashes({
    clock: {
      now: () => clock.ms,
      pause: async (ms) => {
        clock.ms += Math.max(0, ms);
      },
    },
    check: async (_, hash) => {
      clock.checks += 1;
      clock.ms += Number(/i=(\d+)/.exec(hash)?.[1] ?? 50);
      return false;
    },
  });
  const attempt = async (hash: string | undefined, samples: string[]) => {
    const before = { ...clock };
    expect(await timed.matches("wrong", hash, async () => samples)).toBe(false);
    return { ms: clock.ms - before.ms, checks: clock.checks - before.checks };
  };
  return attempt;
}
const taking = (ms: number) => `|$pbkdf2-sha256$i=${ms}$c2FsdA$AAAA`;

test("a wrong password takes one check and, with any hash and with none, the time of the slowest", async () => {
  const attempt = timedPasswords();
  const samples = Array.from({ length: 32 }, (_, n) => taking(100 + n * 10));
  // Each process measures a cost once: never more than one of them in one attempt.
  for (let n = 0; n < 34; n += 1) expect((await attempt(undefined, samples)).checks).toBeLessThanOrEqual(2);
  const attempts = [];
  for (const hash of [undefined, "$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA", taking(100), taking(250), taking(410)])
    attempts.push(await attempt(hash, samples));
  expect(new Set(attempts.map(({ checks }) => checks))).toEqual(new Set([1]));
  expect(new Set(attempts.map(({ ms }) => Math.round(ms))).size).toBe(1);
  expect(attempts[0]?.ms).toBeLessThan(2 * 410);
});

test("samples hold nothing of the hashes that they stand for, and go when no one has such a hash", async () => {
  const hashes = await Promise.all(vectors.map(stored));
  await database.transaction((tx) => addHashSamples(tx, hashes));
  const samples = await createHashSamples(database)();
  expect(new Set(samples.map(costOf))).toEqual(new Set(hashes.map(costOf)));
  for (const sample of samples)
    for (const secret of hashes.flatMap((hash) => [...hash.matchAll(/[$:](?![a-z]+=|argon2|pbkdf2)([\w./+-]{11,})/g)]))
      expect(sample).not.toContain(secret[1]);
  // No sample is anyone's password, and each can be checked.
  for (const sample of samples) expect(await passwords.matches("hashcat", sample)).toBe(false);

  const [kept, ...others] = hashes;
  await database.execute(sql`
    insert into customer (email, firstname, lastname, password_hash) values ('alt@exemple.fr', 'Ada', 'Alt', ${kept})`);
  await deleteUnusedSamples(database);
  expect((await createHashSamples(database)()).map(costOf)).toEqual([costOf(kept ?? "")]);
  await database.execute(sql`update customer set password_hash = ${others[0]} where lastname = 'Alt'`);
  await deleteUnusedSamples(database);
  expect(await createHashSamples(database)()).toEqual([]);
});

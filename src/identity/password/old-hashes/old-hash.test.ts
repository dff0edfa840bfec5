import { readFileSync } from "node:fs";
import { hash as argon2 } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { costOf, isOldHash, matchesOldHash, storedForm } from "./old-hash.server.ts";
import { type ForeignHash, readForeignHash } from "./read-hash.server.ts";

interface Vector extends ForeignHash {
  /** The software that made the hash, or where it is published. */
  made: string;
  password: string;
}
const vectors: Vector[] = JSON.parse(readFileSync(new URL("./vectors.json", import.meta.url), "utf8"));

const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 };

async function store(given: ForeignHash): Promise<string> {
  const read = readForeignHash(given);
  if ("refused" in read) throw new Error(read.refused);
  return "stored" in read ? read.stored : storedForm(read.steps, await argon2(read.text, cheap));
}

test.each(vectors.map((vector, index) => [index + 1, vector.format, vector.made, vector] as const))(
  "%i: %s made by %s is matched by its password alone",
  async (_index, _format, _made, vector) => {
    const stored = await store(vector);
    expect(isOldHash(stored)).toBe(true);
    expect(await matchesOldHash(vector.password, stored)).toBe(true);
    expect(await matchesOldHash(`${vector.password.slice(1)}x`, stored)).toBe(false);
    expect(await matchesOldHash("", stored)).toBe(false);
  },
);

test("a fast hash is never stored as it was", async () => {
  const fast = ["md5", "sha1", "sha256", "sha512", "prestashop", "ldap", "phpass", "drupal7"];
  for (const vector of vectors.filter(({ format }) => fast.includes(format))) {
    const stored = await store(vector);
    expect(stored).toContain("|$argon2id$");
    expect(stored.toLowerCase()).not.toContain(vector.hash.toLowerCase());
  }
});

test("the password as typed is tried first, then its NFC form", async () => {
  const decomposed = "e\u0301te\u0301";
  const stored = (typed: string) => store({ format: "bcrypt", hash: bcryptOf[typed] ?? "" });
  // PHP 8.2: password_hash("été", PASSWORD_BCRYPT, ["cost" => 4]), of the composed and of the decomposed letters.
  const bcryptOf: Record<string, string> = JSON.parse(readFileSync(new URL("./letters.json", import.meta.url), "utf8"));
  expect(await matchesOldHash(decomposed, await stored("composed"))).toBe(true);
  expect(await matchesOldHash(decomposed, await stored("decomposed"))).toBe(true);
  expect(await matchesOldHash("été", await stored("composed"))).toBe(true);
});

test.each([
  ["bcrypt", `$2y$15$${"a".repeat(53)}`],
  ["pbkdf2", `$pbkdf2-sha256$i=1000001$${"a".repeat(22)}$${"a".repeat(43)}`],
  ["scrypt", `$scrypt$ln=17,r=8,p=1$${"a".repeat(22)}$${"a".repeat(43)}`],
  ["argon2", `$argon2id$v=19$m=65537,t=2,p=1$${"a".repeat(22)}$${"a".repeat(43)}`],
  ["magento", `${"a".repeat(64)}:${"s".repeat(32)}:3_32_2_134217728`],
  ["scrypt", `$scrypt$ln=16,r=8,p=3$${"a".repeat(22)}$${"a".repeat(43)}`],
  ["scrypt", `$scrypt$ln=1,r=262144,p=16$${"a".repeat(22)}$${"a".repeat(43)}`],
  ["phpass", `$P$M${"a".repeat(8)}${"b".repeat(22)}`],
  ["drupal7", `$S$H${"a".repeat(8)}${"b".repeat(43)}`],
  ["pbkdf2", `$pbkdf2-sha1$i=900000$${"a".repeat(22)}$${"A".repeat(400)}`],
])("a hash of %s that takes too long to check is refused", (format, hash) => {
  expect(readForeignHash({ format, hash })).toEqual({ refused: "too_expensive" });
});

/** Every wrong password is checked against a sample of each cost: one that throws would refuse everybody, and count as no guess. */
const [salt, bytes] = ["c29tZXNhbHRzYWx0", "A".repeat(43)];
test.each<ForeignHash>([
  { format: "argon2", hash: `$argon2id$v=19$m=1024,t=1,p=0$${salt}$${bytes}` },
  { format: "argon2", hash: `$argon2id$v=19$m=1024,t=0,p=1$${salt}$${bytes}` },
  { format: "argon2", hash: `$argon2id$v=19$m=1024,t=1,p=129$${salt}$${bytes}` },
  { format: "argon2", hash: `$argon2id$v=19$m=1024,t=1,p=1$${salt}$${bytes.slice(1)}B` },
  { format: "argon2", hash: `$argon2id$v=19$m=1024,t=1,p=1$${salt}A$${bytes}` },
  { format: "magento", hash: `${"a".repeat(64)}:${"s".repeat(16)}:3_32_0_67108864` },
  { format: "magento", hash: `${"a".repeat(64)}:${"s".repeat(16)}:3_32_2_1000` },
  { format: "scrypt", hash: `$scrypt$ln=0,r=8,p=1$${salt}$${bytes}` },
  { format: "scrypt", hash: `$scrypt$ln=400,r=0,p=1$${salt}$${bytes}` },
  { format: "scrypt", hash: `$scrypt$ln=16,r=1,p=1$${salt}$${bytes}` },
  ...[
    { Rounds: 8, MemoryCost: 0 },
    { Rounds: 0, MemoryCost: 400 },
    { Rounds: 8, MemoryCost: -1 },
  ].map((cost) => ({
    ...{ format: "firebase", hash: Buffer.alloc(64).toString("base64"), salt: "c2FsdA==" },
    settings: { Firebase: { SignerKey: "aaaa", SaltSeparator: "Bw==", ...cost } },
  })),
])("a hash that cannot be checked is damaged: %j", (given) => {
  expect(readForeignHash(given)).toEqual({ refused: "damaged" });
});

test.each([
  // As many lanes, and as large a block, as are taken.
  "$scrypt$ln=1,r=16384,p=16",
  "$scrypt$ln=1,r=262144,p=1",
  "$scrypt$ln=13,r=8,p=10",
])("a hash with the most unusual settings of scrypt can be checked: %s", async (settings) => {
  const read = readForeignHash({ format: "scrypt", hash: `${settings}$${salt}$${bytes}` });
  expect(await matchesOldHash("cercle2026", "stored" in read ? read.stored : "")).toBe(false);
});

test("a hash that was cut off to a few bytes, which other passwords match too, is damaged", () => {
  for (const hash of ["pbkdf2_sha256$100000$salt$AA==", "pbkdf2_sha256$100$salt$AA=="])
    expect(readForeignHash({ format: "django", hash })).toEqual({ refused: "damaged" });
});

test("others have their turn while a hash is stretched", async () => {
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  });
  const sample = `phpass:131072:c2FsdDE|$argon2id$v=19$m=8,t=1,p=1$${salt}$${bytes}`;
  expect(await matchesOldHash("cercle2026", sample)).toBe(false);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(10);
});

test("what is damaged, unknown or lacks a setting of the package is refused with its reason", () => {
  // Of these a shorter hash may be whole.
  const anyLength = ["argon2", "scrypt", "pbkdf2", "django", "aspnet"];
  for (const { hash, ...given } of vectors) {
    const foreign = { ...given, hash: `${hash.slice(0, 4)}é${hash.slice(5)}` };
    expect({ foreign, ...readForeignHash(foreign) }).toMatchObject({ refused: "damaged" });
    if (anyLength.includes(given.format)) continue;
    const cut = { ...given, hash: hash.slice(0, -9) };
    expect({ cut, ...readForeignHash(cut) }).toMatchObject({ refused: "damaged" });
  }
  expect(readForeignHash({ format: "rot13", hash: "x" })).toEqual({ refused: "format" });
  expect(readForeignHash({ format: "md5", hash: "a".repeat(32), salt: "s" })).toEqual({ refused: "setting_missing" });
  expect(readForeignHash({ format: "prestashop", hash: "a".repeat(32) })).toEqual({ refused: "setting_missing" });
});

test("the cost of a hash names what its check takes, and neither salt nor hash", async () => {
  const costs = new Set(await Promise.all(vectors.map(async (vector) => costOf(await store(vector)))));
  expect([...costs].filter((cost) => /[\w-]{20,}/.test(cost.replaceAll(/argon2id?|pbkdf2-sha\d+/g, "")))).toEqual([]);
  expect(costOf(storedForm([], `$2y$10$${"a".repeat(53)}`))).toBe("|2y$10");
});

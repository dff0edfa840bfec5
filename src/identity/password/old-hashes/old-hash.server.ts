import { createCipheriv, createHash, createHmac, hash, pbkdf2, scrypt, timingSafeEqual } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { verify as verifyArgon2 } from "@node-rs/argon2";

/**
 * How the hash of another system is stored: the steps that turn the password into the text that was hashed, a bar, and the
 * hash itself, which is slow. `|$2y$10$…` has no step; `md5:c2FsdA:|$argon2id$…` is a fast hash wrapped in argon2id.
 * Fields of a step are base64url.
 */
const separator = "|";

/** Whether a stored hash came from another system: the product's own have no bar. */
export const isOldHash = (stored: string): boolean => stored.includes(separator);

export const storedForm = (steps: string[], slow: string): string => `${steps.join(",")}${separator}${slow}`;

const bytesOf = (text = ""): Buffer => Buffer.from(text, "base64url");
export const fieldOf = (bytes: string | Buffer): string => Buffer.from(bytes).toString("base64url");

/** What OpenSSL counts of an scrypt: the memory, two blocks of work, and a block for each lane. */
const memoryOf = ({ N, r, p }: { N: number; r: number; p: number }): number => 128 * r * (N + 2 + p) + 1_024;
const pbkdf2Bytes = promisify(pbkdf2);
const scryptBytes = promisify(
  (
    password: Buffer,
    salt: Buffer,
    length: number,
    options: { N: number; r: number; p: number },
    done: (error: Error | null, key: Buffer) => void,
  ) => scrypt(password, salt, length, { ...options, maxmem: memoryOf(options) }, done),
);

/** Each step takes the text so far and answers with the next. */
const steps: Record<string, (text: string, fields: string[]) => string | Promise<string>> = {
  ...Object.fromEntries(
    ["md5", "sha1", "sha256", "sha512"].map((name) => [
      name,
      (text: string, [before, after]: string[]) =>
        createHash(name).update(bytesOf(before)).update(text).update(bytesOf(after)).digest("hex"),
    ]),
  ),
  phpass: async (text, [rounds, salt]) => encode64(await stretched("md5", text, bytesOf(salt), Number(rounds))),
  drupal: async (text, [rounds, salt]) =>
    encode64(await stretched("sha512", text, bytesOf(salt), Number(rounds))).slice(0, 43),
  wordpress: (text) => createHmac("sha384", "wp-sha384").update(text.trim()).digest("base64"),
  pbkdf2: async (text, [digest = "", rounds, length, salt]) =>
    (await pbkdf2Bytes(text, bytesOf(salt), Number(rounds), Number(length), digest)).toString("base64url"),
};

/** Other requests have their turn between so many rounds, which take a few milliseconds. */
const roundsAtOnce = 1_024;

/**
 * The stretching of phpass: the password is hashed again and again with what came before. Hashing one buffer at once takes
 * six tenths of the time of a hash object, and an old site may have asked for 262 144 rounds.
 */
async function stretched(digest: string, password: string, salt: Buffer, rounds: number): Promise<Buffer> {
  const words = Buffer.from(password);
  let bytes = hash(digest, Buffer.concat([salt, words]), "buffer");
  const input = Buffer.concat([bytes, words]);
  for (let round = 1; round <= rounds; round += 1) {
    bytes.copy(input);
    bytes = hash(digest, input, "buffer");
    if (round % roundsAtOnce === 0) await nextTurn();
  }
  return bytes;
}

const digits64 = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The base 64 of phpass: three bytes in four digits, the lowest six bits first. */
function encode64(bytes: Buffer): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 3) {
    const group = bytes.subarray(start, start + 3);
    const value = group.reduce((sum, byte, index) => sum + byte * 256 ** index, 0);
    for (let digit = 0; digit <= group.length; digit += 1) text += digits64[Math.floor(value / 64 ** digit) % 64];
  }
  return text;
}

/** The number that a digit of phpass's base 64 stands for. */
export const digit64 = (digit: string): number => digits64.indexOf(digit);

/** The text that the steps make of a password: what a fast hash would have stored. */
async function textOf(chain: string[], password: string): Promise<string> {
  let text = password;
  for (const step of chain) {
    const [name = "", ...fields] = step.split(":");
    text = (await steps[name]?.(text, fields)) ?? "";
  }
  return text;
}

const equal = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** The slow hashes, by the name between their first two dollar signs. */
async function matchesSlow(slow: string, text: string): Promise<boolean> {
  const [, name = "", ...fields] = slow.split("$");
  if (name.startsWith("argon2")) return verifyArgon2(slow, text);
  if (/^2[aby]$/.test(name)) return (await import("@node-rs/bcrypt")).verify(text, slow);
  const { ln = 0, r = 0, p = 1, i = 0 } = settingsOf(fields[0]);
  const [salt, hash] = [bytesOf(fields[1]), bytesOf(fields[2])];
  if (name === "scrypt")
    return equal(await scryptBytes(Buffer.from(text), salt, hash.length, { N: 2 ** ln, r, p }), hash);
  if (name.startsWith("pbkdf2-")) return equal(await pbkdf2Bytes(text, salt, i, hash.length, name.slice(7)), hash);
  if (name === "firebase") {
    // Firebase encrypts its own key with what scrypt makes of the password.
    const key = (await scryptBytes(Buffer.from(text), salt, 64, { N: 2 ** ln, r, p })).subarray(0, 32);
    const cipher = createCipheriv("aes-256-ctr", key, Buffer.alloc(16));
    return equal(Buffer.concat([cipher.update(bytesOf(fields[3])), cipher.final()]), hash);
  }
  return false;
}

/** The numbers of `ln=14,r=8,p=1`. */
export const settingsOf = (text = ""): Record<string, number> =>
  Object.fromEntries(text.split(",").map((pair) => [pair.split("=")[0], Number(pair.split("=")[1])]));

/** The steps and the slow hash of what is stored; the product's own hashes have no step. */
export function partsOf(stored: string): { chain: string[]; slow: string } {
  const bar = stored.indexOf(separator);
  return { chain: stored.slice(0, Math.max(bar, 0)).split(",").filter(Boolean), slow: stored.slice(bar + 1) };
}

/** Whether it is the password of an old hash: as typed, or in the form NFC. */
export async function matchesOldHash(password: string, stored: string): Promise<boolean> {
  const { chain, slow } = partsOf(stored);
  for (const typed of new Set([password, password.normalize("NFC")]))
    if (await matchesSlow(slow, await textOf(chain, typed))) return true;
  return false;
}

/** All that decides how long a check of this hash takes: the rounds and settings of its steps and of the slow hash. */
export function costOf(stored: string): string {
  const { chain, slow } = partsOf(stored);
  const steps = chain.map((step) => step.split(":").slice(0, costFields(step)).join(":"));
  return `${steps.join(",")}${separator}${slow.split("$").slice(1, slowSettings(slow)).join("$")}`;
}

/** How many fields of a step are its name and its settings; the rest is salt. */
function costFields(step: string): number {
  if (step.startsWith("pbkdf2:")) return 4;
  return /^(phpass|drupal):/.test(step) ? 2 : 1;
}

/** How many parts of a slow hash come before its salt. */
const slowSettings = (slow: string): number => (slow.startsWith("$argon2") ? 4 : 3);

/** A hash that takes as long to check, and holds nothing of this one: all that is no setting is zeros. */
export function sampleOf(stored: string): string {
  const { chain, slow } = partsOf(stored);
  const blank = (parts: string[], settings: number) =>
    // In the base 64 of bcrypt the full stop is zero.
    parts.map((part, place) => (place < settings ? part : part.replace(/./g, slow.startsWith("$2") ? "." : "A")));
  const steps = chain.map((step) => blank(step.split(":"), costFields(step)).join(":"));
  return storedForm(steps, blank(slow.split("$"), slowSettings(slow)).join("$"));
}

/** What a stored hash of this cost matches, as a regular expression of PostgreSQL. */
export function patternOf(cost: string): string {
  const bar = cost.indexOf(separator);
  const literal = (text: string) => text.replace(/[.+*?^$()[\]{}|\\]/g, "\\$&");
  const steps = cost.slice(0, bar).split(",").filter(Boolean);
  return `^${steps.map((step) => `${literal(step)}(:[^,|]*)*`).join(",")}[|][$]${literal(cost.slice(bar + 1))}[$]`;
}

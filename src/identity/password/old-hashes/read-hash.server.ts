import { digit64, fieldOf, isOldHash, partsOf, settingsOf, storedForm } from "./old-hash.server.ts";

/** What the package says about all its hashes: keys and layouts that no single hash contains. */
interface HashSettings {
  /** Of salted md5, sha1, sha256 and sha512. */
  Layout?: "salt+password" | "password+salt";
  PrestashopKey?: string;
  Firebase?: { SignerKey: string; SaltSeparator: string; Rounds: number; MemoryCost: number };
}

export interface ForeignHash {
  format: string;
  hash: string;
  salt?: string;
  settings?: HashSettings;
}

export type ReadHash =
  /** A slow hash, kept until the first sign-in. */
  | { stored: string }
  /** A fast one: the steps that make `text` of the password. `text` is to be wrapped in argon2id. */
  | { steps: string[]; text: string }
  | { refused: "format" | "damaged" | "too_expensive" | "setting_missing" };

const damaged = { refused: "damaged" } as const;
const tooExpensive = { refused: "too_expensive" } as const;
const limits = { bcryptCost: 14, pbkdf2Rounds: 1_000_000, memoryBytes: 64 * 1_024 ** 2, stretchedRounds: 2 ** 18 };
/** A shorter hash is one that was cut off, which other passwords match too. */
const leastBytes = 16;
/** Below it PBKDF2 is as fast as a salted digest: ASP.NET Identity 2 has 1 000. */
const slowPbkdf2Rounds = 10_000;
const digestBytes: Record<string, number> = { sha1: 20, sha256: 32, sha512: 64 };
const hexLength: Record<string, number> = { md5: 32, sha1: 40, sha256: 64, sha512: 128 };

const slow = (hash: string, chain: string[] = []): ReadHash => ({ stored: storedForm(chain, hash) });
const fast = (chain: string[], text: string): ReadHash => ({ steps: chain, text });
const salted = (name: string, before: string | Buffer, after: string | Buffer = "") =>
  `${name}:${fieldOf(before)}:${fieldOf(after)}`;
/** Base64 of any kind as base64url; passlib writes a full stop for a plus. */
const url64 = (text: string): string => fieldOf(Buffer.from(text.replaceAll(".", "+"), "base64"));
const isHex = (text: string, length: number): boolean => text.length === length && /^[0-9a-f]*$/i.test(text);

/** Whether it is whole bytes in base64 without padding: the library of argon2 throws at anything else. */
const isWhole64 = (text: string): boolean => bare64(Buffer.from(text, "base64")) === text;
const bare64 = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");
/** Whether there is such an scrypt: RFC 7914 wants 1 < N < 2^(16 r). */
const isScrypt = (ln: number, r: number): boolean => ln >= 1 && r >= 1 && ln < 16 * r;
/** All lanes share the memory, and each takes as long as the first; a block for each lane comes on top. */
const isExpensiveScrypt = (ln: number, r: number, p: number): boolean =>
  128 * 2 ** ln * r > limits.memoryBytes || 128 * 2 ** ln * r * p > 2 * limits.memoryBytes || p > 16;
const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[\w+/]+=*$/.test(text);

/** The hash of another system, in the form in which it is stored here. */
export function readForeignHash(given: ForeignHash): ReadHash {
  const read = formats[given.format];
  return read ? read(given.hash, given.salt ?? "", given.settings ?? {}) : { refused: "format" };
}

/** A hash of the product's own export: as it was stored there, if this is a form that would be stored here. */
export function readStoredHash(stored: string): ReadHash {
  if (!isOldHash(stored)) {
    const read = stored.startsWith("$argon2id$") ? readArgon2(stored) : damaged;
    return "refused" in read ? read : { stored };
  }
  const { chain, slow: hash } = partsOf(stored);
  const read = hash.startsWith("$argon2") ? readArgon2(hash, chain) : readSlow(hash, chain);
  if ("refused" in read) return read;
  const steps = chain.map(checkStep);
  // No system stretches twice: the limit is that of all steps together.
  if (steps.includes("too_expensive") || chain.filter(isStretched).length > 1) return tooExpensive;
  const isSame = "stored" in read && read.stored === stored && chain.length <= mostSteps;
  return isSame && steps.every((step) => step === "good") ? { stored } : damaged;
}

/** Magento hashes what older versions of it had made. */
const mostSteps = 8;
/** No salt of any system is as long. */
const field = "[\\w-]{0,300}";
const digestStep = new RegExp(`^(?:md5|sha1|sha256|sha512):${field}:${field}$`);
const stretchStep = new RegExp(`^(?:phpass|drupal):(\\d{1,9}):${field}$`);
const pbkdf2Step = new RegExp(`^pbkdf2:(sha1|sha256|sha512):([1-9]\\d{0,8}):(\\d{1,3}):${field}$`);

const isStretched = (step: string): boolean => stretchStep.test(step) || pbkdf2Step.test(step);

function checkStep(step: string): "good" | "damaged" | "too_expensive" {
  if (step === "wordpress" || digestStep.test(step)) return "good";
  const [, stretched] = stretchStep.exec(step) ?? [];
  if (stretched) return Number(stretched) > limits.stretchedRounds ? "too_expensive" : "good";
  const [, digest = "", rounds, length] = pbkdf2Step.exec(step) ?? [];
  if (!rounds || Number(length) < leastBytes) return "damaged";
  return Number(rounds) * blocksOf(digest, Number(length)) > limits.pbkdf2Rounds ? "too_expensive" : "good";
}

/** Slow hashes, by the readers of the systems that they came from. */
function readSlow(hash: string, chain: string[]): ReadHash {
  if (hash.startsWith("$2")) return readBcrypt(hash, chain);
  const [, name = "", settings = "", ...fields] = hash.split("$");
  const plain = (text = "") => text.replaceAll("-", "+").replaceAll("_", "/");
  const read = (format: string) =>
    chain.length > 0
      ? damaged
      : (formats[format]?.(["", name, settings, ...fields.map(plain)].join("$"), "", {}) ?? damaged);
  if (name === "scrypt") return read("scrypt");
  if (name.startsWith("pbkdf2-")) return read("pbkdf2");
  if (name !== "firebase" || chain.length > 0) return damaged;
  const { ln = 0, r = 0 } = settingsOf(settings);
  const [salt = "", bytes = "", key = ""] = fields;
  const Firebase = { SignerKey: key, SaltSeparator: "", Rounds: r, MemoryCost: ln };
  return formats["firebase"]?.(Buffer.from(bytes, "base64url").toString("base64"), salt, { Firebase }) ?? damaged;
}

type Read = (hash: string, salt: string, settings: HashSettings) => ReadHash;

const formats: Record<string, Read> = {
  argon2: (hash) => readArgon2(hash),
  bcrypt: (hash) => readBcrypt(hash),
  wordpress: (hash) => {
    if (hash.startsWith("$wp$")) return readBcrypt(hash.slice(3), ["wordpress"]);
    return hash.startsWith("$2") ? readBcrypt(hash) : readPhpass(hash);
  },
  scrypt: (hash) => {
    const found = /^\$scrypt\$(ln=[1-9]\d*,r=[1-9]\d*,p=[1-9]\d*)\$([\w+/.]+)\$([\w+/.]{22,})$/.exec(hash);
    if (!found) return damaged;
    const [, settings = "", salt = "", bytes = ""] = found;
    const { ln = 0, r = 0, p = 0 } = settingsOf(settings);
    if (isExpensiveScrypt(ln, r, p)) return tooExpensive;
    if (!isScrypt(ln, r)) return damaged;
    return slow(`$scrypt$${settings}$${url64(salt)}$${url64(bytes)}`);
  },
  pbkdf2: (hash) => {
    const found = /^\$pbkdf2-(sha1|sha256|sha512)\$(?:i=)?(\d+)(?:,l=\d+)?\$([\w+/.]+)\$([\w+/.]{22,})$/.exec(hash);
    if (!found) return damaged;
    const [, digest = "", rounds = "", salt = "", bytes = ""] = found;
    return readPbkdf2(digest, Number(rounds), url64(salt), url64(bytes));
  },
  django: (hash) => {
    const found = /^pbkdf2_(sha1|sha256)\$(\d+)\$([^$]+)\$([\w+/]+=*)$/.exec(hash);
    if (!found) return damaged;
    const [, digest = "", rounds = "", salt = "", bytes = ""] = found;
    return readPbkdf2(digest, Number(rounds), fieldOf(salt), url64(bytes));
  },
  aspnet: (hash) => {
    const bytes = isBase64(hash) ? Buffer.from(hash, "base64") : Buffer.alloc(0);
    if (bytes.length === 49 && bytes[0] === 0)
      return readPbkdf2("sha1", 1_000, fieldOf(bytes.subarray(1, 17)), fieldOf(bytes.subarray(17)));
    if (bytes.length < 13 || bytes[0] !== 1) return damaged;
    const digest = ["sha1", "sha256", "sha512"][bytes.readUInt32BE(1)];
    const saltEnd = 13 + bytes.readUInt32BE(9);
    if (!digest || saltEnd + 16 > bytes.length) return damaged;
    return readPbkdf2(
      digest,
      bytes.readUInt32BE(5),
      fieldOf(bytes.subarray(13, saltEnd)),
      fieldOf(bytes.subarray(saltEnd)),
    );
  },
  phpass: (hash) => readPhpass(hash),
  drupal7: (hash) => {
    // An update from Drupal 6 hashed the md5 of the password.
    const found = /^(U?)\$S\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{43})$/.exec(hash);
    if (!found) return damaged;
    const [, updated, cost = "", salt = "", text = ""] = found;
    if (2 ** digit64(cost) > limits.stretchedRounds) return tooExpensive;
    return fast([...(updated ? [salted("md5", "")] : []), `drupal:${2 ** digit64(cost)}:${fieldOf(salt)}`], text);
  },
  magento: (hash) => readMagento(hash),
  prestashop: (hash, _salt, { PrestashopKey }) => {
    if (hash.startsWith("$2")) return readBcrypt(hash);
    if (!PrestashopKey) return { refused: "setting_missing" };
    return isHex(hash, 32) ? fast([salted("md5", PrestashopKey)], hash.toLowerCase()) : damaged;
  },
  firebase: (hash, salt, { Firebase }) => {
    if (!Firebase) return { refused: "setting_missing" };
    const { SignerKey, SaltSeparator, Rounds, MemoryCost } = Firebase;
    if (!salt || !isBase64(hash) || Buffer.from(hash, "base64").length !== 64) return damaged;
    if (!isScrypt(MemoryCost, Rounds)) return damaged;
    if (isExpensiveScrypt(MemoryCost, Rounds, 1)) return tooExpensive;
    const allSalt = Buffer.concat([Buffer.from(salt, "base64"), Buffer.from(SaltSeparator, "base64")]);
    return slow(`$firebase$ln=${MemoryCost},r=${Rounds}$${fieldOf(allSalt)}$${url64(hash)}$${url64(SignerKey)}`);
  },
  ldap: (hash) => {
    const bytes = Buffer.from(/^\{SSHA\}([\w+/]+=*)$/.exec(hash)?.[1] ?? "", "base64");
    if (bytes.length < 24) return damaged;
    return fast([salted("sha1", "", bytes.subarray(20))], bytes.subarray(0, 20).toString("hex"));
  },
  ...Object.fromEntries(
    Object.entries(hexLength).map(([name, length]): [string, Read] => [
      name,
      (hash, salt, { Layout }) => {
        if (!isHex(hash, length)) return damaged;
        if (salt && !Layout) return { refused: "setting_missing" };
        const step = Layout === "password+salt" ? salted(name, "", salt) : salted(name, salt);
        return fast([step], hash.toLowerCase());
      },
    ]),
  ),
};

function readArgon2(hash: string, chain: string[] = []): ReadHash {
  const found = /^\$argon2(?:id|i|d)\$v=19\$(m=[1-9]\d*,t=[1-9]\d*,p=[1-9]\d*)\$([\w+/]{11,})\$([\w+/]{22,})$/.exec(
    hash,
  );
  if (!found) return damaged;
  const [, settings, salt = "", bytes = ""] = found;
  const { m = 0, t = 0, p = 0 } = settingsOf(settings);
  if (m * 1_024 > limits.memoryBytes || t > 16) return tooExpensive;
  return m < 8 * p || !isWhole64(salt) || !isWhole64(bytes) ? damaged : slow(hash, chain);
}

function readBcrypt(hash: string, chain: string[] = []): ReadHash {
  const found = /^\$2[aby]\$(\d\d)\$[./0-9A-Za-z]{53}$/.exec(hash);
  if (!found) return damaged;
  return Number(found[1]) > limits.bcryptCost ? tooExpensive : slow(hash, chain);
}

/** Each block of the digest's length takes all rounds. */
const blocksOf = (digest: string, length: number): number => Math.ceil(length / (digestBytes[digest] ?? 1));

function readPbkdf2(digest: string, rounds: number, salt: string, hash: string): ReadHash {
  if (rounds * blocksOf(digest, Buffer.from(hash, "base64url").length) > limits.pbkdf2Rounds) return tooExpensive;
  if (rounds < 1 || !salt || Buffer.from(hash, "base64url").length < leastBytes) return damaged;
  if (rounds >= slowPbkdf2Rounds) return slow(`$pbkdf2-${digest}$i=${rounds}$${salt}$${hash}`);
  return fast([`pbkdf2:${digest}:${rounds}:${Buffer.from(hash, "base64url").length}:${salt}`], hash);
}

function readPhpass(hash: string): ReadHash {
  const found = /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{22})$/.exec(hash);
  if (!found) return damaged;
  const [, cost = "", salt = "", text = ""] = found;
  return 2 ** digit64(cost) > limits.stretchedRounds
    ? tooExpensive
    : fast([`phpass:${2 ** digit64(cost)}:${fieldOf(salt)}`], text);
}

/** `hash:salt:version`, or several versions, each of what the one before has made; without one it is Magento 1's. */
function readMagento(hash: string): ReadHash {
  const [hex = "", salt = "", ...versions] = hash.split(":");
  const chain: string[] = [];
  for (const [index, version] of (versions.length > 0 ? versions : ["0"]).entries()) {
    if (version === "0" || version === "1") {
      chain.push(salted(version === "0" ? "md5" : "sha256", salt));
      continue;
    }
    // libsodium's argon2id with the salt repeated or cut to 16 bytes; it can only be the last.
    const found = /^(?:2|3_(\d+)_(\d+)_(\d+))$/.exec(version);
    const [, length = "32", passes = "2", memory = "67108864"] = found ?? [];
    if (!found || index < versions.length - 1 || !isHex(hex, 2 * Number(length))) return damaged;
    const saltBytes = Buffer.from(salt.padEnd(16, salt || "\0")).subarray(0, 16);
    const settings = `m=${Number(memory) / 1_024},t=${passes},p=1`;
    return readArgon2(`$argon2id$v=19$${settings}$${bare64(saltBytes)}$${bare64(Buffer.from(hex, "hex"))}`, chain);
  }
  const last = versions.at(-1) === "1" ? "sha256" : "md5";
  return isHex(hex, hexLength[last] ?? 0) ? fast(chain, hex.toLowerCase()) : damaged;
}

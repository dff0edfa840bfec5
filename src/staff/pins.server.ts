import { createHmac, randomInt } from "node:crypto";
import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import { keysOutsideDatabase } from "#platform/database/keys/key-file.server.ts";
import type { StaffSettings } from "./settings.server.ts";

/** Too easy to guess: 111111, 123456, 654321, 121212, 123123. */
export const isTrivialPin = (pin: string) =>
  /^(\d)\1{5}$|^(\d\d)\2\2$|^(\d{3})\3$/.test(pin) ||
  "01234567890".includes(pin) ||
  "09876543210".includes(pin) ||
  /^(19|20)\d\d\d\d$/.test(pin);

/** A PIN that no one chose. */
export function generatePin(): string {
  for (;;) {
    const pin = String(randomInt(1_000_000)).padStart(6, "0");
    if (!isTrivialPin(pin)) return pin;
  }
}

/**
 * Hashes of PINs. A PIN has a million values: anyone who reads the database would have it in a day, argon2id or not. So it is
 * keyed first, with a key that is not in the database.
 */
export interface Pins {
  hash(pin: string): Promise<string>;
  /** Whether it is the PIN of this hash. Without a hash it is not, after the same work. */
  matches(pin: string, hashed: string | null | undefined): Promise<boolean>;
  /** The keyed hash of another short code. */
  keyed(code: string): Buffer;
  /** The same with each key, the current one first: what was made before a change of the key. */
  keyedByEach(code: string): Buffer[];
}

export function createPins(settings: StaffSettings, passwords: PasswordHashes): Pins {
  const keys = keysOutsideDatabase(settings.pinKey, settings.dataDir, "pin.key");
  const keyedByEach = (code: string) => keys().map((key) => createHmac("sha256", key).update(code).digest());
  const keyed = (code: string) => keyedByEach(code)[0] ?? Buffer.alloc(0);
  const pepper = (key: Buffer) => key.toString("base64");
  return {
    hash: (pin) => passwords.hash(pepper(keyed(`pin:${pin}`))),
    async matches(pin, hashed) {
      for (const peppered of keyedByEach(`pin:${pin}`))
        if (await passwords.matches(pepper(peppered), hashed)) return true;
      return false;
    },
    keyed,
    keyedByEach,
  };
}

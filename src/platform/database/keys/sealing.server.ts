import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts secrets for the database, with a key that is not in it. */
export interface Sealing {
  seal(secret: string): Buffer;
  open(sealed: Buffer): string;
}

/** Seals with the first key, and opens what any of them sealed. */
export function createSealing(readKeys: () => readonly Buffer[]): Sealing {
  return {
    seal(secret) {
      const iv = randomBytes(ivBytes);
      const encrypt = createCipheriv(cipher, currentOf(readKeys()), iv);
      const encrypted = Buffer.concat([encrypt.update(secret, "utf8"), encrypt.final()]);
      return Buffer.concat([iv, encrypt.getAuthTag(), encrypted]);
    },
    open(sealed) {
      for (const key of readKeys()) {
        try {
          return openWith(key, sealed);
        } catch {
          // Another key sealed it, or it was altered.
        }
      }
      throw new Error(
        "A secret opens with no key: is WEBHOOK_KEY, PIN_KEY or OIDC_KEY, or its file, another than before?",
      );
    },
  };
}

function currentOf([key]: readonly Buffer[]): Buffer {
  if (!key) throw new Error("There is no key.");
  return key;
}

function openWith(key: Buffer, sealed: Buffer): string {
  const decrypt = createDecipheriv(cipher, key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
  decrypt.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  const encrypted = sealed.subarray(ivBytes + tagBytes);
  return Buffer.concat([decrypt.update(encrypted), decrypt.final()]).toString("utf8");
}

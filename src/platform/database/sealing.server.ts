import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts secrets for the database, with a key that is not in it. */
export interface Sealing {
  seal(secret: string): Buffer;
  open(sealed: Buffer): string;
}

export function createSealing(readKey: () => Buffer): Sealing {
  return {
    seal(secret) {
      const iv = randomBytes(ivBytes);
      const encrypt = createCipheriv(cipher, readKey(), iv);
      const encrypted = Buffer.concat([encrypt.update(secret, "utf8"), encrypt.final()]);
      return Buffer.concat([iv, encrypt.getAuthTag(), encrypted]);
    },
    open(sealed) {
      const decrypt = createDecipheriv(cipher, readKey(), sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
      decrypt.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
      const encrypted = sealed.subarray(ivBytes + tagBytes);
      return Buffer.concat([decrypt.update(encrypted), decrypt.final()]).toString("utf8");
    },
  };
}

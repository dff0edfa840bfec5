import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { keyOutsideDatabase } from "#platform/database/key-file.server.ts";
import type { WebhookSettings } from "./settings.server.ts";

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;
const keyFile = "webhook.key";
const secretPrefix = "whsec_";

/** A new secret of an endpoint, as the Standard Webhooks specification writes it. */
export const newSecret = (): string => secretPrefix + randomBytes(32).toString("base64");

export interface Message {
  id: string;
  /** Seconds. */
  timestamp: number;
  body: string;
}

/** The header `webhook-signature`: one signature for each secret, so that a receiver may hold the old or the new one. */
export function signaturesOf(secrets: readonly string[], { id, timestamp, body }: Message): string {
  return secrets
    .map((secret) => Buffer.from(secret.slice(secretPrefix.length), "base64"))
    .map((key) => createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64"))
    .map((signature) => `v1,${signature}`)
    .join(" ");
}

/** Encrypts secrets for the database, with a key that is not in it. */
export interface Secrets {
  seal(secret: string): Buffer;
  open(sealed: Buffer): string;
}

/** The key is read when first needed: a product without webhooks writes no file. */
export function createSecrets(settings: WebhookSettings): Secrets {
  const readKey = keyOutsideDatabase(settings.webhookKey, settings.dataDir, keyFile);
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

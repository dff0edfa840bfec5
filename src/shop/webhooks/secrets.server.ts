import { createHmac, randomBytes } from "node:crypto";
import { keysOutsideDatabase } from "#platform/database/keys/key-file.server.ts";
import { createSealing, type Sealing } from "#platform/database/keys/sealing.server.ts";
import type { WebhookSettings } from "./settings.server.ts";

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

export type Secrets = Sealing;

/** The key is read when first needed: a product without webhooks writes no file. */
export const createSecrets = (settings: WebhookSettings): Secrets =>
  createSealing(keysOutsideDatabase(settings.webhookKey, settings.dataDir, keyFile));

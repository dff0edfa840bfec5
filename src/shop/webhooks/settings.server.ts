import type { z } from "zod";
import { keySetting } from "#platform/database/keys/key-file.server.ts";
import type { Settings } from "#platform/settings.server.ts";

/** The settings of webhooks, as the environment spells them. */
export const webhookEnvironment = {
  WEBHOOK_KEY: keySetting(),
};

export function webhookSettings(given: Partial<z.output<z.ZodObject<typeof webhookEnvironment>>>) {
  return { webhookKey: given.WEBHOOK_KEY };
}

/** What webhooks read of the product's settings. */
export type WebhookSettings = Pick<Settings, "dataDir" | "sandbox"> & ReturnType<typeof webhookSettings>;

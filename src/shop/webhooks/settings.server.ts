import { z } from "zod";
import type { Settings } from "#platform/settings.server.ts";

/** The settings of webhooks, as the environment spells them. */
export const webhookEnvironment = {
  WEBHOOK_KEY: z
    .base64({ error: "it must be 32 bytes in base64" })
    .transform((text) => Buffer.from(text, "base64"))
    .refine((key) => key.length === 32, "it must be 32 bytes in base64")
    .optional(),
};

export function webhookSettings(given: Partial<z.output<z.ZodObject<typeof webhookEnvironment>>>) {
  return { webhookKey: given.WEBHOOK_KEY };
}

/** What webhooks read of the product's settings. */
export type WebhookSettings = Pick<Settings, "dataDir" | "sandbox"> & ReturnType<typeof webhookSettings>;

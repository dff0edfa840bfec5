import { z } from "zod";
import { socialEnvironment, socialSettings } from "#identity/social/settings.server.ts";
import { walletEnvironment, walletSettings } from "#loyalty/wallet/settings.server.ts";
import { BadSetting, behaviourEnvironment, generalSettings, placeEnvironment } from "#platform/settings.server.ts";
import { webhookEnvironment, webhookSettings } from "#shop/webhooks/settings.server.ts";
import { staffEnvironment, staffSettings } from "#staff/settings.server.ts";

/** Every setting of the product, each declared by its room. Of several bad ones the first in this order is reported. */
const Environment = z.object({
  ...placeEnvironment,
  ...socialEnvironment,
  ...walletEnvironment,
  ...webhookEnvironment,
  ...staffEnvironment,
  ...behaviourEnvironment,
});

/** Reads the settings. A command does not serve customers, so it needs neither mail server nor shop. */
export function readSettings(environment: Record<string, string | undefined>, { serves = true } = {}) {
  // An empty value in a .env file means "not set".
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const read = Environment.safeParse(given);
  if (!read.success) {
    const issue = read.error.issues[0];
    const name = String(issue?.path[0]);
    // The value is not repeated: it may be a secret.
    throw new BadSetting(`The setting ${name} cannot be used: ${issue?.message ?? "invalid"}.`);
  }
  const general = generalSettings(read.data, { serves, production: given["NODE_ENV"] === "production" });
  const wallets = walletSettings(read.data);
  const social = socialSettings(read.data, general.sandbox ? general.publicUrl.origin : undefined);
  return { ...general, ...wallets, ...social, ...webhookSettings(read.data), ...staffSettings(read.data) };
}

export type Settings = ReturnType<typeof readSettings>;

/** Names for `.env.example` and the test that keeps it whole. */
export const settingNames = Object.keys(Environment.shape);

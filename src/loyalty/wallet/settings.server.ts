import { z } from "zod";
import { address, BadSetting, type Settings } from "#platform/settings.server.ts";

/** The settings of the wallets, as the environment spells them. */
export const walletEnvironment = {
  GOOGLE_WALLET_ISSUER_ID: z.string().optional(),
  GOOGLE_WALLET_KEY_FILE: z.string().optional(),
  GOOGLE_WALLET_API_URL: address.optional(),
  GOOGLE_WALLET_TOKEN_URL: address.optional(),
  APPLE_WALLET_PASS_TYPE_ID: z.string().optional(),
  APPLE_WALLET_TEAM_ID: z.string().optional(),
  APPLE_WALLET_CERT_FILE: z.string().optional(),
  APPLE_WALLET_KEY_FILE: z.string().optional(),
  APPLE_WALLET_WWDR_FILE: z.string().optional(),
};

const appleNames = ["PASS_TYPE_ID", "TEAM_ID", "CERT_FILE", "KEY_FILE", "WWDR_FILE"] as const;

/** Both wallets. Half of one is a mistake that would otherwise only show as a missing button. */
export function walletSettings(given: Partial<z.output<z.ZodObject<typeof walletEnvironment>>>) {
  if (given.GOOGLE_WALLET_KEY_FILE && !given.GOOGLE_WALLET_ISSUER_ID)
    throw new BadSetting("The setting GOOGLE_WALLET_ISSUER_ID is missing: GOOGLE_WALLET_KEY_FILE signs in its name.");
  const appleMissing = appleNames.find((name) => !given[`APPLE_WALLET_${name}`]);
  if (appleMissing && appleNames.some((name) => given[`APPLE_WALLET_${name}`]))
    throw new BadSetting(`The setting APPLE_WALLET_${appleMissing} is missing: the five of Apple Wallet go together.`);
  return {
    googleWallet: {
      issuerId: given.GOOGLE_WALLET_ISSUER_ID,
      keyFile: given.GOOGLE_WALLET_KEY_FILE,
      apiUrl: given.GOOGLE_WALLET_API_URL,
      tokenUrl: given.GOOGLE_WALLET_TOKEN_URL,
    },
    appleWallet: appleMissing
      ? undefined
      : {
          passTypeId: given.APPLE_WALLET_PASS_TYPE_ID ?? "",
          teamId: given.APPLE_WALLET_TEAM_ID ?? "",
          certFile: given.APPLE_WALLET_CERT_FILE ?? "",
          keyFile: given.APPLE_WALLET_KEY_FILE ?? "",
          wwdrFile: given.APPLE_WALLET_WWDR_FILE ?? "",
        },
  };
}

/** What the wallets read of the product's settings. */
export type WalletSettings = Pick<Settings, "publicUrl" | "sandbox"> & ReturnType<typeof walletSettings>;

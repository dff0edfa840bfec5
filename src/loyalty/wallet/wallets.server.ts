import { z } from "zod";
import { type Locale, localePath } from "#i18n/locale.ts";
import { pagePaths } from "#identity/paths.ts";
import { qrSvg } from "#loyalty/card/barcode.server.ts";
import { versionBeginsJob } from "#loyalty/programme/versions/versions.server.ts";
import { type ApplePush, createApplePush } from "#loyalty/wallet/apple/apple-push.server.ts";
import { type AppleSigner, appleConfigured, createAppleSigner } from "#loyalty/wallet/apple/apple-signer.server.ts";
import { reviewApplePasses, updateApplePass } from "#loyalty/wallet/apple/apple-wallet.server.ts";
import {
  createGoogleIssuer,
  type Fetch,
  type GoogleIssuer,
  googleConfigured,
} from "#loyalty/wallet/google/google-issuer.server.ts";
import { expiredGoogleObject } from "#loyalty/wallet/google/google-pass.server.ts";
import { reviewGooglePasses, updateGooglePass } from "#loyalty/wallet/google/google-wallet.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Jobs, Scheduled } from "#platform/jobs/jobs.server.ts";
import { queueAllUpdates, walletJob } from "./pass-updates.server.ts";
import { revokePassJob } from "./revoke-passes.server.ts";
import type { WalletSettings } from "./settings.server.ts";

/** The wallets that are configured. */
export interface Wallets {
  configured: { google: boolean; apple: boolean };
  google(): Promise<GoogleIssuer | undefined>;
  apple(): Promise<AppleSigner | undefined>;
  pushToApple: ApplePush;
}

export function openWallets(deps: { settings: WalletSettings; database: Database; fetch: Fetch }): Wallets {
  const apple = createAppleSigner(deps);
  return {
    configured: { google: googleConfigured(deps.settings), apple: appleConfigured(deps.settings) },
    google: createGoogleIssuer(deps),
    apple,
    pushToApple: createApplePush(apple),
  };
}

/** What the page offers; the QR code opens the member page on a phone. */
export function describeWallets(wallets: Wallets | undefined, publicUrl: string, locale: Locale) {
  const url = publicUrl + localePath(locale, pagePaths.memberPage);
  const { google = false, apple = false } = wallets?.configured ?? {};
  return { Google: google, Apple: apple, Url: url, QrSvg: qrSvg(url) };
}

const reviewJob = "loyalty:wallet-review";
/** After the nightly job that expires points. */
export const walletSchedule: readonly Scheduled[] = [{ name: reviewJob, clubTime: "00:40" }];

const changed = z.object({ customerId: z.int() });
const ended = z.object({ objectId: z.string() });

export function walletJobs(deps: { wallets: Wallets; publicUrl: string; now: () => Date }): Jobs {
  const { wallets, publicUrl, now } = deps;
  return {
    async [walletJob](payload, database) {
      const { customerId } = changed.parse(payload);
      const issuer = await wallets.google();
      // Without a key, passes in Google Wallet stay as they are.
      if (issuer) await updateGooglePass(database, issuer, customerId, { publicUrl, now: now() });
      await updateApplePass(database, wallets.pushToApple, customerId, now());
    },
    async [revokePassJob](payload) {
      const { objectId } = ended.parse(payload);
      const issuer = await wallets.google();
      if (issuer) await issuer.patch(`${issuer.issuerId}.${objectId}`, expiredGoogleObject());
    },
    async [versionBeginsJob](_, database) {
      await queueAllUpdates(database);
    },
    async [reviewJob](_, database) {
      await reviewGooglePasses(database, now());
      await reviewApplePasses(database, now());
    },
  };
}

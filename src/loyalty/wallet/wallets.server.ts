import { z } from "zod";
import { type Locale, localePath } from "#i18n/locale.ts";
import { pagePaths } from "#identity/paths.ts";
import { qrSvg } from "#loyalty/card/barcode.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";
import { type ApplePush, createApplePush } from "./apple-push.server.ts";
import { type AppleSigner, appleConfigured, createAppleSigner } from "./apple-signer.server.ts";
import { reviewApplePasses, updateApplePass } from "./apple-wallet.server.ts";
import { createGoogleIssuer, type Fetch, type GoogleIssuer, googleConfigured } from "./google-issuer.server.ts";
import { endedGoogleObject } from "./google-pass.server.ts";
import { reviewGooglePasses, updateGooglePass, walletJob } from "./google-wallet.server.ts";
import { endPassJob } from "./pass-end.server.ts";
import type { WalletSettings } from "./settings.server.ts";

/** The wallets that passes can be put into, here. */
export interface Wallets {
  configured: { google: boolean; apple: boolean };
  google(): Promise<GoogleIssuer | undefined>;
  apple(): Promise<AppleSigner | undefined>;
  pushToApple: ApplePush;
}

export function openWallets(parts: { settings: WalletSettings; database: Database; fetch: Fetch }): Wallets {
  const apple = createAppleSigner(parts);
  return {
    configured: { google: googleConfigured(parts.settings), apple: appleConfigured(parts.settings) },
    google: createGoogleIssuer(parts),
    apple,
    pushToApple: createApplePush(apple),
  };
}

/** What the page offers; the QR code carries a visitor at a desk over to the phone that holds the wallet. */
export function describeWallets(wallets: Wallets | undefined, publicUrl: string, locale: Locale) {
  const url = publicUrl + localePath(locale, pagePaths.memberPage);
  const { google = false, apple = false } = wallets?.configured ?? {};
  return { Google: google, Apple: apple, Url: url, QrSvg: qrSvg(url) };
}

const reviewJob = "loyalty:wallet-review";
/** After the points have lapsed for the night, in UTC. */
export const walletSchedule = [{ name: reviewJob, pattern: "40 23 * * *" }];

const changed = z.object({ customerId: z.int() });
const ended = z.object({ objectId: z.string() });

export function walletJobs(parts: { wallets: Wallets; publicUrl: string; now: () => Date }): Jobs {
  const { wallets, publicUrl, now } = parts;
  return {
    async [walletJob](payload, database) {
      const { customerId } = changed.parse(payload);
      const issuer = await wallets.google();
      // The key has gone: what the phones show stays as it is.
      if (issuer) await updateGooglePass(database, issuer, customerId, { publicUrl, now: now() });
      await updateApplePass(database, wallets.pushToApple, customerId, now());
    },
    async [endPassJob](payload) {
      const { objectId } = ended.parse(payload);
      const issuer = await wallets.google();
      if (issuer) await issuer.patch(`${issuer.issuerId}.${objectId}`, endedGoogleObject());
    },
    async [reviewJob](_, database) {
      await reviewGooglePasses(database, now());
      await reviewApplePasses(database, now());
    },
  };
}

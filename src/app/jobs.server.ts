import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { identityJobs, identitySchedule } from "#identity/jobs.server.ts";
import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import { invariantJobs, invariantSchedule } from "#loyalty/ledger/invariants/invariant-checks.server.ts";
import { ledgerJobs, ledgerSchedule } from "#loyalty/ledger/ledger-jobs.server.ts";
import { metricJobs, metricSchedule } from "#loyalty/ledger/metrics/metrics.server.ts";
import { monthEndJobs, monthEndSchedule } from "#loyalty/ledger/month-end/month-end.server.ts";
import { giftReportJobs, giftReportSchedule } from "#loyalty/membership/gift-report.server.ts";
import { referralJobs, referralSchedule } from "#loyalty/referral/referral-job.server.ts";
import { segmentJobs, segmentSchedule } from "#loyalty/segments/segment-changes.server.ts";
import { type Wallets, walletJobs, walletSchedule } from "#loyalty/wallet/wallets.server.ts";
import { moveJobs, moveSchedule } from "#move/clean-up.server.ts";
import { holdOutJobs } from "#office/campaigns/hold-out/measure-hold-out.server.ts";
import { campaignJobs } from "#office/campaigns/results/reached.server.ts";
import { monthEndCallJobs } from "#office/month-end/jobs.server.ts";
import { moveRunJobs } from "#office/move/runs.server.ts";
import { simulatorJobs } from "#office/programme/simulator/simulate.server.ts";
import { officeCleanUpJobs, officeCleanUpSchedule } from "#office/sign-in/clean-up.server.ts";
import { oidcJobs, oidcSchedule } from "#oidc/back-channel-logout.server.ts";
import { idempotencyJobs, idempotencySchedule } from "#platform/api/idempotency/idempotency.server.ts";
import type { Sealing } from "#platform/database/keys/sealing.server.ts";
import type { Jobs, Scheduled } from "#platform/jobs/jobs.server.ts";
import { mailJobs } from "#platform/mail/mail.server.ts";
import { unknownCodesJobs, unknownCodesSchedule } from "#shop/sales/catalogue/unknown-codes.server.ts";
import { shopJobs, shopSchedule } from "#shop/sales/clean-up.server.ts";
import { webhookCleanUpJobs, webhookSchedule } from "#shop/webhooks/clean-up.server.ts";
import { deliveryJobs } from "#shop/webhooks/delivery/deliver.server.ts";
import { tillJobs, tillSchedule } from "#till/clean-up.server.ts";
import { warehouseJobs, warehouseSchedule } from "#warehouse/jobs.server.ts";
import type { Settings } from "./settings.server.ts";

interface JobDependencies {
  settings: Settings;
  passwords: PasswordHashes;
  club: ClubHooks;
  wallets: Wallets;
  /** Opens the keys that sign what clients are told. */
  sealing: Sealing;
  release: string;
  now: () => Date;
}

/** Every background job of the product, by its name. */
export function createJobs({ settings, passwords, club, wallets, sealing, release, now }: JobDependencies): Jobs {
  const publicUrl = settings.publicUrl.origin;
  return {
    ...mailJobs({ smtpUrl: settings.smtpUrl, from: settings.mailFrom }),
    ...identityJobs({ settings, club }),
    ...ledgerJobs({ publicUrl, now }),
    ...giftReportJobs({ now }),
    ...referralJobs({ publicUrl, now }),
    ...segmentJobs({ now }),
    ...walletJobs({ wallets, publicUrl, now }),
    ...invariantJobs,
    ...metricJobs,
    ...monthEndJobs({ now }),
    ...monthEndCallJobs({ now }),
    ...warehouseJobs({ warehouseDir: settings.warehouseDir, now }),
    ...idempotencyJobs,
    ...shopJobs({ now }),
    ...unknownCodesJobs({ now, publicUrl }),
    ...deliveryJobs(settings),
    ...webhookCleanUpJobs({ now }),
    ...tillJobs({ now }),
    ...moveJobs({ now }),
    ...moveRunJobs({ folder: settings.moveDir, release, passwords, now }),
    ...officeCleanUpJobs({ now }),
    ...simulatorJobs({ now }),
    ...campaignJobs({ now, publicUrl }),
    ...holdOutJobs({ now }),
    ...oidcJobs({ settings, sealing }),
  };
}

/** When jobs run by the clock. */
export const schedule: Scheduled[] = [
  ...identitySchedule,
  ...ledgerSchedule,
  ...walletSchedule,
  ...idempotencySchedule,
  ...giftReportSchedule,
  ...referralSchedule,
  ...segmentSchedule,
  ...shopSchedule,
  ...unknownCodesSchedule,
  ...webhookSchedule,
  ...tillSchedule,
  ...moveSchedule,
  ...officeCleanUpSchedule,
  ...invariantSchedule,
  ...metricSchedule,
  ...monthEndSchedule,
  ...warehouseSchedule,
  ...oidcSchedule,
];

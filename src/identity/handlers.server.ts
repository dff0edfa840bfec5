import {
  cancelEmailChange,
  describePendingEmail,
  pendingEmailRead,
  requestEmailChange,
  stopEmailChange,
} from "#identity/address/email-change.server.ts";
import { resendConfirmation, validateVerification, verifyEmail } from "#identity/address/email-confirmation.server.ts";
import {
  applicationsRead,
  describeApplications,
  removeApplication,
} from "#identity/applications/applications.server.ts";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { createReadCustomer, customerRead, isEmailTaken } from "#identity/customer/customer.server.ts";
import {
  addPasskey,
  createPasskeyUserId,
  describePasskeys,
  passkeyOptions,
  passkeySignInOptions,
  passkeysRead,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
} from "#identity/passkeys/passkeys.server.ts";
import { createHashSamples } from "#identity/password/old-hashes/samples.server.ts";
import { changePassword, forgetPassword, resetPassword, validateReset } from "#identity/password/password.server.ts";
import { createPasswordHashes, type PasswordHashes } from "#identity/password/password-hashes.server.ts";
import { eraseCustomer } from "#identity/privacy/erasure.server.ts";
import { exportCustomer } from "#identity/privacy/export.server.ts";
import { exportTable } from "#identity/privacy/export-table.server.ts";
import { readableExport } from "#identity/privacy/readable-export.server.tsx";
import { answerPreviousDetails, previousDetailsRead } from "#identity/profile/previous-details.server.ts";
import { editProfile } from "#identity/profile/profile.server.ts";
import { register } from "#identity/registration/registration.server.ts";
import { clearedTokenCookie } from "#identity/session/cookies.server.ts";
import { createCustomerDeviceCookies } from "#identity/session/device/device-cookie.server.ts";
import { withLockedSession } from "#identity/session/reauthentication/locked-session.server.ts";
import { isRecent } from "#identity/session/reauthentication/reauthentication.server.ts";
import {
  createFindSession,
  describeSessions,
  endSession,
  endSessions,
  sessionsRead,
} from "#identity/session/session.server.ts";
import { signInWithLink } from "#identity/sign-in/autologin/autologin.server.ts";
import { sendCode, signInWithCode } from "#identity/sign-in/code/code.server.ts";
import { signInWithPassword } from "#identity/sign-in/sign-in.server.ts";
import { createCheckFacebook } from "#identity/social/facebook/facebook-proof.server.ts";
import { createCheckGoogle } from "#identity/social/google/google-proof.server.ts";
import { issueNonce } from "#identity/social/nonce.server.ts";
import type { SocialProviderSettings } from "#identity/social/settings.server.ts";
import type { Fetch } from "#identity/social/social-identity.server.ts";
import { linkSocial, unlinkSocial } from "#identity/social/social-logins.server.ts";
import { verifyFacebookProof, verifyGoogleProof } from "#identity/social/social-proof.server.ts";
import { signInWithSocial } from "#identity/social/social-sign-in.server.ts";
import { createUnsubscribeLinks } from "#identity/unsubscribe/unsubscribe.server.ts";
import { apiModule, reading } from "#platform/api/api-module.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { storedSecret } from "#platform/database/keys/stored-keys.server.ts";
import { createConcurrencyLimit } from "#platform/limits/concurrency-limit.server.ts";
import { createLimits } from "#platform/limits/limits.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import * as calls from "./calls.ts";
import { identityContract } from "./contract.server.ts";
import type { Dependencies } from "./dependencies.server.ts";
import { identityLimits } from "./limits.server.ts";
import { exportFileName } from "./paths.ts";

export function identityDependencies(given: {
  database: Database;
  settings: Settings & SocialProviderSettings;
  club: ClubHooks;
  /** Sends the requests to the social providers. */
  fetch: Fetch;
  passwords?: PasswordHashes | undefined;
  onRefusedByLimit?: ((limit: string) => void) | undefined;
}): Dependencies {
  const { database, settings, club, fetch, onRefusedByLimit: onRefused } = given;
  const { google, facebook } = settings;
  return {
    database,
    settings,
    club,
    proofs: {
      google: google && createCheckGoogle(google, fetch),
      facebook: facebook && createCheckFacebook(facebook, fetch),
    },
    limits: identityLimits(createLimits({ database, on: settings.rateLimits, onRefused })),
    deviceCookies: createCustomerDeviceCookies(database, settings.secureCookies),
    passwords: given.passwords ?? createPasswordHashes(),
    hashSamples: createHashSamples(database),
    readCustomer: createReadCustomer(database, club),
    passkeyUserId: createPasskeyUserId(storedSecret(database, "passkey-user")),
    codeSecret: storedSecret(database, "sign-in-code"),
  };
}

export function identityModule(deps: Dependencies) {
  const unsubscribe = createUnsubscribeLinks(deps.database);
  const { database, settings, limits } = deps;
  const findSession = createFindSession(database);
  // Separate from the API's own limit: an exchange may be a signed-in customer's call, and would wait for itself.
  const exchangeLimit = createConcurrencyLimit();

  return apiModule(identityContract, {
    [calls.signInWithEmail]: (call) => signInWithPassword(deps, call.input, call),
    async [calls.sendCode](call) {
      await sendCode(deps, call.input.Email, call);
      return {};
    },
    [calls.signInWithCode]: (call) => signInWithCode(deps, call.input, call),
    [calls.passkeySignInOptions]: (call) => passkeySignInOptions(deps, call),
    [calls.signInWithPasskey]: (call) => signInWithPasskey(deps, call.input, call),
    [calls.passkeyOptions]: (call) => passkeyOptions(deps, call.input, call.caller, call),
    [calls.addPasskey]: (call) => addPasskey(deps, call.input, call.caller, call),
    [calls.listPasskeys]: reading(
      passkeysRead,
      () => ({}),
      async (passkeys) => describePasskeys(passkeys),
    ),
    [calls.renamePasskey]: ({ input, caller }) => renamePasskey(deps, input, caller),
    [calls.removePasskey]: ({ input, caller }) => removePasskey(deps, input.id, caller),
    [calls.issueNonce]: (call) => issueNonce(deps, call),
    async [calls.signInWithGoogle](call) {
      return signInWithSocial(deps, await verifyGoogleProof(deps, call.input, call, { idNeeded: true }), call);
    },
    async [calls.signInWithFacebook](call) {
      return signInWithSocial(deps, await verifyFacebookProof(deps, call.input, call, { idNeeded: true }), call);
    },
    [calls.linkGoogle]: (call) =>
      linkSocial(deps, call.input, () => verifyGoogleProof(deps, call.input, call), call.caller, call),
    [calls.linkFacebook]: (call) =>
      linkSocial(deps, call.input, () => verifyFacebookProof(deps, call.input, call), call.caller, call),
    [calls.autologin]: (call) => signInWithLink({ ...deps, findSession, exchangeLimit }, call.input, call),
    [calls.register]: (call) => register(deps, call.input, call),
    async [calls.askEmailAvailable]({ input, address }) {
      return { Available: !(await limits.emailAvailable(address, () => isEmailTaken(database, input.Email))) };
    },
    [calls.validateVerification]: (call) => validateVerification(deps, call.input.Token, call),
    [calls.verifyEmail]: (call) => verifyEmail(deps, call.input, call),
    async [calls.resendVerification]({ caller, locale }) {
      await resendConfirmation(deps, caller.customerId, locale);
      return {};
    },
    async [calls.changeEmail](call) {
      await requestEmailChange(deps, call.input, call.caller, call);
      return {};
    },
    [calls.readPendingEmail]: reading(
      pendingEmailRead,
      () => ({}),
      async (pending) => ({ Pending: describePendingEmail(pending) }),
    ),
    async [calls.cancelEmailChange]({ caller }) {
      await cancelEmailChange(deps, caller);
      return {};
    },
    async [calls.stopEmailChange](call) {
      await stopEmailChange(deps, call.input.Token, call);
      return {};
    },
    async [calls.withdrawNewsletter]({ input }) {
      await unsubscribe.withdraw(input.Token);
      return {};
    },
    [calls.readCustomer]: reading(
      customerRead(deps.club),
      () => ({}),
      async (customer) => {
        if (!customer) throw new Refusal("not_signed_in");
        return customer;
      },
    ),
    [calls.editCustomer]: (call) => editProfile(deps, call.input, call.caller, call),
    [calls.readPreviousDetails]: reading(
      previousDetailsRead,
      () => ({}),
      async (Details) => ({ Details }),
    ),
    [calls.answerPreviousDetails]: (call) => answerPreviousDetails(deps, call.input, call.caller, call),
    async [calls.eraseCustomer](call) {
      await eraseCustomer(deps, call.input, call.caller, call);
      return {};
    },
    async [calls.exportCustomer]({ caller, headers }) {
      headers.set("content-disposition", `attachment; filename="${exportFileName}"`);
      return exportCustomer(deps, caller);
    },
    [calls.readExport]: async ({ caller, locale }) => readableExport(await exportCustomer(deps, caller), locale),
    [calls.readExportTable]: async ({ caller }) => exportTable(await exportCustomer(deps, caller)),
    async [calls.forgetPassword](call) {
      await forgetPassword(deps, call.input.Email, call);
      return {};
    },
    [calls.validateReset]: (call) => validateReset(deps, call.input, call),
    async [calls.resetPassword](call) {
      await resetPassword(deps, call.input, call);
      return {};
    },
    async [calls.changePassword](call) {
      await changePassword(deps, call.input, call.caller, call);
      return {};
    },
    [calls.listSessions]: reading(
      sessionsRead,
      () => ({}),
      async (sessions, { caller }) => {
        const { provedAt } = sessions.find(({ id }) => id === caller.sessionId) ?? {};
        return {
          Sessions: describeSessions(sessions, caller.sessionId),
          ProofNeeded: !isRecent(provedAt ? new Date(provedAt) : null),
        };
      },
    ),
    async [calls.endSession]({ input, caller, headers }) {
      await withLockedSession(database, caller, async (tx) => {
        if (!(await endSession(tx, caller.customerId, input.id))) throw new Refusal("not_found");
      });
      if (input.id === caller.sessionId) headers.append("set-cookie", clearedTokenCookie(settings.secureCookies));
      return {};
    },
    async [calls.endOtherSessions]({ caller }) {
      await withLockedSession(database, caller, (tx) => endSessions(tx, caller.customerId, caller.sessionId));
      return {};
    },
    [calls.listApplications]: reading(
      applicationsRead,
      () => ({}),
      async (applications) => describeApplications(applications),
    ),
    [calls.removeApplication]: ({ input, caller }) => removeApplication(deps, input.id, caller),
    [calls.unlinkSocial]: ({ input, caller }) => unlinkSocial(deps, input.provider, caller),
  });
}

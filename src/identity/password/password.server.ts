import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { findShopRegistration, sendShopConfirmation } from "#identity/address/shop-registration.server.ts";
import { mailPasswordChanged, setPasswordByLink } from "#identity/address/verified-address.server.ts";
import { findRegistered, lockCustomer } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { maskEmail } from "#identity/customer/email/email-mask.ts";
import { writtenEmail } from "#identity/customer/email/punycode.ts";
import { passkeys } from "#identity/customer/passkey.tables.server.ts";
import type { ResetResponse } from "#identity/customer/responses.server.ts";
import { socialLogins } from "#identity/customer/social-login.tables.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { findNewestGuest, sendGuestLink } from "#identity/guests/guests.server.ts";
import { emails } from "#identity/links/emails.server.ts";
import { consumeLink, createLink, peekLink } from "#identity/links/links.server.ts";
import { links } from "#identity/links/links.tables.server.ts";
import { type SessionKey, withLockedSession } from "#identity/session/reauthentication/locked-session.server.ts";
import {
  fieldRefusal,
  requireReauthentication,
  verifyCurrentPassword,
} from "#identity/session/reauthentication/reauthentication.server.ts";
import { endSessions } from "#identity/session/session.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";

/** The job that decides what is mailed for a forgotten password. */
export const forgetJob = "identity.forget";
const passwordPurposes = ["reset", "guest"] as const;

/** Queues the same job for every address, known or not, so that neither response nor time reveals an account. */
export async function forgetPassword(deps: Dependencies, email: string, call: RequestContext): Promise<void> {
  await deps.limits.forget(email, call.address, () =>
    queueJob(deps.database, forgetJob, { email, locale: call.locale }),
  );
}

/** Mails a customer a reset link, a guest the link that registers them, an unknown address nothing. */
export async function sendResetLink(
  database: Database,
  settings: Settings,
  { email, locale }: { email: string; locale: Locale },
): Promise<void> {
  await database.transaction(async (tx) => {
    const customer = await findRegistered(tx, email);
    if (customer) {
      await lockCustomer(tx, customer.id);
      return mailResetLink(tx, settings, customer, locale);
    }
    const guest = await findNewestGuest(tx, email);
    if (guest) await sendGuestLink(tx, settings, guest, locale);
  });
}

/** Mails a customer, who is locked, a new link to set a password. */
export async function mailResetLink(
  tx: Queries,
  settings: Settings,
  customer: { id: number; email: string; firstname: string; emailVerifiedAt: Date | null },
  locale: Locale,
): Promise<void> {
  const registration = await findShopRegistration(tx, customer);
  // A reset would start the account clean, without the card that the customer may hold already.
  if (registration) return sendShopConfirmation(tx, settings, customer, registration, locale);
  const link = await createLink(tx, customer, "reset");
  await queueMail(tx, {
    cause: `reset:${customer.id}:${link.id}`,
    customerId: customer.id,
    to: customer.email,
    locale,
    content: emails.reset(settings, locale, customer.firstname, link.token),
  });
}

/**
 * Whose link it is, which social logins and passkeys will remain after the reset unless it removes them, and, when asked,
 * whether the reset will ask about the account's details.
 */
export async function validateReset(
  deps: Dependencies,
  input: { Token: string; WithDetails: boolean },
  call: RequestContext,
): Promise<ResetResponse> {
  const link = await deps.limits.linkGuess(call.address, () => peekLink(deps.database, input.Token, passwordPurposes));
  const customer = await deps.readCustomer(link.customerId);
  // On an account whose address no one had verified the reset removes them all.
  const remaining = customer?.EmailVerified ? customer.SocialLogins : [];
  const keys = customer?.EmailVerified
    ? await deps.database.$count(passkeys, eq(passkeys.customerId, link.customerId))
    : 0;
  const [card] = await deps.database
    .select({ hasPass: deps.club.hasPass })
    .from(customers)
    .where(eq(customers.id, link.customerId));
  return {
    Email: maskEmail(writtenEmail(link.email)),
    ...(remaining.length > 0 && { SocialLogins: remaining }),
    ...(keys > 0 && { Passkeys: keys }),
    ...(card?.hasPass && { WalletPass: true }),
    ...(input.WithDetails && link.purpose === "reset" && { AsksForDetails: await asksForDetails(deps, link, call) }),
  };
}

/** No one has verified the address, and this is not the browser that registered (`startClean`). */
async function asksForDetails(deps: Dependencies, { customerId }: { customerId: number }, { request }: RequestContext) {
  const [account] = await deps.database
    .select({ id: customers.id, passwordHash: customers.passwordHash })
    .from(customers)
    .where(and(eq(customers.id, customerId), isNull(customers.emailVerifiedAt)));
  return account !== undefined && !(await deps.deviceCookies.verify(request, account));
}

/** Sets a password with a mailed link, which also verifies the address. */
export async function resetPassword(
  deps: Dependencies,
  input: { Token: string; Password: string; UnlinkSocial?: boolean | undefined; RemovePasskeys?: boolean | undefined },
  call: RequestContext,
): Promise<void> {
  const { database, deviceCookies, limits, passwords } = deps;
  const { email, ...account } = await limits.linkGuess(call.address, async () => {
    // Hash only for a valid link: hashing is expensive.
    await peekLink(database, input.Token, passwordPurposes);
    const passwordHash = await passwords.hash(input.Password);
    return database.transaction(async (tx) => {
      const customer = await consumeLink(tx, input.Token, passwordPurposes);
      await setPasswordByLink(tx, deps, customer, { passwordHash, source: "reset" }, call);
      if (input.UnlinkSocial) await tx.delete(socialLogins).where(eq(socialLogins.customerId, customer.id));
      if (input.RemovePasskeys) await tx.delete(passkeys).where(eq(passkeys.customerId, customer.id));
      return { email: customer.email, id: customer.id, passwordHash };
    });
  });
  // From here on a known device of the owner's: strangers who go on guessing must not lock it out.
  await deviceCookies.issue(call, account);
  // The owner may have been locked out by another person's guesses, and is verified now.
  await limits.clearGuesses(email);
}

export async function changePassword(
  deps: Dependencies,
  input: { CurrentPassword?: string | undefined; Password: string },
  caller: SessionKey & { guest: boolean },
  call: RequestContext,
): Promise<void> {
  // A guest's address is not verified: they set a password with the mailed link.
  if (caller.guest) throw new Refusal("forbidden");
  const { database, deviceCookies, limits, passwords, settings } = deps;
  const verifiedHash = await verifyCurrentPassword(
    deps,
    caller.customerId,
    "CurrentPassword",
    input.CurrentPassword,
    call,
  );
  // A first password adds a way to sign in: an open session alone must not do that.
  if (verifiedHash === null) await requireReauthentication(deps, undefined, caller, call);
  const recipient = await deps.readCustomer(caller.customerId);
  if (!recipient) throw new Refusal("not_signed_in");
  await limits.passwordChange(caller.customerId, async () => {
    const passwordHash = await passwords.hash(input.Password);
    const change = (maySend: boolean) =>
      withLockedSession(database, caller, async (tx, { customer }) => {
        // The password was changed in between; what was verified is no longer valid.
        if (customer.passwordHash !== verifiedHash) throw fieldRefusal("CurrentPassword", "wrong_password");
        await tx.update(customers).set({ passwordHash, updatedAt: sql`now()` }).where(eq(customers.id, customer.id));
        await endSessions(tx, customer.id, caller.sessionId);
        await tx
          .delete(links)
          .where(and(eq(links.customerId, customer.id), inArray(links.purpose, ["reset", "autologin"])));
        if (maySend) await mailPasswordChanged(tx, settings, customer, call.locale);
      });
    await limits.emailTo(recipient, change);
    await deviceCookies.issue(call, { id: caller.customerId, passwordHash });
  });
}

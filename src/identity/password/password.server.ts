import { and, eq, inArray, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { findNewestGuest, sendGuestLink } from "#identity/address/guests.server.ts";
import { setProvenPassword, tellPasswordChanged } from "#identity/address/proven-address.server.ts";
import { findRegistered, lockCustomer } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { maskEmail } from "#identity/customer/email-mask.ts";
import type { ResetResponse } from "#identity/customer/responses.server.ts";
import { socialLogins } from "#identity/customer/social-login.tables.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { letters } from "#identity/links/letters.server.ts";
import { consumeLink, createLink, peekLink } from "#identity/links/links.server.ts";
import { links } from "#identity/links/links.tables.server.ts";
import { actWithAuthority, type OwnSession } from "#identity/session/authority.server.ts";
import { fieldRefusal, proveByPassword, proveFreshly } from "#identity/session/fresh-proof.server.ts";
import { endSessions } from "#identity/session/session.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";

/** The name of the job that decides what a forgotten password's address is sent. */
export const forgetJob = "identity.forget";
const settingPassword = ["reset", "guest"] as const;

/** The same work for every address, known or not: one job. What follows from it happens out of the caller's sight. */
export async function forgetPassword(deps: Dependencies, email: string, call: RequestContext): Promise<void> {
  await deps.limits.forget(email, call.address, () =>
    queueJob(deps.database, forgetJob, { email, locale: call.locale }),
  );
}

/** A customer is sent a reset link, a guest the link that makes a customer of them, a stranger nothing. */
export async function sendResetLink(
  database: Database,
  settings: Settings,
  { email, locale }: { email: string; locale: Locale },
): Promise<void> {
  await database.transaction(async (tx) => {
    const customer = await findRegistered(tx, email);
    if (customer) {
      await lockCustomer(tx, customer.id);
      const link = await createLink(tx, customer, "reset");
      await queueMail(tx, {
        cause: `reset:${customer.id}:${link.id}`,
        customerId: customer.id,
        to: customer.email,
        locale,
        letter: letters.reset(settings, locale, customer.firstname, link.token),
      });
      return;
    }
    const guest = await findNewestGuest(tx, email);
    if (guest) await sendGuestLink(tx, settings, guest, locale);
  });
}

/** Whose link it is, and which social logins open the account too: a reset keeps them unless it is told otherwise. */
export async function validateReset(deps: Dependencies, token: string, call: RequestContext): Promise<ResetResponse> {
  const link = await deps.limits.linkGuess(call.address, () => peekLink(deps.database, token, settingPassword));
  const customer = await deps.readCustomer(link.customerId);
  // Those of an account that nobody had proved end with the reset, whatever is wanted.
  const kept = customer?.EmailVerified ? customer.SocialLogins : [];
  return { Email: maskEmail(link.email), ...(kept.length > 0 && { SocialLogins: kept }) };
}

/** Sets a password with a mailed link. The link proves the address too. */
export async function resetPassword(
  deps: Dependencies,
  input: { Token: string; Password: string; UnlinkSocial?: boolean | undefined },
  call: RequestContext,
): Promise<void> {
  const { database, devices, limits, passwords } = deps;
  const { email, ...account } = await limits.linkGuess(call.address, async () => {
    // Only a good link is worth the work of a hash.
    await peekLink(database, input.Token, settingPassword);
    const passwordHash = await passwords.hash(input.Password);
    return database.transaction(async (tx) => {
      const customer = await consumeLink(tx, input.Token, settingPassword);
      await setProvenPassword(tx, deps, customer, { passwordHash, source: "reset", locale: call.locale });
      if (input.UnlinkSocial) await tx.delete(socialLogins).where(eq(socialLogins.customerId, customer.id));
      return { email: customer.email, id: customer.id, passwordHash };
    });
  });
  // A device of the owner's, from here on: whoever goes on guessing must not lock it out.
  await devices.remember(call, account);
  // Whoever was shut out by somebody else's guesses has now shown who they are.
  await limits.forgive(email);
}

export async function changePassword(
  deps: Dependencies,
  input: { CurrentPassword?: string | undefined; Password: string },
  caller: OwnSession & { guest: boolean },
  call: RequestContext,
): Promise<void> {
  // A guest's address is not proved: the mailed link is their way to a password.
  if (caller.guest) throw new Refusal("forbidden");
  const { database, devices, limits, passwords, settings } = deps;
  const known = await proveByPassword(deps, caller.customerId, "CurrentPassword", input.CurrentPassword, call);
  // A first password is a new way in: an open session alone must not add it.
  if (known === null) await proveFreshly(deps, undefined, caller, call);
  const told = await deps.readCustomer(caller.customerId);
  if (!told) throw new Refusal("not_signed_in");
  await limits.passwordChange(caller.customerId, async () => {
    const passwordHash = await passwords.hash(input.Password);
    const change = (maySend: boolean) =>
      actWithAuthority(database, caller, async (tx, { customer }) => {
        // Somebody else changed it in this very moment; what was proved holds no more.
        if (customer.passwordHash !== known) throw fieldRefusal("CurrentPassword", "wrong_password");
        await tx.update(customers).set({ passwordHash, updatedAt: sql`now()` }).where(eq(customers.id, customer.id));
        await endSessions(tx, customer.id, caller.sessionId);
        await tx
          .delete(links)
          .where(and(eq(links.customerId, customer.id), inArray(links.purpose, ["reset", "autologin"])));
        if (maySend) await tellPasswordChanged(tx, settings, customer, call.locale);
      });
    await limits.letterTo(told, change);
    await devices.remember(call, { id: caller.customerId, passwordHash });
  });
}

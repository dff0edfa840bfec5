import { and, eq, gt, gte, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { claimEmail, isEmailTaken } from "#identity/customer/customer.server.ts";
import { customerEmails, customers, emailHolds } from "#identity/customer/customer.tables.server.ts";
import { maskEmail } from "#identity/customer/email/email-mask.ts";
import { writtenEmail } from "#identity/customer/email/punycode.ts";
import { passkeys } from "#identity/customer/passkey.tables.server.ts";
import { socialLogins } from "#identity/customer/social-login.tables.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { emails } from "#identity/links/emails.server.ts";
import { createLink, endLinks, takeLink } from "#identity/links/links.server.ts";
import { links } from "#identity/links/links.tables.server.ts";
import {
  type LockedSession,
  type SessionKey,
  withLockedSession,
} from "#identity/session/reauthentication/locked-session.server.ts";
import { fieldRefusal, requireReauthentication } from "#identity/session/reauthentication/reauthentication.server.ts";
import { endSessions } from "#identity/session/session.server.ts";
import { defineRead, isoMoment } from "#platform/api/reads.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { welcomeVerifiedCustomer } from "./verified-address.server.ts";

/*
 *   current ──(asks, with the password or a fresh sign-in)──► pending ──(link in the email to the new address)──► changed
 *      ▲                                                        │                                                    │
 *      ├──(cancels, signed in)──────────────────────────────────┤                                                    │
 *      └──(link in the email to the old address, 7 days)───────┴────────────────────────────────────────────────────┘
 *
 * The old address can also undo a change that has been made: anyone who has stolen a session and the password can confirm an
 * address of their own at once. Until then no one else can register with the old address (email_hold). An old address that
 * was never verified has no such power: it may be a typing error, and another person's.
 */

type LockedCustomer = LockedSession["customer"];

/** `POST customer/email`: mails a link to the new address, and to the current one a notice with a way to stop it. */
export async function requestEmailChange(
  deps: Dependencies,
  input: { Email: string; Password?: string | undefined },
  caller: SessionKey & { guest: boolean },
  call: RequestContext,
): Promise<void> {
  // A guest's address is not verified, and a guest has no account to sign in to.
  if (caller.guest) throw new Refusal("forbidden");
  const { database, limits } = deps;
  const checkAgain = await requireReauthentication(deps, input.Password, caller, call);
  const current = await deps.readCustomer(caller.customerId);
  if (!current) throw new Refusal("not_signed_in");
  if (current.Email === input.Email) throw fieldRefusal("Email", "same_email");
  if (await limits.emailAvailable(call.address, () => isEmailTaken(database, input.Email)))
    throw new Refusal("email_taken");
  const request = (maySend: boolean) =>
    withLockedSession(database, caller, async (tx, locked) => {
      checkAgain(locked);
      await sendChangeLink(tx, deps, { ...locked.customer, newEmail: input.Email }, call.locale);
      if (maySend) await sendNotice(tx, deps, { ...locked.customer, newEmail: input.Email }, call.locale);
    });
  // By customer, and by the address that is mailed: both emails can go to a person who has asked for nothing.
  await limits.emailChange(caller.customerId, () => limits.resend(input.Email, () => limits.emailTo(current, request)));
}

type Mailing = Pick<Dependencies, "settings">;
type Changing = Pick<LockedCustomer, "id" | "email" | "firstname"> & { newEmail: string };

/** Staff correct a confirmed address on the customer's behalf: the same two emails, and the customer confirms as ever. */
export async function mailEmailChange(tx: Queries, deps: Mailing, customer: Changing, locale: Locale): Promise<void> {
  await sendChangeLink(tx, deps, customer, locale);
  await sendNotice(tx, deps, customer, locale);
}

/**
 * Staff correct an address that no one has confirmed, a typing error as a rule: it is replaced at once, and the caller
 * sends the new one a confirmation. Waiting for a link would not help: the customer cannot sign in with the old address.
 */
export async function replaceUnconfirmedEmail(
  tx: Queries,
  club: ClubHooks,
  { id: customerId, email: former }: { id: number; email: string },
  email: string,
) {
  await tx.delete(customerEmails).where(eq(customerEmails.customerId, customerId));
  await claimEmail(tx, { id: customerId, email });
  await tx.update(customers).set({ email, updatedAt: sql`now()` }).where(eq(customers.id, customerId));
  await endLinks(tx, customerId);
  await club.emailChanged(tx, customerId, former);
}

async function sendChangeLink(tx: Queries, { settings }: Mailing, customer: Changing, locale: Locale) {
  const link = await createLink(tx, { id: customer.id, email: customer.newEmail }, "email_change");
  await queueMail(tx, {
    cause: `email-change:${customer.id}:${link.id}`,
    customerId: customer.id,
    to: customer.newEmail,
    locale,
    content: emails.newAddress(settings, locale, customer.firstname, link.token),
  });
}

async function sendNotice(tx: Queries, { settings }: Mailing, customer: Changing, locale: Locale) {
  const stop = await createLink(tx, customer, "email_stop");
  await queueMail(tx, {
    cause: `email-notice:${customer.id}:${stop.id}`,
    customerId: customer.id,
    to: customer.email,
    locale,
    content: emails.addressChanging(settings, locale, {
      firstname: customer.firstname,
      email: maskEmail(writtenEmail(customer.newEmail)),
      token: stop.token,
    }),
  });
}

/** The customer cancels a change that no one has confirmed yet. */
export async function cancelEmailChange({ database }: Dependencies, caller: SessionKey): Promise<void> {
  await withLockedSession(database, caller, async (tx, { customer }) => {
    await endPendingChange(tx, customer.id);
  });
}

async function endPendingChange(tx: Queries, customerId: number): Promise<boolean> {
  const ended = await tx
    .delete(links)
    .where(and(eq(links.customerId, customerId), eq(links.purpose, "email_change"), gt(links.expiresAt, sql`now()`)))
    .returning({ id: links.id });
  return ended.length > 0;
}

/**
 * The new address is confirmed with its link. Only by the customer, signed in: the address may have a typing error, and
 * then the link reaches a person who must not get the account. Sessions stay, other links end.
 */
export async function changeEmailByLink(
  deps: Dependencies,
  token: string,
  own: SessionKey | undefined,
  call: RequestContext,
): Promise<void> {
  if (!own) throw new Refusal("not_signed_in");
  await withLockedSession(deps.database, own, async (tx) => {
    const { link, customer } = await takeLink(tx, token, ["email_change"]);
    if (customer.id !== own.customerId) throw new Refusal("link_expired");
    await tx.delete(customerEmails).where(eq(customerEmails.customerId, customer.id));
    await claimEmail(tx, { id: customer.id, email: link.email });
    await tx.delete(emailHolds).where(eq(emailHolds.email, link.email));
    if (customer.emailVerifiedAt) await holdEmail(tx, customer);
    await setEmail(tx, deps, customer, link.email);
    await endLinks(tx, customer.id);
    await welcomeVerifiedCustomer(tx, deps, { ...customer, email: link.email }, call.locale);
  });
}

/** No one else can register with the address as long as one of its emails can undo the change. */
async function holdEmail(tx: Queries, { id, email }: LockedCustomer): Promise<void> {
  await tx.execute(sql`
    insert into email_hold (email, customer_id, until)
    select ${email}, ${id}, max(expires_at) from link
    where customer_id = ${id} and purpose = 'email_stop' and email = ${email} having max(expires_at) > now()
    on conflict (email) do update set customer_id = excluded.customer_id, until = excluded.until`);
}

async function setEmail(
  tx: Queries,
  { club }: Dependencies,
  former: Pick<LockedCustomer, "id" | "email" | "emailVerifiedAt">,
  email: string,
): Promise<void> {
  await tx
    .update(customers)
    .set({ email, emailVerifiedAt: sql`now()`, updatedAt: sql`now()` })
    .where(eq(customers.id, former.id));
  await club.emailChanged(tx, former.id, former.emailVerifiedAt ? undefined : former.email);
}

/**
 * The old address stops a change, or undoes it. The person who asked for it had a session and the password, so a verified address
 * also gets its account back from them: sessions, links and the password end, and so does every way to sign in that was
 * added since. An email has the link to a new password.
 */
export async function stopEmailChange(deps: Dependencies, token: string, call: RequestContext): Promise<void> {
  await deps.limits.linkGuess(call.address, () =>
    deps.database.transaction(async (tx) => {
      const { link, customer } = await takeLink(tx, token, ["email_stop"]);
      const wasPending = await endPendingChange(tx, customer.id);
      const moved = customer.email !== link.email;
      if (moved) await restoreEmail(tx, deps, customer, link.email);
      else if (!wasPending) throw new Refusal("link_expired");
      if (!moved && !customer.emailVerifiedAt) return;
      await revokeAccess(tx, deps, customer.id, link.createdAt);
      const reset = await createLink(tx, { id: customer.id, email: link.email }, "reset");
      await queueMail(tx, {
        cause: `reset:${customer.id}:${reset.id}`,
        customerId: customer.id,
        to: link.email,
        locale: call.locale,
        content: emails.reset(deps.settings, call.locale, customer.firstname, reset.token),
      });
    }),
  );
}

async function restoreEmail(tx: Queries, deps: Dependencies, customer: LockedCustomer, email: string) {
  const { id } = customer;
  const [held] = await tx
    .select({ until: emailHolds.until })
    .from(emailHolds)
    .where(and(eq(emailHolds.email, email), eq(emailHolds.customerId, id)));
  if (!held) throw new Refusal("link_expired");
  await tx.delete(customerEmails).where(eq(customerEmails.customerId, id));
  // The addresses in between were not the owner's: they keep no claim.
  await tx.delete(emailHolds).where(eq(emailHolds.customerId, id));
  await claimEmail(tx, { id, email });
  await setEmail(tx, deps, customer, email);
}

async function revokeAccess(tx: Queries, { club }: Dependencies, customerId: number, since: Date): Promise<void> {
  await tx.update(customers).set({ passwordHash: null }).where(eq(customers.id, customerId));
  await tx.delete(socialLogins).where(and(eq(socialLogins.customerId, customerId), gte(socialLogins.createdAt, since)));
  await tx.delete(passkeys).where(and(eq(passkeys.customerId, customerId), gte(passkeys.createdAt, since)));
  await endSessions(tx, customerId);
  await tx.delete(links).where(eq(links.customerId, customerId));
  await club.endPasses(tx, customerId);
}

/** The address that waits for its confirmation, if there is one. */
export const pendingEmailRead = defineRead<object, { email: string; expiresAt: string } | null>(
  "pending email",
  ({ customerId }) => sql`(
    select json_build_object('email', email, 'expiresAt', expires_at) from link
    where customer_id = ${customerId} and purpose = 'email_change' and expires_at > now())`,
);

export const describePendingEmail = (row: { email: string; expiresAt: string } | null) =>
  row && { Email: row.email, ExpiresAt: isoMoment(row.expiresAt) };

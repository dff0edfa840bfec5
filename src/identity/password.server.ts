import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Database, Queries } from "#platform/database.server.ts";
import { queueJob } from "#platform/jobs.server.ts";
import { queueMail } from "#platform/mail.server.ts";
import { type FieldCode, Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { findRegistered } from "./customer.server.ts";
import { addressee, customers } from "./customer.tables.server.ts";
import { greetProven } from "./email-confirmation.server.ts";
import { maskEmail } from "./email-mask.ts";
import { findNewestGuest, sendGuestLink } from "./guest.server.ts";
import { links, socialLogins } from "./identity.tables.server.ts";
import { letters } from "./letters.server.ts";
import { consumeLink, createLink, endLinks, peekLink } from "./links.server.ts";
import type { Circumstances, Parts } from "./parts.server.ts";
import { claimEmail } from "./registration.server.ts";
import { endSessions } from "./session.server.ts";

/** The name of the job that decides what a forgotten password's address is sent. */
export const forgetJob = "identity.forget";
const settingPassword = ["reset", "guest"] as const;

/** The same work for every address, known or not: one job. What follows from it happens out of the caller's sight. */
export async function forgetPassword(parts: Parts, email: string, call: Circumstances): Promise<void> {
  await parts.limits.forget(email, call.address);
  await queueJob(parts.database, forgetJob, { email, locale: call.locale });
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

export async function validateReset(parts: Parts, token: string, call: Circumstances): Promise<{ Email: string }> {
  const { email } = await parts.limits.linkGuess(call.address, () => peekLink(parts.database, token, settingPassword));
  return { Email: maskEmail(email) };
}

/** Sets a password with a mailed link. The link proves the address too. */
export async function resetPassword(
  parts: Parts,
  input: { Token: string; Password: string },
  call: Circumstances,
): Promise<void> {
  const { database, limits, passwords } = parts;
  const email = await limits.linkGuess(call.address, async () => {
    // Only a good link is worth the work of a hash.
    await peekLink(database, input.Token, settingPassword);
    const passwordHash = await passwords.hash(input.Password);
    return database.transaction(async (tx) => {
      // Consume the link first: two racing requests must not both succeed.
      const link = await consumeLink(tx, input.Token, settingPassword);
      await setProvenPassword(tx, parts, link, passwordHash, call.locale);
      return link.email;
    });
  });
  // Whoever was shut out by somebody else's guesses has now shown who they are.
  await limits.forgive(email);
}

async function setProvenPassword(
  tx: Queries,
  parts: Parts,
  link: { customerId: number; email: string },
  passwordHash: string,
  locale: Locale,
): Promise<void> {
  const [customer] = await tx
    .select(addressee)
    .from(customers)
    .where(and(eq(customers.id, link.customerId), eq(customers.email, link.email)))
    .for("no key update");
  if (!customer) throw new Refusal("link_expired");
  if (customer.guest) await claimEmail(tx, customer);
  await tx
    .update(customers)
    .set({
      guest: false,
      passwordHash,
      emailVerifiedAt: sql`coalesce(${customers.emailVerifiedAt}, now())`,
      updatedAt: sql`now()`,
    })
    .where(eq(customers.id, customer.id));
  await endSessions(tx, customer.id);
  await endLinks(tx, customer.id);
  if (!customer.emailVerifiedAt) {
    // Nobody had proved this address: whatever else opens the account may have been planted by a stranger.
    await tx.delete(socialLogins).where(eq(socialLogins.customerId, customer.id));
    await greetProven(tx, parts, customer, locale);
  }
  if (!customer.guest) await tellPasswordChanged(tx, parts.settings, customer, locale);
}

export async function changePassword(
  parts: Parts,
  input: { CurrentPassword?: string | undefined; Password: string },
  caller: { customerId: number; sessionId: number; guest: boolean },
  call: Circumstances,
): Promise<void> {
  // A guest's address is not proved: the mailed link is their way to a password.
  if (caller.guest) throw new Refusal("forbidden");
  const { database, passwords, settings } = parts;
  const known = await proveByPassword(parts, caller.customerId, "CurrentPassword", input.CurrentPassword, call);
  const passwordHash = await passwords.hash(input.Password);
  await database.transaction(async (tx) => {
    const unchanged = known ? eq(customers.passwordHash, known) : isNull(customers.passwordHash);
    const [customer] = await tx
      .update(customers)
      .set({ passwordHash, updatedAt: sql`now()` })
      .where(and(eq(customers.id, caller.customerId), unchanged))
      .returning({ id: customers.id, email: customers.email, firstname: customers.firstname });
    // Somebody else changed it in this very moment; what was proved holds no more.
    if (!customer) throw fieldRefusal("CurrentPassword", "wrong_password");
    await endSessions(tx, customer.id, caller.sessionId);
    await tx
      .delete(links)
      .where(and(eq(links.customerId, customer.id), inArray(links.purpose, ["reset", "autologin"])));
    await tellPasswordChanged(tx, settings, customer, call.locale);
  });
}

/** Asks the signed-in customer for their password, if they have one, and answers with its hash. Guesses are limited. */
export async function proveByPassword(
  { database, limits, passwords }: Parts,
  customerId: number,
  field: "CurrentPassword" | "Password",
  password: string | undefined,
  call: Circumstances,
): Promise<string | null> {
  const [customer] = await database
    .select({ email: customers.email, passwordHash: customers.passwordHash })
    .from(customers)
    .where(eq(customers.id, customerId));
  if (!customer) throw new Refusal("not_signed_in");
  const { email, passwordHash } = customer;
  if (passwordHash === null) return null;
  if (password === undefined) throw fieldRefusal(field, "required");
  const right = await limits.passwordGuess(email, call.address, () => passwords.matches(password, passwordHash));
  if (!right) throw fieldRefusal(field, "wrong_password");
  return passwordHash;
}

function fieldRefusal(field: string, code: FieldCode): Refusal {
  return new Refusal("invalid", { errors: [{ field, code }] });
}

async function tellPasswordChanged(
  queries: Queries,
  settings: Settings,
  customer: { id: number; email: string; firstname: string },
  locale: Locale,
): Promise<void> {
  await queueMail(queries, {
    // Each change is a cause of its own; the row's clock tells them apart.
    cause: `password:${customer.id}:${Date.now()}`,
    customerId: customer.id,
    to: customer.email,
    locale,
    letter: letters.passwordChanged(settings, locale, customer.firstname),
  });
}

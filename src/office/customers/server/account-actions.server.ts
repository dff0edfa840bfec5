import { and, eq, isNull, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { sendConfirmation } from "#identity/address/email-confirmation.server.ts";
import { findShopRegistration, sendShopConfirmation } from "#identity/address/shop-registration.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { mailResetLink } from "#identity/password/password.server.ts";
import { endSessions } from "#identity/session/session.server.ts";
import { sessions } from "#identity/session/session.tables.server.ts";
import { joinedEmail } from "#loyalty/emails/emails.server.ts";
import { giftEmail, voucherEmail } from "#loyalty/emails/voucher-emails.server.ts";
import { entries } from "#loyalty/ledger/ledger.tables.server.ts";
import { isMember } from "#loyalty/membership/membership.server.ts";
import { replaceCard } from "#loyalty/membership/replace-card.server.ts";
import { rewards } from "#loyalty/programme/programme.tables.server.ts";
import { voucherCancels, vouchers, voucherUses } from "#loyalty/rewards/voucher.tables.server.ts";
import type { emailKinds } from "#office/customers/choices.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { type EmailContent, queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { auditAction, type CustomerActionContext, forStaff, lockForAction } from "./customer-action.server.ts";

/** A customer who is blocked cannot sign in, and tills refuse the card. Their sessions end at once; points and vouchers stay. */
export async function blockCustomer(tx: Queries, customerId: number, action: CustomerActionContext): Promise<void> {
  const { blocked } = await lockForAction(tx, customerId);
  await tx
    .update(customers)
    .set({ blockedAt: action.now })
    .where(and(eq(customers.id, customerId), isNull(customers.blockedAt)));
  await endSessions(tx, customerId);
  await auditAction(tx, action, {
    action: "customer_blocked",
    customerId,
    before: { blocked },
    after: { blocked: true },
  });
}

export async function unblockCustomer(tx: Queries, customerId: number, action: CustomerActionContext): Promise<void> {
  const { blocked } = await lockForAction(tx, customerId);
  await tx.update(customers).set({ blockedAt: null }).where(eq(customers.id, customerId));
  const change = { before: { blocked }, after: { blocked: false } };
  await auditAction(tx, action, { action: "customer_unblocked", customerId, ...change });
}

/** A lost card gets another number; after a lost phone its passes and sessions end too. */
export async function replaceLostCard(
  tx: Queries,
  settings: Settings,
  { customerId, phoneLost }: { customerId: number; phoneLost: boolean },
  action: CustomerActionContext,
) {
  const { language: locale } = await lockForAction(tx, customerId);
  if (settings.rateLimits) await refuseFlood(tx, customerId, action.now);
  const context = { locale, publicUrl: settings.publicUrl.origin, now: action.now, passesEnd: phoneLost };
  const { before, after } = await forStaff(replaceCard(tx, customerId, context));
  if (phoneLost) await endSessions(tx, customerId);
  await auditAction(tx, action, {
    ...{ action: "card_replaced", customerId, before: { cardEnding: before.slice(-4) } },
    after: { cardEnding: after.slice(-4), phoneLost },
    personal: { before: { CardNumber: before }, after: { CardNumber: after } },
  });
  return { CardNumber: after };
}

/** Signs the customer out everywhere. */
export async function endCustomerSessions(tx: Queries, customerId: number, action: CustomerActionContext) {
  await lockForAction(tx, customerId);
  const open = await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.customerId, customerId));
  await endSessions(tx, customerId);
  const change = { before: { sessions: open.length }, after: { sessions: 0 } };
  await auditAction(tx, action, { action: "sessions_ended", customerId, ...change });
  return { Ended: open.length };
}

type EmailKind = (typeof emailKinds)[number];

const notForThem = () => new Refusal("invalid", { errors: [{ field: "Letter", code: "invalid" }] });

/** As many as customers may ask for themselves. */
const emailsAnHour = 5;

/**
 * An address must not be flooded. Counted in the log under the customer's lock: a rate limit would take a second connection
 * while this transaction holds one, and a few colleagues at once would wait for each other.
 */
export async function refuseFlood(tx: Queries, customerId: number, now: Date): Promise<void> {
  const since = new Date(now.getTime() - 3_600_000).toISOString();
  const { rows } = await tx.execute<{ sent: number; first: string }>(sql`
    select count(*)::integer as sent, min(at) as first from audit_log
    where customer_id = ${customerId} and (action in ('letter_sent', 'card_replaced') or action = 'customer_corrected' and after -> 'fields' ? 'Email')
      and at > ${since}::timestamptz`);
  const { sent = 0, first = "" } = rows[0] ?? {};
  if (sent < emailsAnHour) return;
  const retryAfterSeconds = Math.max(1, 3_600 - (now.getTime() - new Date(first).getTime()) / 1_000);
  throw new Refusal("too_many", { retryAfterSeconds });
}

/** The email with the link that confirms an address; for a customer whom a shop registered, the one that says so. */
export async function mailConfirmation(
  tx: Queries,
  settings: Settings,
  customer: { id: number; email: string; firstname: string; emailVerifiedAt: Date | null },
  locale: Locale,
): Promise<void> {
  const registration = await findShopRegistration(tx, customer);
  if (registration) await sendShopConfirmation(tx, settings, customer, registration, locale);
  else await sendConfirmation(tx, settings, customer, locale);
}

/** Sends an email again, in the customer's language. A link in it is a new one; the one before no longer works. */
export async function sendEmailAgain(
  tx: Queries,
  settings: Settings,
  asked: { customerId: number; kind: EmailKind; voucherId: number | undefined },
  action: CustomerActionContext,
): Promise<void> {
  const { customerId, kind } = asked;
  const customer = await lockForAction(tx, customerId);
  if (settings.rateLimits) await refuseFlood(tx, customerId, action.now);
  const { language: locale, firstname } = customer;
  const context = { locale, publicUrl: settings.publicUrl.origin };
  const queue = (content: EmailContent) =>
    queueMail(tx, {
      cause: `again:${kind}:${customerId}:${action.requestId}`,
      ...{ customerId, to: customer.email, locale, content },
    });
  if (kind === "confirmation") {
    if (customer.emailVerifiedAt) throw notForThem();
    await mailConfirmation(tx, settings, customer, locale);
  } else if (kind === "password") await mailResetLink(tx, settings, customer, locale);
  else if (kind === "card") {
    if (!(await isMember(tx, customerId))) throw new Refusal("no_member");
    const [gift] = await tx
      .select({ points: entries.points })
      .from(entries)
      .where(and(eq(entries.customerId, customerId), eq(entries.kind, "welcome")));
    await queue(joinedEmail(context, firstname, gift?.points ?? 0));
  } else {
    const voucher = await findUsable(tx, customerId, asked.voucherId, action.now);
    const { amountCents, points, code, expiresAt } = voucher;
    const name = voucher.name?.[locale] ?? "";
    await queue(
      points > 0
        ? voucherEmail(context, firstname, { name, amountCents, code, points, expiresAt })
        : giftEmail(context, firstname, { amountCents, code, expiresAt }),
    );
  }
  await auditAction(tx, action, {
    action: "letter_sent",
    customerId,
    after: { kind, ...(asked.voucherId && { voucher: asked.voucherId }) },
  });
}

/** A voucher that can still be used. */
async function findUsable(tx: Queries, customerId: number, voucherId: number | undefined, now: Date) {
  const [voucher] = await tx
    .select({
      code: vouchers.code,
      amountCents: vouchers.amountCents,
      points: vouchers.points,
      expiresAt: vouchers.expiresAt,
      name: rewards.name,
    })
    .from(vouchers)
    .leftJoin(rewards, and(eq(rewards.programmeId, vouchers.programmeId), eq(rewards.id, vouchers.rewardId)))
    .leftJoin(voucherUses, eq(voucherUses.code, vouchers.code))
    .leftJoin(voucherCancels, eq(voucherCancels.code, vouchers.code))
    .where(
      and(
        eq(vouchers.customerId, customerId),
        eq(vouchers.id, voucherId ?? 0),
        isNull(vouchers.usedAt),
        isNull(voucherUses.code),
        isNull(voucherCancels.code),
        sql`${vouchers.expiresAt} > ${now.toISOString()}::timestamptz`,
      ),
    );
  if (!voucher) throw new Refusal("invalid", { errors: [{ field: "IdCustomerReward", code: "invalid" }] });
  return voucher;
}

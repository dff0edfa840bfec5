import { and, eq, sql } from "drizzle-orm";
import { recordConsent } from "#identity/customer/consent/consent.server.ts";
import { lockCustomer } from "#identity/customer/customer.server.ts";
import { generateCardNumber } from "#loyalty/card/card.server.ts";
import type { ClubContext } from "#loyalty/club-context.ts";
import { joinedEmail, queueEmail } from "#loyalty/emails/emails.server.ts";
import { accounts, cards } from "#loyalty/ledger/account.tables.server.ts";
import { entries } from "#loyalty/ledger/ledger.tables.server.ts";
import { programmeAt } from "#loyalty/programme/programme.server.ts";
import { recordReferral } from "#loyalty/referral/referral.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { creditWelcomePoints } from "./welcome-gift.server.ts";

/**
 *   not a member ──join──► active ──leave──► left ──join──► active
 *                             └──────erase──────┴──► erased
 *
 * The first join creates a card and credits the welcome gift, once per person, ever. An account that has left keeps its
 * points and card, but nothing is earned or spent. Joining as a member and leaving as a non-member change nothing; both
 * return whether they changed anything.
 */
export async function join(
  queries: Queries,
  customerId: number,
  programmeId: number,
  context: ClubContext,
): Promise<boolean> {
  const [programme] = await queries
    .select({ versionId: sql<number>`id`, welcomePoints: sql<number>`welcome_points` })
    .from(programmeAt(programmeId, context.now));
  if (!programme) throw new Refusal("not_found");
  // The lock is held until the end of the transaction: a customer who is being erased must not join.
  const customer = await lockCustomer(queries, customerId);
  if (!customer) throw new Refusal("not_signed_in");
  // Of several concurrent joins one inserts; the others wait here and find the row.
  const [created] = await queries
    .insert(accounts)
    .values({ customerId, programmeId, state: "active", memberSince: context.now, cardNumber: generateCardNumber() })
    .onConflictDoNothing()
    .returning({ number: accounts.cardNumber });
  if (!created?.number) {
    const reactivated = await queries
      .update(accounts)
      .set({ state: "active", leftAt: null })
      .where(and(eq(accounts.customerId, customerId), eq(accounts.state, "left")))
      .returning({ customerId: accounts.customerId });
    return reactivated.length > 0;
  }
  await claimCard(queries, customerId, created.number);
  if (context.referredBy !== undefined)
    await recordReferral(queries, { customerId, memberId: context.referredBy, now: context.now });
  await creditWelcomePoints(queries, customerId, { ...programme, programmeId }, context);
  // Until the address is confirmed, the email that asks for it is the only one: the welcome follows.
  if (customer.emailVerifiedAt) await mailWelcome(queries, customerId, context);
  return true;
}

/** Queues a member's welcome, once. Returns whether the customer is a member. */
export async function mailWelcome(
  queries: Queries,
  customerId: number,
  context: Omit<ClubContext, "now">,
): Promise<boolean> {
  const [member] = await queries
    .select({ gift: entries.points })
    .from(accounts)
    .leftJoin(
      entries,
      and(
        eq(entries.customerId, accounts.customerId),
        eq(entries.cause, "welcome"),
        sql`not exists (
          select from loyalty_claw_back taken
          where taken.customer_id = ${entries.customerId} and taken.purchase_id = ${entries.id})`,
      ),
    )
    .where(and(eq(accounts.customerId, customerId), eq(accounts.state, "active")));
  if (!member) return false;
  await queueEmail(queries, customerId, `joined:${customerId}`, context.locale, (firstname) =>
    joinedEmail(context, firstname, member.gift ?? 0),
  );
  return true;
}

/** Joins or leaves as the customer decides, and records it in the consent log if it changes anything. */
export async function setMembership(
  queries: Queries,
  customerId: number,
  member: boolean,
  context: ClubContext & { programmeId: number; source: "account" | "store" },
): Promise<void> {
  const changed = member
    ? await join(queries, customerId, context.programmeId, context)
    : await leave(queries, customerId, context.now);
  if (changed)
    await recordConsent(queries, {
      customerId,
      subject: "loyalty",
      given: member,
      source: context.source,
      locale: context.locale,
    });
}

/** Stores a card number for the customer. If the number is taken, another is generated. */
export async function claimCard(queries: Queries, customerId: number, generated: string): Promise<void> {
  for (let number = generated; ; number = generateCardNumber()) {
    const claimed = await queries.insert(cards).values({ number, customerId }).onConflictDoNothing().returning();
    if (claimed.length === 0) continue;
    if (number !== generated)
      await queries.update(accounts).set({ cardNumber: number }).where(eq(accounts.customerId, customerId));
    return;
  }
}

/** Returns whether it changed anything. */
export async function leave(queries: Queries, customerId: number, now: Date): Promise<boolean> {
  await lockCustomer(queries, customerId);
  const left = await queries
    .update(accounts)
    .set({ state: "left", leftAt: now })
    .where(and(eq(accounts.customerId, customerId), eq(accounts.state, "active")))
    .returning({ customerId: accounts.customerId });
  return left.length > 0;
}

export async function findCardNumber(queries: Queries, customerId: number): Promise<string> {
  const [account] = await queries
    .select({ number: accounts.cardNumber })
    .from(accounts)
    .where(eq(accounts.customerId, customerId));
  if (!account?.number) throw new Refusal("not_a_member");
  return account.number;
}

export async function isMember(queries: Queries, customerId: number): Promise<boolean> {
  const [account] = await queries
    .select({ state: accounts.state })
    .from(accounts)
    .where(eq(accounts.customerId, customerId))
    .prepare("loyalty_is_member")
    .execute();
  return account?.state === "active";
}

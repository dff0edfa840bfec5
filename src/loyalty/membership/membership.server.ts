import { and, eq, sql } from "drizzle-orm";
import { recordConsent } from "#identity/customer/consent.server.ts";
import { lockCustomer } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { drawCardNumber } from "#loyalty/card/card.server.ts";
import type { ClubContext } from "#loyalty/club-context.ts";
import { accounts, cards, welcomes } from "#loyalty/ledger/account.tables.server.ts";
import { earn } from "#loyalty/ledger/earning.server.ts";
import { announce, joinedLetter } from "#loyalty/letters/letters.server.ts";
import { events, programmes } from "#loyalty/programme/programme.tables.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";

/**
 *   not a member ──join──► active ──leave──► asleep ──join──► active
 *                             └──────erase──────┴──► erased
 *
 * The first joining draws a card and brings the welcome gift, once per person, ever. Asleep, points and card
 * wait; nothing is earned or spent. Joining when active and leaving when not change nothing; both say whether
 * they changed anything.
 */
export async function join(
  queries: Queries,
  customerId: number,
  programmeId: number,
  context: ClubContext,
): Promise<boolean> {
  const [programme] = await queries.select().from(programmes).where(eq(programmes.id, programmeId));
  if (!programme) throw new Refusal("not_found");
  // Held until the end, so that nobody joins who is being erased at the same time.
  if (!(await lockCustomer(queries, customerId))) throw new Refusal("not_signed_in");
  // Of many joining at once, one inserts; the others wait here for it and find it done.
  const [created] = await queries
    .insert(accounts)
    .values({ customerId, programmeId, state: "active", memberSince: context.now, cardNumber: drawCardNumber() })
    .onConflictDoNothing()
    .returning({ number: accounts.cardNumber });
  if (!created?.number) {
    const woken = await queries
      .update(accounts)
      .set({ state: "active", leftAt: null })
      .where(and(eq(accounts.customerId, customerId), eq(accounts.state, "asleep")))
      .returning({ customerId: accounts.customerId });
    return woken.length > 0;
  }
  await claimCard(queries, customerId, created.number);
  const gift = await giveWelcome(queries, customerId, programme, context);
  await announce(queries, customerId, `joined:${customerId}`, context.locale, (firstname) =>
    joinedLetter(context, firstname, gift),
  );
  return true;
}

/** Joining or leaving as the customer's own choice, noted in the consent log when it changes something. */
export async function choose(
  queries: Queries,
  customerId: number,
  given: boolean,
  choice: ClubContext & { programmeId: number; source: "account" | "store" },
): Promise<void> {
  const changed = given
    ? await join(queries, customerId, choice.programmeId, choice)
    : await leave(queries, customerId, choice.now);
  if (changed)
    await recordConsent(queries, {
      customerId,
      subject: "loyalty",
      given,
      source: choice.source,
      locale: choice.locale,
    });
}

/** Two members may draw the same number: the second draws again. */
export async function claimCard(queries: Queries, customerId: number, drawn: string): Promise<void> {
  for (let number = drawn; ; number = drawCardNumber()) {
    const claimed = await queries.insert(cards).values({ number, customerId }).onConflictDoNothing().returning();
    if (claimed.length === 0) continue;
    if (number !== drawn)
      await queries.update(accounts).set({ cardNumber: number }).where(eq(accounts.customerId, customerId));
    return;
  }
}

/** Says how many points it gave: none to a person who has had them before, under whatever account. */
async function giveWelcome(
  queries: Queries,
  customerId: number,
  programme: typeof programmes.$inferSelect,
  context: ClubContext,
): Promise<number> {
  if (programme.welcomePoints === 0) return 0;
  const first = await queries
    .insert(welcomes)
    .select(
      queries
        .select({
          person: sql<Buffer>`loyalty_person(${customers.email})`.as("person"),
          givenAt: sql<Date>`${context.now.toISOString()}::timestamptz`.as("given_at"),
        })
        .from(customers)
        .where(eq(customers.id, customerId)),
    )
    .onConflictDoNothing()
    .returning({ givenAt: welcomes.givenAt });
  if (first.length === 0) return 0;
  const [event] = await queries
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.programmeId, programme.id), eq(events.proof, "welcome")));
  const label = event ? { event: event.id } : {};
  const points = programme.welcomePoints;
  await earn(queries, programme.id, { customerId, points, kind: "welcome", cause: "welcome", label }, context);
  return points;
}

/** Says whether it changed anything. */
export async function leave(queries: Queries, customerId: number, now: Date): Promise<boolean> {
  await lockCustomer(queries, customerId);
  const left = await queries
    .update(accounts)
    .set({ state: "asleep", leftAt: now })
    .where(and(eq(accounts.customerId, customerId), eq(accounts.state, "active")))
    .returning({ customerId: accounts.customerId });
  return left.length > 0;
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

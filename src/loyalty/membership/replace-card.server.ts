import { and, eq, isNull } from "drizzle-orm";
import { generateCardNumber } from "#loyalty/card/card.server.ts";
import { cardReplacedEmail, type EmailContext, queueEmail } from "#loyalty/emails/emails.server.ts";
import { accounts, cards } from "#loyalty/ledger/account.tables.server.ts";
import { endPasses } from "#loyalty/wallet/revoke-passes.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { claimCard, findCardNumber } from "./membership.server.ts";

/**
 * Gives a customer another card number; tills refuse the one before at once, and those of accounts that were merged into
 * this one. Passes get the new number by a job of the same transaction (db/functions/wallet_changed.sql), unless the
 * phone was lost: then they end, and the customer adds the card again.
 */
export async function replaceCard(
  tx: Queries,
  customerId: number,
  { now, passesEnd, ...context }: EmailContext & { now: Date; passesEnd: boolean },
): Promise<{ before: string; after: string }> {
  const before = await findCardNumber(tx, customerId);
  const ended = passesEnd && (await endPasses(tx, customerId));
  await tx
    .update(cards)
    .set({ replacedAt: now })
    .where(and(eq(cards.customerId, customerId), isNull(cards.replacedAt)));
  const number = generateCardNumber();
  await tx.update(accounts).set({ cardNumber: number }).where(eq(accounts.customerId, customerId));
  await claimCard(tx, customerId, number);
  const after = await findCardNumber(tx, customerId);
  await queueEmail(tx, customerId, `card:${after}`, context.locale, (firstname) =>
    cardReplacedEmail(context, firstname, { ending: before.slice(-4), passesEnded: ended }),
  );
  return { before, after };
}

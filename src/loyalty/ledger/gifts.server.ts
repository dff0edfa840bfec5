import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { generateVoucherCode } from "#loyalty/card/card.server.ts";
import type { ClubContext } from "#loyalty/club-context.ts";
import { queueEmail } from "#loyalty/emails/emails.server.ts";
import { giftEmail } from "#loyalty/emails/voucher-emails.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { lots } from "./ledger.tables.server.ts";

/**
 * A voucher that costs no points (db/functions/loyalty_gift.sql, db/functions/loyalty_free_voucher.sql), with its email; refused
 * where it is worth another sum.
 */
export async function giveVoucher(
  queries: Queries,
  gift: { customerId: number; programmeId: number; rewardId: number; amountCents: number },
  context: ClubContext,
) {
  const { customerId, programmeId, rewardId, amountCents } = gift;
  const { now, locale } = context;
  for (;;) {
    const code = generateVoucherCode();
    const [row] = await queries
      .select({
        outcome: sql<"done" | "not_a_member" | "unknown" | "code_taken">`outcome`,
        id: sql`voucher_id`.mapWith(Number),
        amountCents: sql<number>`amount_cents`,
        name: sql<Record<Locale, string>>`reward_name`,
        expiresAt: sql`expires_at`.mapWith(lots.expiresAt),
      })
      .from(
        sql`loyalty_gift(${customerId}::bigint, ${programmeId}::integer, ${rewardId}::integer, ${code}::text,
          ${now.toISOString()}::timestamptz)`,
      );
    if (row?.outcome === "code_taken") continue;
    if (row?.outcome === "not_a_member") throw new Refusal("not_a_member");
    if (row?.outcome !== "done") throw new Refusal("not_found");
    if (row.amountCents !== amountCents) throw new Refusal("reward_changed");
    const voucher = { amountCents, code, expiresAt: row.expiresAt };
    await queueEmail(queries, customerId, `voucher:${customerId}:${row.id}`, locale, (firstname) =>
      giftEmail(context, firstname, voucher),
    );
    return { id: row.id, code, expiresAt: row.expiresAt };
  }
}

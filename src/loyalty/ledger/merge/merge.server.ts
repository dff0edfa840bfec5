import { asc, inArray, sql } from "drizzle-orm";
import { textsOf } from "#brand/texts.server.ts";
import { type Locale, locales } from "#i18n/locale.ts";
import { generateVoucherCode } from "#loyalty/card/card.server.ts";
import type { ClubContext } from "#loyalty/club-context.ts";
import { queueEmail } from "#loyalty/emails/emails.server.ts";
import { mergedVoucherEmail } from "#loyalty/emails/voucher-emails.server.ts";
import { accounts } from "#loyalty/ledger/account.tables.server.ts";
import { lots } from "#loyalty/ledger/ledger.tables.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";

/** What the survivor has after two accounts became one. */
export interface MergedAccounts {
  moved: number;
  giftTaken: number;
  vouchers: number;
  balance: number;
  debt: number;
}

const inEveryLanguage = (text: (locale: Locale) => string) => ({
  texts: Object.fromEntries(locales.map((locale) => [locale, text(locale)])),
});

/**
 * The club's part of merging two customers, both of whom are locked: vouchers that can still be used are issued again for
 * the survivor (db/functions/loyalty_merge_voucher.sql), then the ledger moves (db/functions/loyalty_merge.sql).
 */
export async function mergeAccounts(
  tx: Queries,
  { otherId, survivorId }: { otherId: number; survivorId: number },
  context: ClubContext,
): Promise<MergedAccounts> {
  const both = await tx
    .select({ id: accounts.customerId, state: accounts.state })
    .from(accounts)
    .where(inArray(accounts.customerId, [otherId, survivorId]))
    .orderBy(asc(accounts.customerId))
    .for("update");
  const hasOther = both.some(({ id }) => id === otherId);
  if (hasOther && !both.some(({ id, state }) => id === survivorId && state === "active"))
    throw new Refusal("cannot_merge");
  const reissued = hasOther ? await reissueVouchers(tx, otherId, survivorId, context) : 0;
  const spentLabel = inEveryLanguage((locale) => textsOf[locale].t("loyalty.history.mergedSpent"));
  const giftLabel = inEveryLanguage((locale) => textsOf[locale].t("loyalty.history.mergedGift"));
  const [row] = await tx
    .select({
      outcome: sql<"done" | "not_a_member">`outcome`,
      moved: sql<number>`moved`,
      giftTaken: sql<number>`gift_taken`,
      balance: sql<number | null>`balance_after`,
      debt: sql<number | null>`debt_after`,
    })
    .from(
      sql`loyalty_merge(${otherId}::bigint, ${survivorId}::bigint, ${JSON.stringify(spentLabel)}::jsonb,
        ${JSON.stringify(giftLabel)}::jsonb, ${context.now.toISOString()}::timestamptz)`,
    );
  if (row?.outcome !== "done") throw new Refusal("cannot_merge");
  return {
    moved: row.moved,
    giftTaken: row.giftTaken,
    vouchers: reissued,
    balance: row.balance ?? 0,
    debt: row.debt ?? 0,
  };
}

/** Vouchers that can still be used, as new ones of the survivor, each with its email. Returns how many. */
async function reissueVouchers(
  tx: Queries,
  otherId: number,
  survivorId: number,
  context: ClubContext,
): Promise<number> {
  const { rows: usable } = await tx.execute<{ code: string }>(sql`
    select v.code from loyalty_voucher v
    where v.customer_id = ${otherId} and v.used_at is null and v.expires_at > ${context.now.toISOString()}::timestamptz
      and not exists (select from loyalty_voucher_use u where u.code = v.code)
      and not exists (select from loyalty_voucher_cancel x where x.code = v.code and x.cancelled_at is not null)
    order by v.id`);
  for (const { code: oldCode } of usable) await reissue(tx, oldCode, survivorId, context);
  return usable.length;
}

async function reissue(tx: Queries, oldCode: string, survivorId: number, context: ClubContext): Promise<void> {
  for (;;) {
    const code = generateVoucherCode();
    const [made] = await tx
      .select({
        outcome: sql<"done" | "code_taken">`outcome`,
        id: sql`voucher_id`.mapWith(Number),
        amountCents: sql<number>`amount_cents`,
        expiresAt: sql`expires_at`.mapWith(lots.expiresAt),
      })
      .from(
        sql`loyalty_merge_voucher(${oldCode}::text, ${code}::text, ${survivorId}::bigint,
          ${context.now.toISOString()}::timestamptz)`,
      );
    if (made?.outcome === "code_taken") continue;
    if (made?.outcome !== "done") throw new Error("loyalty_merge_voucher made no voucher.");
    const { id, amountCents, expiresAt } = made;
    await queueEmail(tx, survivorId, `voucher:${survivorId}:${id}`, context.locale, (firstname) =>
      mergedVoucherEmail(context, firstname, { amountCents, code, expiresAt }),
    );
    return;
  }
}

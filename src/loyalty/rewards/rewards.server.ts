import { sql } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { barcodeSvg } from "#loyalty/card/barcode.server.ts";
import { generateVoucherCode } from "#loyalty/card/card.server.ts";
import type { ClubContext } from "#loyalty/club-context.ts";
import { voucherEmail } from "#loyalty/emails/voucher-emails.server.ts";
import { buyVoucher } from "#loyalty/ledger/ledger.server.ts";
import type { LoyaltyAccount } from "#loyalty/ledger/loyalty-customer.server.ts";
import { describeReward, moneyOf, type Programme } from "#loyalty/programme/programme.server.ts";
import { defineRead } from "#platform/api/reads.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { vouchers } from "./voucher.tables.server.ts";
import type { VoucherFilter, VoucherState } from "./voucher-states.ts";

/** The rewards, and which of them the customer's points reach. */
export function describeRewards(programme: Pick<Programme, "rewards">, account: LoyaltyAccount, locale: Locale) {
  const member = account?.state === "active";
  const available = member ? account.available : 0;
  // What is owed is settled first: the next points do not count towards a reward.
  const owed = member ? account.debt : 0;
  return programme.rewards.map((reward) => ({
    ...describeReward(reward, locale),
    Obtainable: member && owed === 0 && available >= reward.points,
    PointsMissing: Math.max(0, reward.points - available + owed),
  }));
}

/** Buys a voucher with points and queues the email with its code, in one transaction, which a refusal rolls back. */
export async function obtainReward(
  queries: Queries,
  customerId: number,
  programmeId: number,
  { rewardId, seen }: { rewardId: number; seen?: { points: number | undefined; value: string | undefined } },
  context: ClubContext,
) {
  const { now, locale } = context;
  let code: string;
  let bought: Awaited<ReturnType<typeof buyVoucher>>;
  do {
    // A code that is already taken, which is rare, is generated again.
    code = generateVoucherCode();
    bought = await buyVoucher(queries, { customerId, programmeId, rewardId, code, now });
  } while (!bought);
  const { id, balance, points, name, expiresAt, email: to, firstname } = bought;
  // A version of the programme may have begun since the customer saw the reward.
  const value = amountOf(bought.amountCents);
  if ((seen?.points ?? points) !== points || (seen?.value ?? value) !== value) throw new Refusal("reward_changed");
  const details = { name: name[locale], amountCents: bought.amountCents, code, points, expiresAt };
  if (to !== null)
    await queueMail(queries, {
      cause: `voucher:${customerId}:${id}`,
      customerId,
      to,
      locale,
      content: voucherEmail(context, firstname ?? "", details),
    });
  const voucher = { ...bought, rewardId, code, obtainedAt: now, usedAt: null, heldUntil: null, cancelled: false };
  return { CustomerReward: describe(voucher, now, locale), Points: { Available: balance } };
}

interface VoucherRow {
  id: number;
  /** Null, as the name, of a voucher of another club. */
  rewardId: number | null;
  code: string;
  amountCents: number;
  obtainedAt: string;
  expiresAt: string;
  usedAt: string | null;
  heldUntil: string | null;
  cancelledAt: string | null;
  name: Record<Locale, string> | null;
}

interface VoucherQuery {
  filter: VoucherFilter;
  /** Null: any. */
  id: number | null;
  /** Null: all of them. */
  limit: number | null;
  offset: number;
}

/**
 * The customer's vouchers, how many there are, and when the first of them ends unused: those that can be used, the soonest
 * to end first, then those used last, then those that expired last.
 */
export const vouchersRead = defineRead<VoucherQuery, { rows: VoucherRow[]; total: number; nextEnd: string | null }>(
  "loyalty_vouchers",
  ({ customerId, now, value }) => sql`(
    with found as (select voucher.id, voucher.reward_id as "rewardId", voucher.code, voucher.amount_cents as "amountCents",
      voucher.obtained_at as "obtainedAt", voucher.expires_at as "expiresAt", use.used_at as "usedAt",
      hold.until as "heldUntil", cancel.cancelled_at as "cancelledAt",
      coalesce(reward.name, campaign.name) as name
    from loyalty_voucher voucher
    left join loyalty_reward reward on reward.programme_id = voucher.programme_id and reward.id = voucher.reward_id
    left join campaign on campaign.id = voucher.campaign_id
    -- Used at a till, or before tills wrote their uses down.
    cross join lateral (select coalesce(
      (select used_at from loyalty_voucher_use where code = voucher.code), voucher.used_at) as used_at) use
    left join loyalty_voucher_cancel cancel on cancel.code = voucher.code and cancel.cancelled_at is not null
    left join loyalty_voucher_hold hold on hold.code = voucher.code and use.used_at is null and hold.until > ${now}
    where voucher.customer_id = ${customerId}
      and case ${value("filter")}::text
        when 'used' then use.used_at is not null
        when 'cancelled' then cancel.code is not null
        when 'available' then use.used_at is null and cancel.code is null and voucher.expires_at > ${now}
        when 'expired' then use.used_at is null and cancel.code is null and voucher.expires_at <= ${now}
        else true end
      and voucher.id = coalesce(${value("id")}::bigint, voucher.id)),
    placed as (select *, row_number() over (order by
      case when "usedAt" is not null then 2 when "cancelledAt" is not null then 4 when "expiresAt" > ${now} then 1 else 3 end,
      case when "usedAt" is null and "cancelledAt" is null and "expiresAt" > ${now} then "expiresAt" end,
      coalesce("usedAt", "cancelledAt", "expiresAt") desc, id) as place from found)
    select json_build_object('total', (select count(*) from found),
      'nextEnd', (select min("expiresAt") from found
        where "usedAt" is null and "cancelledAt" is null and "expiresAt" > ${now}), 'rows', (
      select coalesce(json_agg(page order by page.place), '[]') from (
        select * from placed order by place
        limit ${value("limit")}::integer offset ${value("offset")}::integer) page)))`,
);

export const describeVouchers = (rows: VoucherRow[], now: Date, locale: Locale) =>
  rows.map(({ obtainedAt, expiresAt, usedAt, heldUntil, cancelledAt, ...row }) =>
    describe(
      {
        ...row,
        obtainedAt: new Date(obtainedAt),
        expiresAt: new Date(expiresAt),
        usedAt: usedAt === null ? null : new Date(usedAt),
        heldUntil: heldUntil === null ? null : new Date(heldUntil),
        cancelled: cancelledAt !== null,
      },
      now,
      locale,
    ),
  );

type Described = Pick<
  typeof vouchers.$inferSelect,
  "id" | "rewardId" | "code" | "amountCents" | "obtainedAt" | "expiresAt" | "usedAt"
> & { name: Record<Locale, string> | null; heldUntil: Date | null; cancelled: boolean };

function describe(voucher: Described, now: Date, locale: Locale) {
  const { usedAt, expiresAt } = voucher;
  return {
    IdCustomerReward: voucher.id,
    IdLoyaltyReward: voucher.rewardId,
    Name: voucher.name?.[locale] ?? textsOf[locale].t("loyalty.history.import_voucher"),
    Value: moneyOf(voucher.amountCents),
    Code: voucher.code,
    BarcodeFormat: "CODE128" as const,
    BarcodeSvg: barcodeSvg("code128", voucher.code),
    LoyaltyRewardState: stateOf(voucher, now),
    ObtainedAt: voucher.obtainedAt.toISOString(),
    ExpiresAt: expiresAt.toISOString(),
    UsedAt: usedAt?.toISOString() ?? null,
    HeldUntil: voucher.heldUntil?.toISOString() ?? null,
  };
}

function stateOf({ usedAt, expiresAt, cancelled }: Described, now: Date): VoucherState {
  if (usedAt) return "used";
  if (cancelled) return "cancelled";
  return expiresAt > now ? "available" : "expired";
}

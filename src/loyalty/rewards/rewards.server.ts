import { and, desc, eq, gt, isNotNull, isNull, lte, type SQL } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { barcodeSvg } from "#loyalty/card/barcode.server.ts";
import { generateVoucherCode } from "#loyalty/card/card.server.ts";
import type { ClubContext } from "#loyalty/club-context.ts";
import { buyVoucher } from "#loyalty/ledger/ledger.server.ts";
import { readLoyaltyAccount } from "#loyalty/ledger/loyalty-customer.server.ts";
import { voucherLetter } from "#loyalty/letters/letters.server.ts";
import { describeReward, euros, findProgramme } from "#loyalty/programme/programme.server.ts";
import { programmes, rewards } from "#loyalty/programme/programme.tables.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { voucherCodes, vouchers } from "./voucher.tables.server.ts";
import type { VoucherFilter, VoucherState } from "./voucher-states.ts";

export async function listRewards(
  queries: Queries,
  customerId: number,
  programmeId: number,
  { now, locale }: ClubContext,
) {
  const programme = await findProgramme(queries, programmeId);
  const account = await readLoyaltyAccount(queries, customerId, programmeId, now);
  const member = account.state === "active";
  const available = member ? account.available : 0;
  return programme.rewards.map((reward) => ({
    ...describeReward(reward, locale),
    Obtainable: member && available >= reward.points,
    PointsMissing: Math.max(0, reward.points - available),
  }));
}

/** Buys a voucher with points and queues the letter with its code, in one transaction. */
export async function obtainReward(
  queries: Queries,
  customerId: number,
  programmeId: number,
  rewardId: number,
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
  const details = { name: name[locale], code, points, expiresAt };
  if (to !== null)
    await queueMail(queries, {
      cause: `voucher:${customerId}:${id}`,
      customerId,
      to,
      locale,
      letter: voucherLetter(context, firstname ?? "", details),
    });
  const voucher = { ...bought, rewardId, code, obtainedAt: now, usedAt: null };
  return { CustomerReward: describe(voucher, now, locale), Points: { Available: balance } };
}

/**
 * Marks a voucher as used at the till. Returns whether it was still available. A trigger refuses every other change of a
 * voucher (db/functions/loyalty_voucher_forward.sql).
 */
export async function redeemVoucher(queries: Queries, code: string, now: Date): Promise<boolean> {
  const [owner] = await queries.select().from(voucherCodes).where(eq(voucherCodes.code, code));
  if (!owner) return false;
  const used = await queries
    .update(vouchers)
    .set({ usedAt: now })
    .where(
      and(
        eq(vouchers.customerId, owner.customerId),
        eq(vouchers.code, code),
        isNull(vouchers.usedAt),
        gt(vouchers.expiresAt, now),
      ),
    )
    .returning({ id: vouchers.id });
  return used.length > 0;
}

export async function listVouchers(
  queries: Queries,
  customerId: number,
  programmeId: number,
  filter: VoucherFilter,
  { now, locale }: ClubContext,
) {
  const [programme] = await queries.select().from(programmes).where(eq(programmes.id, programmeId));
  if (!programme) throw new Refusal("not_found");
  const conditions: Record<VoucherFilter, SQL | undefined> = {
    all: undefined,
    used: isNotNull(vouchers.usedAt),
    available: and(isNull(vouchers.usedAt), gt(vouchers.expiresAt, now)),
    expired: and(isNull(vouchers.usedAt), lte(vouchers.expiresAt, now)),
  };
  const rows = await queries
    .select({ voucher: vouchers, name: rewards.name })
    .from(vouchers)
    .innerJoin(rewards, and(eq(rewards.programmeId, vouchers.programmeId), eq(rewards.id, vouchers.rewardId)))
    .where(and(eq(vouchers.customerId, customerId), eq(vouchers.programmeId, programmeId), conditions[filter]))
    .orderBy(desc(vouchers.id));
  return rows.map(({ voucher, name }) => describe({ ...voucher, name }, now, locale));
}

type Described = Pick<
  typeof vouchers.$inferSelect,
  "id" | "rewardId" | "code" | "amountCents" | "obtainedAt" | "expiresAt" | "usedAt"
> & { name: Record<Locale, string> };

function describe(voucher: Described, now: Date, locale: Locale) {
  const { usedAt, expiresAt } = voucher;
  return {
    IdCustomerReward: voucher.id,
    IdLoyaltyReward: voucher.rewardId,
    Name: voucher.name[locale],
    Value: euros(voucher.amountCents),
    Code: voucher.code,
    BarcodeFormat: "CODE128" as const,
    BarcodeSvg: barcodeSvg("code128", voucher.code),
    LoyaltyRewardState: stateOf(voucher, now),
    ObtainedAt: voucher.obtainedAt.toISOString(),
    ExpiresAt: expiresAt.toISOString(),
    UsedAt: usedAt?.toISOString() ?? null,
  };
}

function stateOf({ usedAt, expiresAt }: Pick<Described, "usedAt" | "expiresAt">, now: Date): VoucherState {
  if (usedAt) return "used";
  return expiresAt > now ? "available" : "expired";
}

import { and, desc, eq, gt, isNotNull, isNull, lte } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { barcodeSvg } from "#loyalty/card/barcode.server.ts";
import { drawVoucherCode } from "#loyalty/card/card.server.ts";
import type { ClubContext } from "#loyalty/club-context.ts";
import { debit } from "#loyalty/ledger/ledger.server.ts";
import { readStanding } from "#loyalty/ledger/standing.server.ts";
import { voucherLetter } from "#loyalty/letters/letters.server.ts";
import { describeReward, euros, findProgramme } from "#loyalty/programme/programme.server.ts";
import { programmes, rewards } from "#loyalty/programme/programme.tables.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { voucherCodes, vouchers } from "./voucher.tables.server.ts";

export const voucherFilters = ["all", "available", "used", "expired"] as const;
export type VoucherFilter = (typeof voucherFilters)[number];

export async function listRewards(
  queries: Queries,
  customerId: number,
  programmeId: number,
  { now, locale }: ClubContext,
) {
  const programme = await findProgramme(queries, programmeId);
  const standing = await readStanding(queries, customerId, programmeId, now);
  const member = standing.state === "active";
  const available = member ? standing.available : 0;
  return programme.rewards.map((reward) => ({
    ...describeReward(reward, locale),
    Obtainable: member && available >= reward.points,
    PointsMissing: Math.max(0, reward.points - available),
  }));
}

/** Points become a voucher, and a letter brings its code. */
export async function obtainReward(
  queries: Queries,
  customerId: number,
  programmeId: number,
  rewardId: number,
  context: ClubContext,
) {
  const { now, locale } = context;
  let code: string;
  let bought: Awaited<ReturnType<typeof debit>>;
  do {
    // Another draw in the rare case that this code is somebody's already.
    code = drawVoucherCode();
    bought = await debit(queries, { customerId, programmeId, rewardId, code, now });
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

/** Marks a voucher as spent at the till. Says whether it was still good. */
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
  const states = {
    all: undefined,
    used: isNotNull(vouchers.usedAt),
    available: and(isNull(vouchers.usedAt), gt(vouchers.expiresAt, now)),
    expired: and(isNull(vouchers.usedAt), lte(vouchers.expiresAt, now)),
  };
  const rows = await queries
    .select({ voucher: vouchers, name: rewards.name })
    .from(vouchers)
    .innerJoin(rewards, and(eq(rewards.programmeId, vouchers.programmeId), eq(rewards.id, vouchers.rewardId)))
    .where(and(eq(vouchers.customerId, customerId), eq(vouchers.programmeId, programmeId), states[filter]))
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
    LoyaltyRewardState: usedAt ? ("used" as const) : expiresAt > now ? ("available" as const) : ("expired" as const),
    ObtainedAt: voucher.obtainedAt.toISOString(),
    ExpiresAt: expiresAt.toISOString(),
    UsedAt: usedAt?.toISOString() ?? null,
  };
}

import { sql } from "drizzle-orm";
import { centsOf } from "#brand/amounts.ts";
import type { Locale } from "#i18n/locale.ts";
import { readBalance, refreshAccount } from "#loyalty/ledger/ledger.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import { obtainReward } from "#loyalty/rewards/rewards.server.ts";
import type { TillCodes } from "#loyalty/rewards/till-code.server.ts";
import type { StaffCaller } from "#platform/api/callers.server.ts";
import { Refusal, refuseField } from "#platform/refusal.ts";
import { describeVoucher } from "#shop/keys/identify.server.ts";
import { countFailedAttempt, refuseGuessing } from "#shop/keys/keys.server.ts";
import { auditSale, refuseOwnCard } from "#shop/sales/at-till.server.ts";
import type { SellingDependencies } from "#shop/sales/selling.server.ts";

interface Shown extends Record<string, unknown> {
  blocked: boolean;
  language: Locale;
  scanned: boolean;
}

/** As long as what identify says is good. */
const scanMinutes = 15;

/**
 * Turns points into a voucher at a till. The customer agrees by the card, which was scanned at this till a moment ago, or by the
 * code on their phone; a name, an address or a card number that was typed is not enough. Spending is refused as everywhere: without a confirmed address, with a
 * debt, with too few points. `points` are those that the till shows: a call whose response was lost is not carried out twice.
 */
export async function obtainVoucher(
  deps: SellingDependencies & { tillCodes: TillCodes },
  caller: StaffCaller,
  asked: { CustomerToken: string; rewardId: number; points: number; code?: string | undefined },
  now: Date,
) {
  const customerId =
    (await deps.tokens.open(asked.CustomerToken, caller.shopId, now)) ?? refuseField("CustomerToken", "invalid");
  const checked = asked.code === undefined ? undefined : await checkCode(deps, caller, customerId, asked.code, now);
  return deps.database.transaction(async (tx) => {
    const { rows } = await tx.execute<Shown>(sql`
      select c.blocked_at is not null as blocked, c.language, exists (
        select from shop_look_up l where l.customer_id = c.id and l.key_prefix = ${caller.prefix}
          and l.found_by = 'card' and l.entry_mode = 'scanned'
          and l.at > ${now.toISOString()}::timestamptz - make_interval(mins => ${scanMinutes})) as scanned
      from customer c where c.id = ${customerId} for no key update`);
    const [shown] = rows;
    if (!shown || !(checked || shown.scanned)) throw new Refusal("card_needed");
    if (checked) await deps.tillCodes.redeem(tx, customerId, checked, now);
    if (shown.blocked) throw new Refusal("card_blocked");
    await refuseOwnCard(tx, caller, customerId);
    await refreshAccount(tx, customerId, now);
    if ((await readBalance(tx, customerId, now)).balance !== asked.points) throw new Refusal("reward_changed");
    const context = { now, locale: shown.language, publicUrl: deps.publicUrl };
    const { rewardId } = asked;
    const bought = await obtainReward(tx, customerId, defaultProgrammeId, { rewardId }, context);
    const { Code: code, Value, ExpiresAt: expiresAt } = bought.CustomerReward;
    const { Available } = bought.Points;
    const valueCents = centsOf(Value.Amount);
    const before = { points: asked.points };
    const after = { points: Available, reward: rewardId, valueCents, agreedBy: checked ? "code" : "card" };
    await auditSale(tx, caller, now, { action: "voucher_obtained", customerId, before, after });
    const voucher = { code, valueCents, expiresAt, usedAt: null, cancelled: false, erased: false, hold: null };
    return {
      Voucher: await describeVoucher(voucher, deps.tokens, caller.shopId, now),
      Points: { Available },
    };
  });
}

/** A wrong code counts against the till as an unknown card does: it may be a guess. */
async function checkCode(
  { database, limits, tillCodes }: SellingDependencies & { tillCodes: TillCodes },
  caller: StaffCaller,
  customerId: number,
  code: string,
  now: Date,
): Promise<Buffer> {
  refuseGuessing(caller, limits, now);
  return tillCodes.check(customerId, code, now).catch(async (error: unknown) => {
    await countFailedAttempt(database, caller);
    throw error;
  });
}

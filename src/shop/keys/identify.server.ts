import type { Locale } from "#i18n/locale.ts";
import { normaliseEmail } from "#identity/customer/email.server.ts";
import { shortName } from "#identity/customer/names.server.ts";
import { normalisePhone } from "#identity/customer/phone.server.ts";
import { isoMoment } from "#platform/api/reads.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { amountOf } from "#shop/sales/amounts.server.ts";
import { describeTier, type Member, type ShopVoucher, voucherStateOf } from "#shop/sales/facts.server.ts";
import type { CustomerTokens } from "./customer-token.server.ts";
import { type KeyLimits, readKey, refuseKey } from "./keys.server.ts";

/** How a customer is named: exactly one of these. */
export interface Named {
  CardNumber?: string | undefined;
  VoucherCode?: string | undefined;
  Email?: string | undefined;
  MobilePhone?: string | undefined;
}

interface ShopIdentify {
  outcome: string;
  wait_seconds: number;
  shop_id: number;
  members: Found[] | null;
}

type Found = Member & { vouchers: ShopVoucher[] | null };

/**
 * Finds members for a till, key check and log included in one round trip (db/functions/shop_identify.sql). Vouchers are
 * listed only for a card or a voucher, which the customer holds in hand.
 */
export async function identify(
  parts: { database: Database; limits: KeyLimits; tokens: CustomerTokens },
  request: Request,
  named: Named & { EntryMode?: string | undefined },
  { now, locale }: { now: Date; locale: Locale },
) {
  const { prefix, secretHash } = readKey(request);
  const { limits } = parts;
  const [kind, value] = lookUpOf(named, locale);
  const { rows } = await parts.database.$client.query<ShopIdentify>({
    name: "shop_identify",
    text: "select outcome, wait_seconds, shop_id, members from shop_identify($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    values: [
      ...[prefix, secretHash, limits.calls, limits.misses, limits.byContact],
      ...[kind, value, named.EntryMode ?? null, now.toISOString()],
    ],
  });
  const [row] = rows;
  refuseKey(row?.outcome, row?.wait_seconds);
  if (!row?.members) throw new Refusal("not_found");
  const { shop_id: shopId, members } = row;
  return {
    Customers: await Promise.all(
      members.map(async (member) => ({
        CustomerToken: await parts.tokens.seal(member.id, shopId, now),
        Name: shortName(member.firstname, member.lastname),
        Tier: describeTier(member.tier, locale),
        Points: member.available,
        Debt: member.debt,
        Vouchers: member.vouchers?.map((voucher) => describeVoucher(voucher, now)) ?? [],
      })),
    ),
  };
}

function lookUpOf(named: Named, locale: Locale): [kind: string, value: string] {
  const { CardNumber, VoucherCode, Email, MobilePhone } = named;
  if (CardNumber !== undefined) return ["card", CardNumber];
  if (VoucherCode !== undefined) return ["voucher", VoucherCode.toUpperCase()];
  // What is no address and no number belongs to nobody.
  if (Email !== undefined) return ["email", normaliseEmail(Email) ?? ""];
  return ["phone", normalisePhone(MobilePhone ?? "", locale) ?? ""];
}

function describeVoucher(voucher: ShopVoucher, now: Date) {
  return {
    Code: voucher.code,
    Value: amountOf(voucher.valueCents),
    ExpiresAt: isoMoment(voucher.expiresAt),
    State: voucherStateOf(voucher, now),
  };
}

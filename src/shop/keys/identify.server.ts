import { sql } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import type { Locale } from "#i18n/locale.ts";
import { normaliseEmail } from "#identity/customer/email/email.server.ts";
import { shortName } from "#identity/customer/names.server.ts";
import { normalisePhone } from "#identity/customer/phone.server.ts";
import { maskedCode } from "#loyalty/card/code-alphabet.ts";
import { describePending } from "#loyalty/ledger/ledger.server.ts";
import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import { isoMoment } from "#platform/api/reads.server.ts";
import { refuseUnknownFields } from "#platform/api/request-checks.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal, refuseField } from "#platform/refusal.ts";
import { describeTier, type Member, type ShopVoucher, voucherStateOf } from "#shop/sales/purchase/facts.server.ts";
import { nextRewardOf } from "#shop/sales/purchase/next-reward.server.ts";
import type { CustomerTokens } from "./customer-token.server.ts";
import { identifyStatements, type LookUp } from "./identify-query.server.ts";
import { type CheckedKey, type KeyLimits, keyValues, refuseKey } from "./keys.server.ts";

/** How a customer is named: exactly one of these. */
export interface Named {
  CardNumber?: string | undefined;
  VoucherCode?: string | undefined;
  /** Of a shape that the till does not know. */
  Code?: string | undefined;
  Email?: string | undefined;
  MobilePhone?: string | undefined;
  /** By keys with the scope of its own. */
  Sub?: string | undefined;
}

interface Identified extends CheckedKey {
  members: Found[] | null;
}

type OfMember =
  | "id"
  | "publicId"
  | "firstname"
  | "lastname"
  | "blocked"
  | "available"
  | "debt"
  | "pending"
  | "birthdayToday"
  | "tier";
export type Found = Pick<Member, OfMember> & {
  confirmed: boolean;
  memberSince: string;
  cardNumber: string | null;
  vouchers: ListedVoucher[] | null;
  foundBy: "card" | "voucher" | "email" | "phone";
};
type ListedVoucher = Parameters<typeof voucherStateOf>[0] & Pick<ShopVoucher, "code" | "valueCents">;

export interface IdentifyDependencies {
  database: Database;
  limits: KeyLimits;
  tokens: CustomerTokens;
  findProgramme: FindProgramme;
}

/**
 * Finds members for a till, key check and log included in one round trip (identify-query.server.ts). Vouchers are listed
 * only for a card or a voucher, which the customer holds in hand, and for a customer who is signed in at a web shop.
 */
export async function identify(
  deps: IdentifyDependencies,
  request: Request,
  named: Named & { EntryMode?: string | undefined },
  { unknownFields, now, locale }: { unknownFields: readonly string[]; now: Date; locale: Locale },
) {
  const [by, value] = lookUpOf(named, locale);
  const { text, parameters } = identifyStatements[by];
  const { rows } = await deps.database.pipeline.query<Identified>({
    name: `identify_${by}`,
    text,
    values: parameters({
      ...keyValues(request, by === "sub" ? ["identify", "sub"] : ["identify"], deps.limits, now),
      ...{ value, entryMode: named.EntryMode ?? null },
      ...{ maxFailedAttempts: deps.limits.failedAttempts, maxByContact: deps.limits.byContact },
    }),
  });
  const { shop_id: shopId, api, members } = refuseKey(rows[0], now);
  refuseUnknownFields({ api }, unknownFields);
  if (!members && named.Code !== undefined && (await isReceipt(deps.database, shopId, named.Code))) return aReceipt;
  return describeFound(deps, members, shopId, { now, locale, byCode: named.Code !== undefined });
}

/** A code that names no customer, but a receipt of the shop. */
export const aReceipt = { FoundBy: "receipt" as const, Customers: [] };

async function isReceipt(database: Database, shopId: number, number: string): Promise<boolean> {
  const { rowCount } = await database.execute(
    sql`select from shop_receipt where shop_id = ${shopId} and number = ${number} limit 1`,
  );
  return rowCount === 1;
}

/** The members as a till is told; no one is a refusal, and so is a person whom the back office has blocked. */
export async function describeFound(
  deps: IdentifyDependencies,
  members: Found[] | null,
  shopId: number,
  { now, locale, byCode }: { now: Date; locale: Locale; byCode?: boolean },
) {
  if (!members) throw new Refusal("not_found");
  const open = members.filter(({ blocked }) => !blocked);
  if (open.length === 0) throw new Refusal("card_blocked");
  const { rewards } = await deps.findProgramme(defaultProgrammeId, now);
  const { foundBy } = open[0] ?? {};
  return {
    ...(byCode && (foundBy === "card" || foundBy === "voucher") && { FoundBy: foundBy }),
    Customers: await Promise.all(
      open.map(async (member) => ({
        CustomerToken: await deps.tokens.seal(member.id, shopId, now),
        IdCustomer: member.publicId,
        Name: shortName(member.firstname, member.lastname),
        Confirmed: member.confirmed,
        JoinedMonth: isoMoment(member.memberSince).slice(0, 7),
        CardEnding: member.cardNumber?.slice(-2) ?? null,
        Tier: describeTier(member.tier, locale),
        Points: member.available,
        ...describePending(member.pending),
        Debt: member.debt,
        NextReward: nextRewardOf(rewards, member.available, member.debt),
        // As with vouchers: only to whom the customer has shown a card.
        BirthdayToday: member.vouchers !== null && member.birthdayToday,
        Vouchers: await Promise.all(
          member.vouchers?.map((voucher) => describeVoucher(voucher, deps.tokens, shopId, now)) ?? [],
        ),
      })),
    ),
  };
}

/** How the customer is named; refused unless by exactly one field. */
export function lookUpOf(named: Named, locale: Locale): [by: LookUp, value: string] {
  const { CardNumber, VoucherCode, Code, Email, MobilePhone, Sub } = named;
  const given = [CardNumber, VoucherCode, Code, Email, MobilePhone, Sub].filter((value) => value !== undefined);
  if (given.length === 0) refuseField("CardNumber", "required");
  if (given.length > 1) refuseField("CardNumber", "twice");
  if (Sub !== undefined) return ["sub", Sub];
  if (CardNumber !== undefined) return ["card", CardNumber];
  if (VoucherCode !== undefined) return ["voucher", VoucherCode.toUpperCase()];
  if (Code !== undefined) return ["code", Code.trim()];
  // What is no address and no number belongs to no one.
  if (Email !== undefined) return ["email", normaliseEmail(Email) ?? ""];
  return ["phone", normalisePhone(MobilePhone ?? "", locale) ?? ""];
}

/** Without its code, which is money: the token is good for this shop and for the time of a sale. */
export async function describeVoucher(voucher: ListedVoucher, tokens: CustomerTokens, shopId: number, now: Date) {
  return {
    Code: maskedCode(voucher.code),
    VoucherToken: await tokens.sealVoucher(voucher.code, shopId, now),
    Value: amountOf(voucher.valueCents),
    ExpiresAt: isoMoment(voucher.expiresAt),
    State: voucherStateOf(voucher, now),
  };
}

import { type SQL, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Pending } from "#loyalty/ledger/ledger.server.ts";
import type { LineRule } from "#loyalty/programme/line-rule.ts";
import { defaultProgrammeId, programmeAt } from "#loyalty/programme/programme.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { buildStatement, fillStatement } from "#platform/database/statements.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { CustomerTokens } from "#shop/keys/customer-token.server.ts";
import type { Campaign } from "./basket.server.ts";

/** The tier that a sale is priced with; its name in every language. */
export interface SaleTier {
  id: number;
  name: Record<Locale, string>;
  multiplierHundredths: number;
}

/** What a till may know of a member (db/functions/shop_member.sql), on a sale's day (db/functions/shop_member_at.sql). */
export interface Member {
  id: number;
  /** By which the club's events and the sign-in of web shops name the customer. */
  publicId: string;
  firstname: string;
  lastname: string;
  language: Locale;
  /** By the back office: tills refuse their card and their vouchers. */
  blocked: boolean;
  programmeId: number;
  available: number;
  debt: number;
  pending: Pending;
  birthdayToday: boolean;
  pointsPerEuro: number;
  /** When points of the sale arrive. */
  arrivesAt: string;
  /** Which sales are reviewed: over this amount, or after so many in a day. */
  reviewAmountCents: number;
  reviewPerDay: number;
  tier: SaleTier;
}

/** A voucher as a till sees it (db/functions/shop_vouchers.sql). */
export interface ShopVoucher {
  code: string;
  customerId: number;
  valueCents: number;
  minimumCents: number;
  /** Which lines it may pay, by the version it was obtained under. */
  usableOn: LineRule | null;
  obtainedAt: string;
  expiresAt: string;
  usedAt: string | null;
  cancelled: boolean;
  /** Only the receipt that holds it now may still use it. */
  toCancel: boolean;
  erased: boolean;
  /** Its owner is blocked. */
  blocked: boolean;
  /** Its owner has not confirmed their email address. */
  unconfirmed: boolean;
  hold: { shopId: number; number: string | null; reference: string | null; heldAt: string; until: string } | null;
}

export interface SaleFacts {
  /** Anyone who the card, the token or the vouchers name, member or not. */
  namedId: number | null;
  /** The language of the person who is named, for emails. */
  language: Locale | null;
  member: Member | null;
  /** The customer has bought nothing before, sales that were voided aside. */
  isFirst: boolean;
  salesThatDay: number;
  vouchers: ShopVoucher[];
  /**
   * Those that count for this member in this shop at the time of the sale, with what is left of their limits, which no other
   * sale can take meanwhile (db/functions/shop_sale_campaigns.sql, then db/functions/loyalty_campaigns.sql).
   */
  campaigns: SaleCampaign[];
  /** Which lines earn, by the version in force at the time of the sale. */
  earnsOn: LineRule | null;
}

export type SaleCampaign = Campaign & { name: Record<Locale, string> };

/** How a sale names its customer: by card, by token or by the subject of a sign-in at a web shop, or not at all. */
export interface CustomerNamed {
  CardNumber?: string | undefined;
  CustomerToken?: string | undefined;
  Sub?: string | undefined;
}

/** Whether a customer is named; vouchers may name one too. */
export const namesCustomer = ({ CardNumber, CustomerToken, Sub }: CustomerNamed): boolean =>
  (CardNumber ?? CustomerToken ?? Sub) !== undefined;

/** By what a sale names its customer, in this order. */
interface Names {
  customerId: number | undefined;
  cardNumber: string | undefined;
  codes: readonly string[];
}

/**
 * The customer of the sale that an exchange gives back or a correction voids, and whom it names, in one order: of two that
 * cross two customers, one waits for the other. An account that was merged is its survivor's (db/functions/customer_survivor.sql).
 */
export async function lockCustomers(tx: Queries, originalId: number, names: Names): Promise<void> {
  const { customerId = null, cardNumber = null, codes } = names;
  await tx.execute(sql`
    select from customer where id in (
      customer_survivor(${originalId}::bigint),
      coalesce(
        customer_survivor(${customerId}::bigint),
        (select customer_id from loyalty_card where number = ${cardNumber}::text),
        (select c.customer_id from loyalty_voucher_code c where c.code = any (${sql.param(codes)}::text[])
         order by array_position(${sql.param(codes)}::text[], c.code) limit 1)))
    order by id for no key update`);
}

/** The rule about lines that earn, of the version in force at a moment (db/functions/loyalty_programme_at.sql). */
export const earnsOnAt = (moment: Date | SQL) =>
  sql<LineRule | null>`(select p.earns_on from ${programmeAt(defaultProgrammeId, moment)} p)`;

interface FactsRow extends Pick<SaleFacts, "campaigns" | "earnsOn"> {
  facts: Omit<SaleFacts, "campaigns" | "earnsOn">;
}

interface Sale extends Names {
  shopId: number;
  soldAt: Date;
  /** Absent: from when it was sold. */
  pendingFrom?: Date | null | undefined;
  now: Date;
  locks: boolean;
}

const given = (name: keyof Sale) => sql.placeholder(name);
const soldAtGiven = sql`${given("soldAt")}::timestamptz`;
const factsStatement = buildStatement<Record<keyof Sale, unknown>>(sql`
  select facts, shop_sale_campaigns((facts #>> '{member,id}')::bigint, (facts #>> '{member,tier,id}')::integer,
      ${given("shopId")}, ${soldAtGiven}, ${given("locks")}) as campaigns,
    ${earnsOnAt(soldAtGiven)} as "earnsOn"
  from shop_sale_facts(${given("cardNumber")}, ${given("customerId")}, ${given("codes")},
    ${soldAtGiven}, ${given("pendingFrom")}, ${given("now")}, ${given("locks")}) facts`);

/**
 * Reads what a sale depends on, in one round trip (db/functions/shop_sale_facts.sql). Voided sales do not count
 * (db/functions/shop_sale_voided.sql).
 */
export async function readSaleFacts(queries: Queries, sale: Sale): Promise<SaleFacts> {
  const pendingFrom = sale.pendingFrom ?? sale.soldAt;
  const statement = fillStatement("shop_sale_facts", factsStatement, { ...sale, pendingFrom });
  const { rows } = await queries.$client.query<FactsRow>(statement);
  const [row] = rows;
  if (!row) throw new Error("shop_sale_facts returned no row.");
  const facts = { ...row.facts, campaigns: row.campaigns, earnsOn: row.earnsOn };
  // The sale of a blocked card is kept, as that of an unknown one is: a refusal would lose a sale made without a network.
  return facts.member?.blocked ? { ...facts, member: null } : facts;
}

/**
 * The customer that a token names, or a subject (db/functions/customer_of_subject.sql), by which a web shop knows its
 * signed-in customer. The sale of one who was erased is kept, without a customer.
 */
export async function openToken(
  queries: Queries,
  tokens: CustomerTokens,
  { CustomerToken, Sub }: CustomerNamed,
  shopId: number,
  now: Date,
): Promise<number | undefined> {
  if (Sub !== undefined) {
    const { rows } = await queries.execute<{ id: string | null }>(sql`select customer_of_subject(${Sub}::uuid) as id`);
    return rows[0]?.id ? Number(rows[0].id) : undefined;
  }
  if (CustomerToken === undefined) return undefined;
  const customerId = await tokens.open(CustomerToken, shopId, now);
  if (customerId === undefined) throw new Refusal("invalid", { errors: [{ field: "CustomerToken", code: "invalid" }] });
  return customerId;
}

export function describeTier(tier: SaleTier, locale: Locale) {
  return { IdLoyaltyTier: tier.id, Name: tier.name[locale], Multiplier: tier.multiplierHundredths / 100 };
}

export function voucherStateOf(
  voucher: Pick<ShopVoucher, "usedAt" | "cancelled" | "erased" | "expiresAt"> & {
    hold: { until: string | null } | null;
  },
  now: Date,
): "available" | "held" | "used" | "cancelled" | "expired" {
  if (voucher.usedAt) return "used";
  if (voucher.cancelled) return "cancelled";
  if (voucher.erased || new Date(voucher.expiresAt) <= now) return "expired";
  return voucher.hold?.until && new Date(voucher.hold.until) > now ? "held" : "available";
}

/** What a voucher is held for: a receipt, or a reference that a receipt names. */
export interface Holder {
  shopId: number;
  number?: string | undefined;
  reference?: string | undefined;
}

export function isOwnHold(hold: ShopVoucher["hold"], holder: Holder | undefined): boolean {
  if (!hold || hold.shopId !== holder?.shopId) return false;
  return hold.reference === null ? hold.number === holder.number : hold.reference === holder.reference;
}

/** A receipt, by its natural key. */
export interface ReceiptKey {
  shopId: number;
  number: string;
}

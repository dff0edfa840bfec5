import { sql } from "drizzle-orm";
import { z } from "zod";
import { centsOf } from "#brand/amounts.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import { fieldTypes } from "#platform/api/endpoint.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import type { CreateLimit, Limit, Outcome } from "#platform/limits/limits.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { countFailedAttempt, type KeyLimits, refuseGuessing } from "#shop/keys/keys.server.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";

/** The fields that prove that a receipt of another shop is at hand: of a return, and inside ReturnOf. */
export const proofFields = {
  OriginalClaimCode: fieldTypes.text(32).optional().describe("Of another shop's receipt: the code printed on it"),
  OriginalAmount: fieldTypes
    .amount()
    .optional()
    .describe("Of another shop's receipt, with OriginalDay: what was paid on all lines"),
  OriginalDay: fieldTypes
    .date()
    .optional()
    .describe("Of another shop's receipt: the day of the sale, in the club's time zone"),
  CardNumber: fieldTypes
    .text(64)
    .optional()
    .describe("Of another shop's receipt, with EntryMode scanned: the card of the customer who bought"),
  EntryMode: z
    .enum(["scanned", "typed"], { error: () => "invalid" })
    .optional()
    .describe("How the card was read; a typed one proves nothing"),
};

type ProofFields = z.output<z.ZodObject<typeof proofFields>>;

/** What a call sends as proof. It is part of the content of a return. */
export interface ReceiptProof {
  claimCode: string | undefined;
  cents: number | undefined;
  day: string | undefined;
  cardNumber: string | undefined;
  entryMode: "scanned" | "typed" | undefined;
}

/** Undefined where none of the fields is sent: the content of a return is then what it was before there were proofs. */
export function proofOf(fields: ProofFields): ReceiptProof | undefined {
  const { OriginalClaimCode, OriginalAmount, OriginalDay, CardNumber, EntryMode } = fields;
  if ([OriginalClaimCode, OriginalAmount, OriginalDay, CardNumber, EntryMode].every((one) => one === undefined))
    return undefined;
  return {
    claimCode: OriginalClaimCode?.toUpperCase(),
    cents: OriginalAmount === undefined ? undefined : centsOf(OriginalAmount),
    day: OriginalDay,
    cardNumber: CardNumber,
    entryMode: EntryMode,
  };
}

/**
 * Whether there is such a sale and one of the proofs is right: its claim code, its amount and day, or its customer's card.
 * Of a sale that was amended the customer has the first receipt, or one with all that was added.
 */
export async function isProved(
  queries: Queries,
  { shopId, number }: ReceiptKey,
  proof: ReceiptProof | undefined,
): Promise<boolean> {
  const { claimCode = null, cents = null, day = null } = proof ?? {};
  const cardNumber = proof?.entryMode === "scanned" ? (proof.cardNumber ?? null) : null;
  const { rowCount } = await queries.execute(sql`
    select from shop_sale s
    where s.shop_id = ${shopId} and s.number = ${number} and (
      s.claim_code = ${claimCode}::text
      or club_day(s.sold_at) = ${day}::date and ${cents}::integer in (
        (select sum((line ->> 'paidCents')::integer) from jsonb_array_elements(s.lines) line),
        (select sum((line ->> 'paidCents')::integer)
          from shop_sale part cross join jsonb_array_elements(part.lines) line
          where part.shop_id = s.shop_id and (part.number = s.number or part.amends = s.number)))
      or exists (
        select from loyalty_card c where c.number = ${cardNumber}::text and c.replaced_at is null
          and customer_survivor(c.customer_id) = customer_survivor(s.customer_id)))`);
  return (rowCount ?? 0) > 0;
}

/** Wrong tries on receipts of other shops: of one receipt in a day by one key or person, of one person in a minute. */
export const createReceiptLimits = (createLimit: CreateLimit) => ({
  byReceipt: createLimit("receipt-proof", { points: 10, seconds: 24 * 3_600 }),
  byPerson: createLimit("receipt-proof-office", { points: 30, seconds: 60 }),
});
export type ReceiptLimits = Record<keyof ReturnType<typeof createReceiptLimits>, Limit>;

const isWrongTry = (outcome: Outcome<unknown>) => "refusal" in outcome && outcome.refusal.code === "receipt_not_found";

const tried = (who: string, { shopId, number }: ReceiptKey) => `${who}:${shopId}:${number}`;

/**
 * Runs what names a receipt, and counts a wrong try on one of another shop: by key and minute as an unknown code is, and by
 * receipt and day. Unknown receipts count alike, so that a limit tells nothing about a receipt.
 */
export async function countReceiptGuesses<T>(
  deps: { database: Database; limits: KeyLimits; receiptLimits: ReceiptLimits },
  caller: KeyCaller,
  receipt: ReceiptKey | undefined,
  now: Date,
  work: () => Promise<T>,
): Promise<T> {
  if (!receipt || receipt.shopId === caller.shopId) return work();
  refuseGuessing(caller, deps.limits, now);
  try {
    return await deps.receiptLimits.byReceipt.attempt(tried(caller.prefix, receipt), isWrongTry, work);
  } catch (error) {
    if (error instanceof Refusal && error.code === "receipt_not_found") await countFailedAttempt(deps.database, caller);
    throw error;
  }
}

/** The same for a person in the back office. */
export function countOfficeGuesses<T>(
  { byReceipt, byPerson }: ReceiptLimits,
  staffId: number,
  receipt: ReceiptKey,
  work: () => Promise<T>,
): Promise<T> {
  const who = `staff-${staffId}`;
  return byPerson.attempt(who, isWrongTry, () => byReceipt.attempt(tried(who, receipt), isWrongTry, work));
}

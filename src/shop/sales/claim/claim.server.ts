import { and, eq, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import { centsOf } from "#brand/amounts.ts";
import { describePending } from "#loyalty/ledger/ledger.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import type { Limit, Outcome } from "#platform/limits/limits.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { ruleOfAddition, type SaleRow } from "#shop/sales/amend/amend.server.ts";
import { findAdditions } from "#shop/sales/amend/amended-sale.server.ts";
import type { claimAnswer } from "#shop/sales/answers.server.ts";
import type { ShopDependencies } from "#shop/sales/dependencies.server.ts";
import { linesLeft, type PricedLine } from "#shop/sales/purchase/basket.server.ts";
import { creditSale } from "#shop/sales/purchase/credit-sale.server.ts";
import { type ReceiptKey, readSaleFacts } from "#shop/sales/purchase/facts.server.ts";
import { amountsByLine, lockSale } from "#shop/sales/return/take-back.server.ts";
import { sales } from "#shop/sales/sales.tables.server.ts";
import { isNewStaffSale } from "#staff/own-card.server.ts";

/** Wrong tries by details on one receipt before it can only be claimed by its code, which no one guesses. */
const maxFailedAttempts = 10;

export interface Claim {
  ClaimCode?: string | undefined;
  IdShop?: number | undefined;
  ReceiptNumber?: string | undefined;
  Day?: string | undefined;
  Amount?: string | undefined;
}

/**
 * Points for a receipt that named no customer, for what is left of it after returns. Whatever is wrong about a claim gets one
 * refusal: it does not tell which receipts exist. Only the customer who has a receipt already is told so.
 */
export async function claimReceipt(
  deps: ShopDependencies & { claimLimit: Limit },
  customerId: number,
  claim: Claim,
  now: Date,
) {
  const { database } = deps;
  // First: anyone who is outside the club is told so of every receipt, whether it exists or not.
  if (!(await isMember(database, customerId))) throw new Refusal("not_a_member");
  return deps.claimLimit.attempt(String(customerId), countGuesses, async () => {
    const receipt = await findReceipt(database, claim);
    if (!receipt) throw new Refusal("not_found");
    const byDetails = claim.ClaimCode === undefined;
    return database.transaction((tx) => credit(tx, deps, customerId, { ...receipt, byDetails }, { now }));
  });
}

/** A receipt of one's own that is sent again is no guess. */
const countGuesses = (outcome: Outcome<unknown>) => "refusal" in outcome && outcome.refusal.code !== "receipt_yours";

type Answer = z.input<typeof claimAnswer>;

interface Context {
  now: Date;
  /** How many points need no review, once the customer is locked; absent: any number. */
  mostPoints?: () => Promise<number>;
  /** Of what an amendment added: the sale as it was claimed, and what is left of all that came before. */
  amends?: { row: SaleRow; lines: PricedLine[]; salesThatDay: number };
}

/** Staff attach a receipt to a customer: the same rule as a claim by its code. */
export const attachSale = (
  tx: Queries,
  publicUrl: string,
  customerId: number,
  receipt: ReceiptKey,
  context: Pick<Context, "now"> & Required<Pick<Context, "mostPoints">>,
) => credit(tx, { publicUrl }, customerId, { ...receipt, byDetails: false }, context);

async function credit(
  tx: Queries,
  deps: Pick<ShopDependencies, "publicUrl">,
  customerId: number,
  { byDetails, ...receipt }: ReceiptKey & { byDetails: boolean },
  context: Context,
): Promise<Answer> {
  const { now, amends } = context;
  const original = await lockSale(tx, receipt);
  const open = and(
    eq(sales.shopId, receipt.shopId),
    eq(sales.number, receipt.number),
    isNull(sales.customerId),
    isNull(sales.claimedAt),
    byDetails ? sql`${sales.claimFailedAttempts} < ${maxFailedAttempts}` : undefined,
  );
  const [sale] = await tx.select().from(sales).where(open);
  if (original?.customerId === customerId) throw new Refusal("receipt_yours");
  if (!original || !sale) throw new Refusal("not_found");
  // Who sold it to no one, or sent it from a till's queue, must not have its points for themselves.
  const { rowCount } = await tx.execute(sql`
    select from staff p where staff_owns(p.id, ${customerId}) and (p.id = ${sale.staffId} or exists (
      select from audit_log l where l.staff_id = p.id and l.action = 'purchase' and l.shop_id = ${sale.shopId}
        and l.after ->> 'receipt' = ${sale.number}))`);
  if (rowCount) throw new Refusal("own_card");
  const { member, campaigns, ...facts } = await readSaleFacts(tx, {
    customerId,
    cardNumber: undefined,
    codes: [],
    shopId: sale.shopId,
    soldAt: sale.soldAt,
    pendingFrom: sale.pendingFrom,
    now,
    locks: true,
  });
  if (!member) throw new Refusal("not_a_member");
  const lines = linesLeft(sale.lines, amountsByLine(original.returned));
  const shop = await shopName(tx, sale.shopId);
  const flagged =
    amends?.row.waitingReason === "staff" || (await isNewStaffSale(tx, [sale.staffId], customerId, sale.soldAt));
  const mostPoints = await context.mostPoints?.();
  // An addition counts with the sale, as one order: by its rule, on its day, and together it may be large.
  const salesThatDay = amends?.salesThatDay ?? facts.salesThatDay;
  const additionRule = amends && (await ruleOfAddition(tx, amends.row, sale.lines));
  const amended = additionRule ? { rule: additionRule, lines: [...amends.lines, ...lines] } : undefined;
  const judged = { lines, salesThatDay, flagged, mostPoints, amended };
  const claimed = { ...receipt, shopName: shop, soldAt: sale.soldAt, campaigns, ...judged };
  const credited = await creditSale(tx, member, claimed, { ...deps, now });
  const {
    rule,
    waiting,
    waitingPoints,
    waitingReason,
    earned,
    campaignPoints,
    available,
    debt,
    pending,
    arrivesAt,
    entryId,
  } = credited;
  // The numbers of the till's answer stay as they were given.
  const written = await tx
    .update(sales)
    .set({
      customerId: member.id,
      ...rule,
      campaignPoints,
      waiting,
      waitingPoints,
      waitingReason,
      arrivesAt,
      entryId,
      claimedAt: now,
    })
    .where(open);
  // A package of the former club has replaced it meanwhile.
  if (!written.rowCount) throw new Refusal("not_found");
  let answer: Answer = {
    Points: {
      Earned: earned,
      Available: available,
      ...describePending(pending),
      ArrivesAt: arrivesAt?.toISOString() ?? null,
      Debt: debt,
    },
    ...(waiting && {
      ...{ Waiting: true as const, WaitingPoints: waitingPoints },
      ...(waitingReason && { WaitingReason: waitingReason }),
    }),
  };
  // What amendments have added to it.
  const row = { ...sale, ...rule, waitingReason };
  let before = lines;
  for (const addition of await findAdditions(tx, receipt)) {
    const key = { shopId: receipt.shopId, number: addition.number, byDetails: false };
    const left = async () => (mostPoints ?? 0) - answer.Points.Earned;
    const more = await credit(tx, deps, customerId, key, {
      now,
      amends: { row, lines: before, salesThatDay },
      ...(mostPoints !== undefined && { mostPoints: left }),
    });
    before = [...before, ...linesLeft(addition.lines, amountsByLine(addition.returned))];
    const WaitingPoints = (answer.WaitingPoints ?? 0) + (more.WaitingPoints ?? 0);
    answer = {
      ...{ ...more, ...answer },
      ...(WaitingPoints > 0 && { WaitingPoints }),
      Points: { ...more.Points, Earned: answer.Points.Earned + more.Points.Earned },
    };
  }
  return answer;
}

async function isMember(queries: Queries, customerId: number): Promise<boolean> {
  const { rowCount } = await queries.execute(
    sql`select from loyalty_account where customer_id = ${customerId} and state = 'active'`,
  );
  return (rowCount ?? 0) > 0;
}

async function shopName(tx: Queries, shopId: number): Promise<string> {
  const { rows } = await tx.execute<{ name: string }>(sql`select name from shop where id = ${shopId}`);
  return rows[0]?.name ?? "";
}

/** The receipt that the code or the details name. Details that do not fit count as a wrong try on that receipt. */
async function findReceipt(queries: Queries, claim: Claim): Promise<ReceiptKey | undefined> {
  const key = { shopId: sales.shopId, number: sales.number };
  if (claim.ClaimCode !== undefined) {
    const [found] = await queries.select(key).from(sales).where(eq(sales.claimCode, claim.ClaimCode.toUpperCase()));
    return found;
  }
  const { IdShop, ReceiptNumber, Day, Amount } = claim;
  if (IdShop === undefined || ReceiptNumber === undefined || Day === undefined || Amount === undefined)
    return undefined;
  const named = and(eq(sales.shopId, IdShop), eq(sales.number, ReceiptNumber));
  const [found] = await queries
    .select({
      ...key,
      // Of an order that was edited the customer has the first receipt, or one with all that was added.
      fits: sql<boolean>`club_day(${sales.soldAt}) = ${Day}::date and ${centsOf(Amount)}::integer in (
        (select sum((line ->> 'paidCents')::integer) from jsonb_array_elements(${sales.lines}) line),
        (select sum((line ->> 'paidCents')::integer)
          from shop_sale part cross join jsonb_array_elements(part.lines) line
          where part.shop_id = ${IdShop} and (part.number = ${ReceiptNumber} or part.amends = ${ReceiptNumber})))`,
    })
    .from(sales)
    .where(named);
  if (found?.fits) return found;
  if (found)
    await queries
      .update(sales)
      .set({ claimFailedAttempts: sql`${sales.claimFailedAttempts} + 1` })
      .where(named);
  return undefined;
}

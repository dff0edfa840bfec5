import { and, desc, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { amountOf } from "#brand/amounts.ts";
import { campaigns } from "#loyalty/ledger/campaign.tables.server.ts";
import { describePending, readBalance } from "#loyalty/ledger/ledger.server.ts";
import type { LineRule } from "#loyalty/programme/line-rule.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal, refuseField } from "#platform/refusal.ts";
import type { amendAnswer } from "#shop/sales/answers.server.ts";
import { inSale, type ShopDependencies } from "#shop/sales/dependencies.server.ts";
import {
  type BasketLine,
  campaignLinesOf,
  decideEarning,
  type EarningRule,
  earnsAsSent,
  frozenRule,
  linesLeft,
  type PricedLine,
} from "#shop/sales/purchase/basket.server.ts";
import { creditedColumns, creditSale } from "#shop/sales/purchase/credit-sale.server.ts";
import { earnsOnAt, readSaleFacts } from "#shop/sales/purchase/facts.server.ts";
import type { Goods } from "#shop/sales/purchase/pricing.server.ts";
import { openReceipt } from "#shop/sales/receipts.server.ts";
import { describeReturn } from "#shop/sales/return/return-rows.server.ts";
import { giveBack } from "#shop/sales/return/returns.server.ts";
import { amountsByLine, type OriginalSale } from "#shop/sales/return/take-back.server.ts";
import { amendments, type Refund, sales } from "#shop/sales/sales.tables.server.ts";
import { findAdditions, findFirst, partNumber, wholeOf } from "./amended-sale.server.ts";

export interface Amendment {
  receiptNumber: string;
  amendNumber: number;
  goods: Goods;
}

type Answer = z.input<typeof amendAnswer>;
export type SaleRow = Omit<typeof sales.$inferSelect, "writtenIn">;

/**
 * An order that was edited: what was added is a sale under the number of the first one, by the rule frozen with it and
 * pending from now; what was taken out is given back. Added first, so that no debt appears for a moment.
 */
export async function amendPurchase(
  deps: ShopDependencies,
  caller: KeyCaller,
  { receiptNumber: number, amendNumber, goods }: Amendment,
  now: Date,
): Promise<Answer> {
  const { shopId } = caller;
  return inSale(deps, caller, async (tx) => {
    const { sale, row } = await findFirst(tx, { shopId, number });
    const own = { shopId, number: partNumber(number, amendNumber) };
    const { repeated } = await openReceipt(tx, own, ["amend", goods], now);
    const [last] = await tx
      .select()
      .from(amendments)
      .where(
        and(
          eq(amendments.shopId, shopId),
          eq(amendments.number, number),
          repeated ? eq(amendments.amendNumber, amendNumber) : undefined,
        ),
      )
      .orderBy(desc(amendments.amendNumber))
      .limit(1);
    if (repeated && last) return last.answer as Answer;
    if (amendNumber !== (last?.amendNumber ?? 0) + 1) throw new Refusal("amendment_missing");

    const additions = await findAdditions(tx, sale);
    const whole = wholeOf(sale, additions);
    const { added, refunds } = changesOf(whole, [sale, ...additions], goods, await earnsOnOf(tx, row));
    const addition =
      added.length > 0 ? await sellAddition(tx, deps, caller, { row, whole, added, own }, now) : undefined;
    const back =
      refunds.length > 0
        ? await giveBack(
            tx,
            deps,
            caller,
            sale,
            { ...own, kind: "amend", asked: { lines: refunds }, returnedAt: now },
            now,
            own.number,
          )
        : undefined;
    const { Refunds = [], ReissuedVouchers = [], CancelledVouchers = [], Points } = back ? describeReturn(back) : {};
    const balance = row.customerId ? await readBalance(tx, row.customerId, now) : undefined;
    const answer: Answer = {
      Points: {
        Earned: addition?.earned ?? 0,
        Taken: Points?.Taken ?? 0,
        Available: balance?.balance ?? 0,
        ...describePending(balance?.pending ?? null),
        ArrivesAt: addition?.arrivesAt?.toISOString() ?? null,
        Debt: balance?.debt ?? 0,
      },
      Added: added.map(({ line, cents }) => ({ Line: line, Amount: amountOf(cents) })),
      ...{ Refunds, ReissuedVouchers, CancelledVouchers },
      ...(addition?.waiting && {
        ...{ Waiting: true as const, WaitingPoints: addition.waitingPoints },
        ...(addition.waitingReason && { WaitingReason: addition.waitingReason }),
      }),
    };
    await tx.insert(amendments).values({ shopId, number, amendNumber, amendedAt: now, answer });
    return answer;
  });
}

/**
 * What the new lines add and take out, compared with what is left of the sale. Amounts are prices before vouchers: of a line
 * that a voucher lowered, a lower price gives back its part of what was paid.
 */
function changesOf(whole: OriginalSale, parts: readonly OriginalSale[], goods: Goods, earnsOn: LineRule | null) {
  const returned = amountsByLine(whole.returned);
  const left = linesLeft(whole.lines, returned);
  if (whole.lines.every(({ line, paidCents }) => returned.get(line) === paidCents))
    throw new Refusal("more_than_bought");
  const added: PricedLine[] = [];
  const refunds: Refund[] = [];
  for (const sent of goods.lines) {
    const known = left.find(({ line }) => line === sent.line);
    if (known && !isSameLine(known, sent)) refuseField("Lines", "invalid");
    const more = sent.cents - priceLeft(parts, sent.line);
    // More of a line earns as the line does: what was decided about it stays.
    const [line] = known ? [known] : decideEarning<Omit<PricedLine, "shareCents" | "paidCents">>([sent], earnsOn);
    if (line && more > 0) added.push({ ...line, cents: more, shareCents: 0, paidCents: more });
  }
  for (const known of left) {
    if (returned.get(known.line) === known.cents - known.shareCents) continue;
    const price = priceLeft(parts, known.line);
    const now = goods.lines.find(({ line }) => line === known.line)?.cents ?? 0;
    if (now >= price && (now > 0 || price > 0)) continue;
    const kept = price === 0 ? 0 : Math.ceil((known.paidCents * now) / price);
    const taken = { line: known.line, cents: known.paidCents - kept };
    if (now === 0 || taken.cents > 0) refunds.push(taken);
  }
  return { added, refunds };
}

/** What an amendment says about a line of the sale must be what the sale said; price type and codes may be left out. */
function isSameLine(known: PricedLine, sent: BasketLine): boolean {
  const { priceType = "full", codes = [] } = known;
  const sameCodes = !sent.codes || codes.toSorted().join() === sent.codes.toSorted().join();
  return earnsAsSent(known) === sent.earns && (sent.priceType ?? priceType) === priceType && sameCodes;
}

/** Which lines earn, by the version at the time of the sale. */
async function earnsOnOf(tx: Queries, { soldAt }: SaleRow): Promise<LineRule | null> {
  const { rows } = await tx.execute<{ rule: LineRule | null }>(sql`select ${earnsOnAt(soldAt)} as rule`);
  return rows[0]?.rule ?? null;
}

/** The price before vouchers of what is left of a line. What was given back before the line was added again counts no more. */
function priceLeft(parts: readonly OriginalSale[], line: string): number {
  const sold = parts.flatMap(({ lines, returned }) =>
    lines
      .filter((one) => one.line === line)
      .map(({ cents, paidCents: paid }) => ({ cents, paid, returned: amountsByLine(returned).get(line) })),
  );
  const first = sold.findIndex(({ paid, returned }) => returned !== paid);
  if (first < 0) return 0;
  const kept = sold.slice(first);
  const sum = (of: (one: (typeof sold)[number]) => number) => kept.reduce((total, one) => total + of(one), 0);
  const [cents, paid, returned] = [sum((one) => one.cents), sum((one) => one.paid), sum((one) => one.returned ?? 0)];
  return paid === 0 ? cents : Math.round((cents * (paid - returned)) / paid);
}

/** Writes and credits what was added. */
async function sellAddition(
  tx: Queries,
  deps: ShopDependencies,
  caller: KeyCaller,
  {
    row,
    whole,
    added,
    own,
  }: { row: SaleRow; whole: OriginalSale; added: PricedLine[]; own: { shopId: number; number: string } },
  now: Date,
) {
  const { member } = await readSaleFacts(tx, {
    ...{ customerId: row.customerId ?? undefined, cardNumber: undefined, codes: [], shopId: own.shopId },
    ...{ soldAt: now, pendingFrom: now, now, locks: true },
  });
  const rule = await ruleOfAddition(tx, row, added);
  const credited =
    member && rule
      ? await creditSale(
          tx,
          member,
          {
            ...{ ...own, shopName: caller.shopName, soldAt: now, lines: added, campaigns: [] },
            // What is added to a sale that waits for a person waits as well.
            salesThatDay: row.waitingReason === "many_sales" ? member.reviewPerDay : 0,
            flagged: row.waitingReason === "staff",
            amended: { rule, lines: [...linesLeft(whole.lines, amountsByLine(whole.returned)), ...added] },
          },
          { publicUrl: deps.publicUrl, now },
        )
      : undefined;
  const addition: SaleRow = {
    ...row,
    ...own,
    // Two accounts may have become one since the row was read.
    customerId: member?.id ?? row.customerId,
    ...{ keyPrefix: caller.prefix, soldAt: now, pendingFrom: now, inFuture: false, whole: false, lines: added },
    ...{ vouchers: [], lostVouchers: [], amends: row.number, claimCode: null, claimFailedAttempts: 0, repeats: false },
    // Sold here, also where the sale itself is one of a former club.
    formerSource: null,
    ...creditedColumns(credited),
  };
  await tx.insert(sales).values(addition);
  return addition;
}

/**
 * The rule by which lines earn that were added to a sale. Points that a campaign added to the sale were added once; a
 * multiplier counts for what is added too. A campaign whose points are limited has given this sale what it had for it.
 */
export async function ruleOfAddition(tx: Queries, row: SaleRow, added: PricedLine[]): Promise<EarningRule | null> {
  const frozen = frozenRule(row);
  if (!frozen) return null;
  const multiplies = frozen.campaignMultiplierHundredths && typeof frozen.campaignCapPoints !== "number";
  return {
    ...frozen,
    ...{ campaignExtraPoints: null, campaignMinimumCents: null, campaignCapPoints: null },
    ...(!multiplies && { campaignId: null, campaignMultiplierHundredths: null }),
    campaignLines: await addedCampaignLines(tx, row, added),
  };
}

/** Of a campaign that is about some lines: more of a line counts as the line did, and a new one by the campaign's rule. */
async function addedCampaignLines(tx: Queries, { campaignId, campaignLines, lines }: SaleRow, added: PricedLine[]) {
  if (!campaignId || !campaignLines) return null;
  const [campaign] = await tx
    .select({ lineRule: campaigns.lineRule })
    .from(campaigns)
    .where(eq(campaigns.id, campaignId));
  const unknown = added.filter(({ line }) => !lines.some((one) => one.line === line));
  return [...campaignLines, ...campaignLinesOf(unknown, campaign?.lineRule ?? {})];
}

import { and, eq, inArray, sql } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import type { Locale } from "#i18n/locale.ts";
import { shortName } from "#identity/customer/names.server.ts";
import type { StaffCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { describeFound, type Found } from "#shop/keys/identify.server.ts";
import { countFailedAttempt, refuseGuessing } from "#shop/keys/keys.server.ts";
import { findAdditions, wholeOf } from "#shop/sales/amend/amended-sale.server.ts";
import { auditSale } from "#shop/sales/at-till.server.ts";
import { earnsAsSent, type PricedLine } from "#shop/sales/purchase/basket.server.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";
import { describeLines } from "#shop/sales/purchase/pricing.server.ts";
import { countReceiptGuesses, isProved, type ReceiptProof } from "#shop/sales/return/receipt-proof.server.ts";
import { previewReturn } from "#shop/sales/return/returns.server.ts";
import { amountsByLine, lockSale } from "#shop/sales/return/take-back.server.ts";
import { type Asked, sales } from "#shop/sales/sales.tables.server.ts";
import type { SellingDependencies } from "#shop/sales/selling.server.ts";

interface AskedReceipt {
  ReceiptNumber?: string | undefined;
  IdShop?: number | undefined;
  ClaimCode?: string | undefined;
  proof?: ReceiptProof | undefined;
}

interface Context {
  now: Date;
  locale: Locale;
}

/** Ends a transaction that must leave nothing, and carries out what was found in it. */
class RolledBack<T> extends Error {
  readonly value: T;

  constructor(value: T) {
    super("rolled back");
    this.value = value;
  }
}

/**
 * A sale as a till may show it. What a return would do is found by doing it, in a transaction that is rolled back: so the
 * preview cannot differ from the return. Unknown receipts count as guesses, and so do those of other shops without proof.
 */
export async function readReceipt(
  deps: SellingDependencies,
  caller: StaffCaller,
  named: AskedReceipt,
  asked: Asked,
  context: Context,
) {
  const { ReceiptNumber: number, IdShop: shopId = caller.shopId } = named;
  const receipt = number === undefined ? undefined : { shopId, number };
  return countReceiptGuesses(deps, caller, receipt, context.now, () => readProved(deps, caller, named, asked, context));
}

async function readProved(
  deps: SellingDependencies,
  caller: StaffCaller,
  named: AskedReceipt,
  asked: Asked,
  context: Context,
) {
  const { now } = context;
  const { database } = deps;
  refuseGuessing(caller, deps.limits, now);
  try {
    return await database.transaction(async (tx): Promise<never> => {
      const receipt = await findReceipt(tx, caller, named);
      throw new RolledBack(receipt && (await describeReceipt(tx, deps, caller, { receipt, asked, now })));
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
    const { value } = error as RolledBack<Awaited<ReturnType<typeof describeReceipt>>>;
    if (value) {
      const { answer, customerId } = value;
      if (customerId !== null) await logLookUp(deps, caller, { customerId, answer }, now);
      return { ...answer, Member: await readMember(deps, caller, customerId, context) };
    }
    // One of another shop is counted already.
    if ((named.IdShop ?? caller.shopId) === caller.shopId) await countFailedAttempt(database, caller);
    throw new Refusal("receipt_not_found");
  }
}

/** Choosing lines reads a receipt again and again: for so long it is one look-up. */
const lookUpMs = 15 * 60_000;

/** Receipt numbers follow one another, so whose they are is logged, and limited as a look-up by address is. */
async function logLookUp(
  { database, limits }: SellingDependencies,
  caller: StaffCaller,
  { customerId, answer }: { customerId: number; answer: { IdShop: number; ReceiptNumber: string } },
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - lookUpMs).toISOString();
  const { rowCount } = await database.execute(sql`
    select from audit_log where customer_id = ${customerId} and staff_id = ${caller.staff.id}
      and key_prefix = ${caller.prefix} and action = 'receipt_read' and at > ${since}::timestamptz limit 1`);
  if (rowCount) return;
  await database.transaction(async (tx) => {
    const { rows } = await tx.execute<{ by_contact: number }>(
      sql`update shop_key_use set by_contact = by_contact + 1 where prefix = ${caller.prefix} returning by_contact`,
    );
    if ((rows[0]?.by_contact ?? 0) > limits.byContact)
      throw new Refusal("too_many", { retryAfterSeconds: 60 - now.getUTCSeconds() });
    const after = { ofShop: answer.IdShop, ofReceipt: answer.ReceiptNumber };
    await auditSale(tx, caller, now, { action: "receipt_read", customerId, after });
  });
}

/** The customer as one found by address, if still a member. */
async function readMember(deps: SellingDependencies, caller: StaffCaller, customerId: number | null, context: Context) {
  if (customerId === null) return null;
  const at = sql`${context.now.toISOString()}::timestamptz`;
  const { rows } = await deps.database.execute<{ member: Found }>(sql`
    select shop_member(c.id, club_day(${at}), ${at}) || jsonb_build_object('confirmed', c.email_verified_at is not null,
      'memberSince', a.member_since, 'cardNumber', a.card_number, 'vouchers', null) as member
    from customer c join loyalty_account a on a.customer_id = c.id
    where c.id = ${customerId} and a.state = 'active' and c.blocked_at is null`);
  const [found] = rows;
  if (!found) return null;
  const { Customers } = await describeFound(deps, [found.member], caller.shopId, context);
  return Customers[0] ?? null;
}

/** Receipts print capitals, and people type small letters: where no number is as typed, the one in capitals is meant. */
async function writtenAs(tx: Queries, shopId: number, typed: string): Promise<string> {
  const [found] = await tx
    .select({ number: sales.number })
    .from(sales)
    .where(and(eq(sales.shopId, shopId), inArray(sales.number, [typed, typed.toUpperCase()])))
    .orderBy(sql`${sales.number} <> ${typed}`)
    .limit(1);
  return found?.number ?? typed;
}

async function findReceipt(tx: Queries, caller: StaffCaller, named: AskedReceipt): Promise<ReceiptKey | undefined> {
  const { ReceiptNumber, IdShop = caller.shopId, ClaimCode } = named;
  if (ClaimCode === undefined) {
    const receipt = { shopId: IdShop, number: await writtenAs(tx, IdShop, ReceiptNumber ?? "") };
    return IdShop === caller.shopId || (await isProved(tx, receipt, named.proof)) ? receipt : undefined;
  }
  const [found] = await tx
    .select({ shopId: sales.shopId, number: sales.number })
    .from(sales)
    .where(eq(sales.claimCode, ClaimCode.toUpperCase()));
  return found;
}

interface SaleDetails extends Record<string, unknown> {
  shop_name: string;
  earned: number;
  today: boolean;
  exchange: boolean;
  firstname: string | null;
  lastname: string | null;
}

async function describeReceipt(
  tx: Queries,
  deps: SellingDependencies,
  caller: StaffCaller,
  { receipt, asked, now }: { receipt: ReceiptKey; asked: Asked; now: Date },
) {
  const original = await lockSale(tx, receipt);
  if (!original) return undefined;
  const additions = await findAdditions(tx, original);
  const sale = wholeOf(original, additions);
  const { rows } = await tx.execute<SaleDetails>(sql`
    select shop.name as shop_name, s.earned, c.firstname, c.lastname,
      club_day(s.sold_at) = club_day(${now.toISOString()}::timestamptz) as today,
      exists (select from shop_return x where x.shop_id = s.shop_id and x.number = s.number and x.kind = 'exchange'
        and x.state <> 'undone') as exchange
    from shop_sale s join shop on shop.id = s.shop_id left join customer c on c.id = s.customer_id
    where s.shop_id = ${sale.shopId} and s.number = ${sale.number}`);
  const [details] = rows;
  if (!details) return undefined;
  const { shop_name, earned, today, exchange, firstname, lastname } = details;
  const returned = amountsByLine(sale.returned);
  const isReturned = (line: string, paidCents: number) => returned.get(line) === paidCents;
  const paid = new Map(sale.lines.map(({ line, paidCents }) => [line, paidCents]));
  const nothingLeft = sale.lines.every(({ line, paidCents }) => isReturned(line, paidCents));
  const back = nothingLeft ? undefined : await previewReturn(tx, deps, caller, original, asked, now);
  const answer = {
    IdShop: sale.shopId,
    ShopName: shop_name,
    ReceiptNumber: sale.number,
    SoldAt: new Date(sale.soldAt).toISOString(),
    Customer: firstname === null ? null : shortName(firstname, lastname ?? ""),
    Whole: sale.whole,
    Lines: describeLines(sale.lines).map((line, place) => {
      const cents = paid.get(line.Line) ?? 0;
      return {
        ...line,
        ...sentOf(sale.lines[place]),
        Left: amountOf(cents - (returned.get(line.Line) ?? 0)),
        Returned: isReturned(line.Line, cents),
      };
    }),
    Vouchers: sale.vouchers.map(({ code, valueCents, takenCents }) => ({
      Code: code,
      Value: amountOf(valueCents),
      Taken: amountOf(takenCents),
    })),
    Earned: earned,
    Voidable:
      sale.shopId === caller.shopId && today && sale.returned.length === 0 && additions.length === 0 && !exchange,
    Return: back
      ? {
          Points: back.Points,
          Refunds: back.Refunds,
          ReissuedVouchers: back.ReissuedVouchers,
          CancelledVouchers: back.CancelledVouchers,
        }
      : null,
  };
  return { answer, customerId: firstname === null ? null : sale.customerId };
}

/** What a line said of itself: a correction sends it again. */
function sentOf(line: PricedLine | undefined) {
  return {
    Earns: line ? earnsAsSent(line) : true,
    ...(line?.priceType && { PriceType: line.priceType }),
    ...(line?.codes && { Codes: line.codes }),
  };
}

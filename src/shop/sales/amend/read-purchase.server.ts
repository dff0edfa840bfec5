import { and, asc, eq, sql } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { describeLines, voucherTotal } from "#shop/sales/purchase/pricing.server.ts";
import { amountsByLine, readSale } from "#shop/sales/return/take-back.server.ts";
import { amendments } from "#shop/sales/sales.tables.server.ts";
import { findAdditions, findFirst, wholeOf } from "./amended-sale.server.ts";

interface Back extends Record<string, unknown> {
  number: string;
  kind: "return" | "exchange" | "void" | "amend";
  state: "applied" | "waiting" | "conflict" | "undone";
  returnedAt: string;
  cents: number;
}

/** What several statements read is of one moment. */
const oneSnapshot = { isolationLevel: "repeatable read", accessMode: "read only" } as const;

/** A sale of the shop as it is recorded now, with what was returned of it and how it was amended. Locks nothing. */
export async function readPurchase({ database }: { database: Database }, { shopId }: KeyCaller, number: string) {
  return database.transaction(async (tx) => {
    const { sale, row } = await findFirst(tx, { shopId, number }, readSale);
    const whole = wholeOf(sale, await findAdditions(tx, sale, readSale));
    const returned = amountsByLine(whole.returned);
    const { rows: backs } = await tx.execute<Back>(sql`
      select r.number, r.kind, r.state, to_json(r.returned_at) #>> '{}' as "returnedAt", coalesce((
        select sum((refund ->> 'cents')::integer) from jsonb_array_elements(r.refunds) refund), 0)::integer as cents
      from shop_return r join shop_sale s on s.shop_id = r.sale_shop_id and s.number = r.sale_number
      where s.shop_id = ${shopId} and (s.number = ${number} or s.amends = ${number}) order by r.returned_at, r.number`);
    const { rows: customer } = await tx.execute<{ id: string }>(
      sql`select subject as id from customer where id = ${row.customerId}`,
    );
    const amended = await tx
      .select({ number: amendments.amendNumber, at: amendments.amendedAt })
      .from(amendments)
      .where(and(eq(amendments.shopId, shopId), eq(amendments.number, number)))
      .orderBy(asc(amendments.amendNumber));
    return {
      ReceiptNumber: number,
      SoldAt: row.soldAt.toISOString(),
      IdCustomer: customer[0]?.id ?? null,
      Lines: describeLines(whole.lines).map((line, place) => {
        const { earns = true, paidCents = 0 } = whole.lines[place] ?? {};
        return { ...line, Earns: earns, Left: amountOf(paidCents - (returned.get(line.Line) ?? 0)) };
      }),
      VoucherTotal: voucherTotal(row.vouchers),
      Earned: row.earned,
      ...(row.waiting && { Waiting: true as const, WaitingPoints: row.waitingPoints }),
      Returns: backs.map(({ number: ReceiptNumber, kind, state, returnedAt, cents }) => ({
        ...{ ReceiptNumber, Kind: kind, State: state, ReturnedAt: new Date(returnedAt).toISOString() },
        Amount: amountOf(cents),
      })),
      Amendments: amended.map(({ number: AmendNumber, at }) => ({ AmendNumber, AmendedAt: at.toISOString() })),
    };
  }, oneSnapshot);
}

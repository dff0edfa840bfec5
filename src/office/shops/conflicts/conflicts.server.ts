import { inArray } from "drizzle-orm";
import { z } from "zod";
import { amountOf } from "#brand/amounts.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { shortName } from "#identity/customer/names.server.ts";
import { entryOf, type When } from "#office/audit.server.ts";
import { refuseOtherShop } from "#office/shops/own-shop.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import { cursorMoment, decodeCursor, encodeCursor } from "#platform/api/cursor.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { shops } from "#shop/keys/shops.tables.server.ts";
import { countOfficeGuesses, proofOf, type ReceiptLimits } from "#shop/sales/return/receipt-proof.server.ts";
import { type ConflictPlace, readConflicts } from "#shop/sales/review/conflicts.server.ts";
import { decideReturn as decideTheReturn, type ReturnDecision } from "#shop/sales/review/decide-return.server.ts";
import {
  decideClock as decideTheClock,
  decidePoints as decideThePoints,
} from "#shop/sales/review/decide-sale.server.ts";
import type { Decider } from "#shop/sales/review/decisions.server.ts";
import { type AuditEntry, writeAudit } from "#staff/audit.server.ts";

const pageRows = 50;

/** Receipts that wait for a person: of every shop, of one, or of the caller's own. */
export async function listConflicts(
  queries: Queries,
  caller: OfficeCaller,
  { IdShop = caller.shopId ?? undefined, Cursor }: { IdShop?: number | undefined; Cursor?: string | undefined },
) {
  if (IdShop !== undefined) refuseOtherShop(caller, IdShop);
  const after = Cursor === undefined ? undefined : placeOf(Cursor);
  const rows = await readConflicts(queries, { shopId: IdShop, after, limit: pageRows + 1 });
  const page = rows.slice(0, pageRows);
  const last = page.at(-1);
  const ids = [...new Set(page.map(({ shopId }) => shopId))];
  const named = ids.length > 0 ? await queries.select().from(shops).where(inArray(shops.id, ids)) : [];
  const nameOf = await readNames(queries, page);
  return {
    Conflicts: page.map((row) => ({
      IdShop: row.shopId,
      ShopName: named.find(({ id }) => id === row.shopId)?.name ?? "",
      ReceiptNumber: row.number,
      Kind: row.subject,
      Reason: row.reason,
      At: new Date(row.time).toISOString(),
      OriginalIdShop: row.originalShopId,
      OriginalReceiptNumber: row.original,
      IdCustomer: row.customerId,
      Customer: nameOf.get(row.customerId ?? 0) ?? null,
      Amount: row.cents === null ? null : amountOf(row.cents),
      Points: row.points,
    })),
    NextCursor: last && rows.length > pageRows ? encodeCursor(conflictPlace.parse(last)) : null,
  };
}

/** The short names of the customers, as tills show them: no one needs more to decide. */
async function readNames(queries: Queries, page: readonly { customerId: number | null }[]) {
  const ids = [...new Set(page.flatMap(({ customerId }) => customerId ?? []))];
  if (ids.length === 0) return new Map<number, string>();
  const { id, firstname, lastname } = customers;
  const rows = await queries.select({ id, firstname, lastname }).from(customers).where(inArray(id, ids));
  return new Map(rows.map((row) => [row.id, shortName(row.firstname, row.lastname)]));
}

const text = z.string().refine((value) => !value.includes("\0"));
const conflictPlace = z.object({
  at: cursorMoment,
  shopId: z.int().min(1).max(999_999_999),
  number: text,
  subject: text,
});

function placeOf(cursor: string): ConflictPlace {
  const place = decodeCursor(cursor, conflictPlace);
  if (!place) throw new Refusal("invalid", { errors: [{ field: "Cursor", code: "invalid" }] });
  return place;
}

interface Asked {
  IdShop: number;
  ReceiptNumber: string;
  Reason: string;
}

/** A decision and its row of the audit log, in one transaction. */
async function decide<T extends { customerId: number | null }>(
  database: Database,
  caller: OfficeCaller,
  { IdShop: shopId, ReceiptNumber: number, Reason: reason }: Asked,
  { now, requestId }: When,
  rule: (tx: Queries, by: Decider) => Promise<T>,
  describe: (done: T) => Pick<AuditEntry, "action" | "before" | "after">,
): Promise<T> {
  refuseOtherShop(caller, shopId);
  return database.transaction(async (tx) => {
    const { staffId } = caller;
    const done = await rule(tx, { staffId, now });
    const { action, before, after } = describe(done);
    const { customerId } = done;
    const entry = {
      action,
      customerId,
      shopId,
      before,
      after: { receipt: number, ...after },
      reason,
      requestId,
      at: now,
    };
    await writeAudit(tx, entryOf(caller, entry));
    return done;
  });
}

interface Dependencies {
  database: Database;
  publicUrl: string;
}

/** Where a return is attached to: a sale of another shop is proved as a return at a till proves it. */
type Attached = {
  OriginalReceiptNumber?: string | undefined;
  OriginalIdShop?: number | undefined;
} & Parameters<typeof proofOf>[0];

export async function decideReturn(
  { database, publicUrl, receiptLimits }: Dependencies & { receiptLimits: ReceiptLimits },
  caller: OfficeCaller,
  asked: Asked & Attached & { Kind: "return" | "exchange"; Decision: "apply" | "attach" | "dismiss" },
  when: When,
) {
  const { IdShop, ReceiptNumber: number, Kind: kind } = asked;
  const decision = returnDecision(asked);
  const run = () =>
    decide(
      database,
      caller,
      asked,
      when,
      (tx, by) => decideTheReturn(tx, { publicUrl }, { shopId: IdShop, number, kind }, decision, by),
      (done) => {
        const { taken, reissued, target } = done;
        const of = { kind, ofShop: target.shopId, ofReceipt: target.number };
        return { action: `return_${decision.outcome}`, after: { ...of, taken, reissued } };
      },
    );
  const { taken, reissued } = await (decision.outcome === "attached" && decision.to.shopId !== IdShop
    ? countOfficeGuesses(receiptLimits, caller.staffId, decision.to, run)
    : run());
  return { Taken: taken, Reissued: reissued };
}

function returnDecision(
  asked: Attached & { Decision: "apply" | "attach" | "dismiss"; IdShop: number },
): ReturnDecision {
  if (asked.Decision === "apply") return { outcome: "applied" };
  if (asked.Decision === "dismiss") return { outcome: "dismissed" };
  const { OriginalIdShop: shopId = asked.IdShop, OriginalReceiptNumber: number } = asked;
  if (number === undefined)
    throw new Refusal("invalid", { errors: [{ field: "OriginalReceiptNumber", code: "required" }] });
  return { outcome: "attached", to: { shopId, number }, proof: proofOf(asked) };
}

export async function decidePoints(
  { database, publicUrl }: Dependencies,
  caller: OfficeCaller,
  asked: Asked & { Decision: "release" | "refuse" },
  when: When,
) {
  const outcome = asked.Decision === "release" ? "released" : "refused";
  const receipt = { shopId: asked.IdShop, number: asked.ReceiptNumber };
  const { points } = await decide(
    database,
    caller,
    asked,
    when,
    (tx, by) => decideThePoints(tx, { publicUrl }, receipt, outcome, by),
    ({ points }) => ({ action: `points_${outcome}`, after: { points } }),
  );
  return { Points: points };
}

export async function decideClock(
  database: Database,
  caller: OfficeCaller,
  asked: Asked & { Decision: "confirm" | "correct"; SoldAt?: string | undefined },
  when: When,
) {
  const { Decision, SoldAt } = asked;
  if (Decision === "correct" && !SoldAt)
    throw new Refusal("invalid", { errors: [{ field: "SoldAt", code: "required" }] });
  const soldAt = Decision === "correct" && SoldAt ? new Date(SoldAt) : undefined;
  const receipt = { shopId: asked.IdShop, number: asked.ReceiptNumber };
  const { after } = await decide(
    database,
    caller,
    asked,
    when,
    (tx, by) => decideTheClock(tx, receipt, soldAt, by),
    ({ before, after }) => ({
      action: soldAt ? "clock_corrected" : "clock_confirmed",
      before: { soldAt: before.toISOString() },
      after: { soldAt: after.toISOString() },
    }),
  );
  return { SoldAt: after.toISOString() };
}

import { desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import { cursorMoment, decodeCursor, encodeCursor } from "#platform/api/cursor.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { deciders, describeRequest, nameOf, others, requestColumns } from "./request-rows.server.ts";
import { requests } from "./requests.tables.server.ts";

const pageRows = 50;

/** Where a page begins: after the request with this moment of its decision and this id. */
const afterRequest = z.tuple([cursorMoment, z.int().positive()]);

/**
 * What a second person has decided or its author withdrawn, the newest first. Of an erased customer the request stays, with its outcome; who it was
 * for is not known any more, nor what was written about them.
 */
export async function listDecided(database: Database, caller: OfficeCaller, cursor: string | undefined) {
  const after = decodeCursor(cursor, afterRequest);
  const rows = await database
    .select({
      ...requestColumns,
      customer: { IdCustomer: customers.id, Firstname: customers.firstname, Lastname: customers.lastname },
      other: { IdCustomer: others.id, Firstname: others.firstname, Lastname: others.lastname },
      state: requests.state,
      decidedByName: sql<string>`coalesce(${nameOf(deciders)}, ${nameOf(staff)})`,
      // As text, with its microseconds.
      decidedAt: sql<string>`to_json(${requests.decidedAt}) #>> '{}'`,
    })
    .from(requests)
    .innerJoin(staff, eq(staff.id, requests.askedBy))
    .leftJoin(deciders, eq(deciders.id, requests.decidedBy))
    .leftJoin(customers, eq(customers.id, requests.customerId))
    .leftJoin(others, eq(others.id, requests.otherId))
    // Not as parameters: the index is of these states (db/migrations/0001_baseline.sql).
    .where(
      sql`${requests.state} in ('approved', 'declined', 'withdrawn') ${
        after
          ? sql`and (${requests.decidedAt}, ${requests.id}) < (${after[0]}::timestamptz, ${after[1]}::bigint)`
          : sql``
      }`,
    )
    .orderBy(desc(requests.decidedAt), desc(requests.id))
    .limit(pageRows + 1);
  const page = rows.slice(0, pageRows);
  const last = page.at(-1);
  return {
    Requests: page.map((row) => ({
      ...describeRequest(row, caller),
      Customer: row.customer,
      Other: row.other,
      State: row.state as "approved" | "declined" | "withdrawn",
      DecidedBy: row.decidedByName,
      DecidedAt: new Date(row.decidedAt).toISOString(),
    })),
    NextCursor: rows.length > pageRows && last ? encodeCursor([last.decidedAt, last.id]) : null,
  };
}

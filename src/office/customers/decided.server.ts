import { desc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { z } from "zod";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { euros } from "#loyalty/programme/programme.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import { cursorMoment, decodeCursor, encodeCursor } from "#platform/api/cursor.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { requests } from "./requests.tables.server.ts";

const pageRows = 50;
const others = alias(customers, "other");
const deciders = alias(staff, "decider");
const nameOf = (person: typeof staff | typeof deciders) =>
  sql<string>`${person.firstname} || ' ' || ${person.lastname}`;

/** Where a page begins: after the request with this moment of its decision and this id. */
const afterRequest = z.tuple([cursorMoment, z.int().positive()]);

/**
 * What a second person has decided, the newest first. Of an erased customer the request stays, with its outcome; who it was
 * for is not known any more, nor what was written about them.
 */
export async function listDecided(database: Database, caller: OfficeCaller, cursor: string | undefined) {
  const after = decodeCursor(cursor, afterRequest);
  const rows = await database
    .select({
      id: requests.id,
      customer: { IdCustomer: customers.id, Firstname: customers.firstname, Lastname: customers.lastname },
      kind: requests.kind,
      points: requests.points,
      cents: requests.cents,
      other: { IdCustomer: others.id, Firstname: others.firstname, Lastname: others.lastname },
      text: requests.customerText,
      reason: requests.reason,
      note: requests.note,
      askedBy: requests.askedBy,
      askedByName: nameOf(staff),
      askedAt: requests.askedAt,
      approved: sql<boolean>`${requests.state} = 'approved'`,
      decidedByName: nameOf(deciders),
      // As text, with its microseconds.
      decidedAt: sql<string>`to_json(${requests.decidedAt}) #>> '{}'`,
    })
    .from(requests)
    .innerJoin(staff, eq(staff.id, requests.askedBy))
    .innerJoin(deciders, eq(deciders.id, requests.decidedBy))
    .leftJoin(customers, eq(customers.id, requests.customerId))
    .leftJoin(others, eq(others.id, requests.otherId))
    // Not as parameters: the index is of these states (db/migrations/0052_decided_requests.sql).
    .where(
      sql`${requests.state} in ('approved', 'declined') ${
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
      IdRequest: row.id,
      Customer: row.customer,
      Kind: row.kind,
      Points: row.points,
      Value: euros(row.cents),
      Other: row.other,
      CustomerText: row.text,
      Reason: row.reason,
      Note: row.note,
      AskedBy: row.askedByName,
      Mine: row.askedBy === caller.staffId,
      AskedAt: row.askedAt.toISOString(),
      State: row.approved ? ("approved" as const) : ("declined" as const),
      DecidedBy: row.decidedByName,
      DecidedAt: new Date(row.decidedAt).toISOString(),
    })),
    NextCursor: rows.length > pageRows && last ? encodeCursor([last.decidedAt, last.id]) : null,
  };
}

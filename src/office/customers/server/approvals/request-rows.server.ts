import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { moneyOf } from "#loyalty/programme/programme.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { requests } from "./requests.tables.server.ts";

/** Of a merge, the account that goes. */
export const others = alias(customers, "other");
export const deciders = alias(staff, "decider");

export const nameOf = (person: typeof staff | typeof deciders) =>
  sql<string>`${person.firstname} || ' ' || ${person.lastname}`;

/** What both lists show of a request, waiting or decided; `staff` is the person who asked. */
export const requestColumns = {
  id: requests.id,
  kind: requests.kind,
  points: requests.points,
  cents: requests.cents,
  text: requests.customerText,
  reason: requests.reason,
  note: requests.note,
  askedBy: requests.askedBy,
  askedByName: nameOf(staff),
  askedAt: requests.askedAt,
};

type RequestRow = Pick<
  typeof requests.$inferSelect,
  "id" | "kind" | "points" | "cents" | "reason" | "note" | "askedBy" | "askedAt"
> & { text: string | null; askedByName: string };

export const describeRequest = (row: RequestRow, caller: OfficeCaller) => ({
  IdRequest: row.id,
  Kind: row.kind,
  Points: row.points,
  Value: moneyOf(row.cents),
  CustomerText: row.text,
  Reason: row.reason,
  Note: row.note,
  AskedBy: row.askedByName,
  Mine: row.askedBy === caller.staffId,
  AskedAt: row.askedAt.toISOString(),
});

import { bigint, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, moment } from "#platform/database/columns.server.ts";

/**
 * Friends who joined by a member's link; `customerId` is the friend. A row stays when either is erased, under ids that no
 * longer belong to a person: the points are in the ledger, and may still be taken back.
 */
export const referrals = pgTable(
  "loyalty_referral",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    /** The member whose link it was. */
    memberId: bigint("member_id", { mode: "number" }).notNull(),
    /** The friend's mailbox as a keyed hash (db/functions/loyalty_person.sql): a person is recommended once. */
    person: bytes("person").notNull(),
    joinedAt: moment("joined_at").notNull(),
    /** `revoked`: the points were credited, and the next job takes them back. */
    state: text("state", { enum: ["waiting", "refused", "credited", "revoked", "taken_back"] })
      .notNull()
      .default("waiting"),
    creditedAt: moment("credited_at"),
    points: integer("points"),
    /** The receipt of the friend's first purchase. */
    shopId: integer("shop_id"),
    receiptNumber: text("receipt_number"),
    /** Since when it may be that too little of that purchase is kept; null once the job has looked at it. */
    checkSince: moment("check_since"),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.id] })],
);

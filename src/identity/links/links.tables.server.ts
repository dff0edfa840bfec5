import { bigint, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, customerId, moment, rowId } from "#platform/database/columns.server.ts";

export const linkPurposes = ["reset", "verify", "autologin", "guest", "email_change", "email_stop"] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

export const links = pgTable(
  "link",
  {
    customerId: customerId(),
    id: rowId(),
    purpose: text("purpose", { enum: linkPurposes }).notNull(),
    email: text("email").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.id] })],
);

export const linkTokens = pgTable("link_token", {
  tokenHash: bytes("token_hash").primaryKey(),
  customerId: customerId(),
  linkId: bigint("link_id", { mode: "number" }).notNull(),
});

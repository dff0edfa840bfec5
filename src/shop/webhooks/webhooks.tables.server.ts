import { bigint, customType, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, moment } from "#platform/database/columns.server.ts";

const transactionId = customType<{ data: string }>({ dataType: () => "xid8" });
const identity = () => bigint("id", { mode: "number" }).generatedAlwaysAsIdentity();

/** Where events are sent. */
export const endpoints = pgTable("webhook_endpoint", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  url: text("url").notNull(),
  /** Encrypted (`secrets.server.ts`). */
  secret: bytes("secret").notNull(),
  /** Signs beside the new one until its end. */
  previousSecret: bytes("previous_secret"),
  previousEndsAt: moment("previous_ends_at"),
  ownerEmail: text("owner_email").notNull(),
  createdAt: moment("created_at").notNull(),
  disabledAt: moment("disabled_at"),
  disabledBecause: text("disabled_because", { enum: ["owner", "gone"] }),
  /** The types of event it is sent; null: all. */
  events: text("events").array(),
  /** While it is paused, events wait for it. */
  pausedAt: moment("paused_at"),
  /** Lease of the job that sends to it now. */
  busyUntil: moment("busy_until"),
});

/** What happened, written by triggers in the transaction of its cause. Ids and numbers, nothing personal. */
export const webhookEvents = pgTable("webhook_event", {
  id: identity().primaryKey(),
  type: text("type").notNull(),
  at: moment("at").notNull().defaultNow(),
  customerId: bigint("customer_id", { mode: "number" }),
  shopId: integer("shop_id"),
  /** Counts the events of the customer. */
  sequence: bigint("sequence", { mode: "number" }),
  payload: jsonb("payload").$type<Record<string, string | number | boolean | null>>().notNull(),
  /** The writing transaction. */
  xid: transactionId("xid").notNull(),
});

/** One event for one endpoint. */
export const deliveries = pgTable("webhook_delivery", {
  id: identity().primaryKey(),
  eventId: bigint("event_id", { mode: "number" }).notNull(),
  endpointId: integer("endpoint_id").notNull(),
  state: text("state", { enum: ["waiting", "delivered", "dead", "stopped"] })
    .notNull()
    .default("waiting"),
  attempts: integer("attempts").notNull().default(0),
  nextAt: moment("next_at"),
});

export const attempts = pgTable(
  "webhook_attempt",
  {
    deliveryId: bigint("delivery_id", { mode: "number" }).notNull(),
    id: identity().notNull(),
    at: moment("at").notNull(),
    /** Absent: there was no answer, and `error` says why. */
    status: integer("status"),
    error: text("error"),
    milliseconds: integer("milliseconds").notNull(),
    /** The first kilobyte. */
    answer: text("answer"),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.id] })],
);

import { bigint, date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

const metric = {
  day: date("day", { mode: "string" }).notNull(),
  metric: text("metric").notNull(),
  /** The shop; of points outstanding the tier; of a campaign the campaign. 0: none. */
  part: integer("part").notNull(),
};

/** What triggers have counted since the last fold. Writers only append, so no two sales wait for one row. */
export const metricDeltas = pgTable("metric_delta", {
  ...metric,
  count: integer("count").notNull(),
  amount: bigint("amount", { mode: "number" }).notNull(),
});

/** The club's metrics by day. What is in `metric_delta` belongs to them; the view `metric_all` sums both. */
export const metricDays = pgTable(
  "metric_day",
  {
    ...metric,
    count: bigint("count", { mode: "number" }).notNull(),
    amount: bigint("amount", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.metric, table.day, table.part] })],
);

/** The day of a member's last purchase, and until when it makes them an active one. */
export const activities = pgTable("loyalty_activity", {
  customerId: bigint("customer_id", { mode: "number" }).primaryKey(),
  lastDay: date("last_day", { mode: "string" }).notNull(),
  until: date("until", { mode: "string" }).notNull(),
});

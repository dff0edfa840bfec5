import { jsonb, pgTable, text } from "drizzle-orm/pg-core";

export const keptKeys = pgTable("kept_key", {
  name: text("name").primaryKey(),
  value: jsonb("value").notNull(),
});

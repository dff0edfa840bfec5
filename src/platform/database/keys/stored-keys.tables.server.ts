import { jsonb, pgTable, text } from "drizzle-orm/pg-core";

export const storedKeys = pgTable("kept_key", {
  name: text("name").primaryKey(),
  value: jsonb("value").notNull(),
});

import { integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";

/** A text in several languages, in Google's format. */
export interface Localized {
  defaultValue: { value: string };
  translatedValues: { language: string; value: string }[];
}

/** The fields of a pass that the sandbox's page shows; the others are stored and ignored. */
export interface ShownClass {
  localizedProgramName?: Localized;
  localizedAccountNameLabel?: Localized;
}

export interface ShownObject {
  state?: string;
  accountName?: string;
  barcode?: { value: string } | null;
  loyaltyPoints?: { localizedLabel: Localized; balance: { int: number } } | null;
  textModulesData?: { id: string; localizedHeader: Localized; localizedBody: Localized }[] | null;
}

export const sandboxPasses = pgTable("sandbox_google_pass", {
  id: text("id").primaryKey(),
  class: jsonb("class").$type<ShownClass>().notNull(),
  object: jsonb("object").$type<ShownObject>().notNull(),
  notices: integer("notices").notNull().default(0),
});

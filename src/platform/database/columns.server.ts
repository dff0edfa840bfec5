import { bigint, customType, timestamp } from "drizzle-orm/pg-core";

/** The columns that the tables of several modules share. */
export const moment = (name: string) => timestamp(name, { withTimezone: true });
export const customerId = () => bigint("customer_id", { mode: "number" }).notNull();
/** The second half of a key that begins with the customer. */
export const rowId = () => bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity();
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

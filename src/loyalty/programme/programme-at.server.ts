import { type SQL, sql } from "drizzle-orm";

/** The version of a programme that is in force at a moment, as a row of a query (db/functions/loyalty_programme_at.sql). */
export const programmeAt = (programmeId: number | SQL, moment: Date | SQL) =>
  sql`loyalty_programme_at(${programmeId}::integer, ${moment instanceof Date ? moment.toISOString() : moment}::timestamptz)`;

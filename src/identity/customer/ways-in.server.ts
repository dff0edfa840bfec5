import { sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { passkeys } from "./passkey.tables.server.ts";
import { socialLogins } from "./social-login.tables.server.ts";

/**
 * How many ways a customer has to sign in: password, social logins, passkeys. Call it with the customer locked, so that two
 * concurrent removals do not each rely on what the other removes.
 */
export async function countWaysIn(tx: Queries, customer: { id: number; passwordHash: string | null }): Promise<number> {
  const { rows } = await tx.execute<{ ways: number }>(sql`
    select (select count(*) from ${socialLogins} where customer_id = ${customer.id})::int
      + (select count(*) from ${passkeys} where customer_id = ${customer.id})::int as ways`);
  return (rows[0]?.ways ?? 0) + (customer.passwordHash === null ? 0 : 1);
}

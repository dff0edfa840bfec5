import { eq } from "drizzle-orm";
import { moveCases, movedMembers } from "#loyalty/moved/moved.tables.server.ts";
import type { Queries } from "#platform/database/database.server.ts";

/** What the move holds of a customer. */
export async function exportOfMove(queries: Queries, customerId: number): Promise<object> {
  return {
    records: await queries.select().from(movedMembers).where(eq(movedMembers.customerId, customerId)),
    cases: await queries.select().from(moveCases).where(eq(moveCases.customerId, customerId)),
  };
}

/** The number of the record in the old club stays, so that no later package brings an erased customer back. */
export async function eraseFromMove(queries: Queries, customerId: number): Promise<void> {
  await queries.delete(moveCases).where(eq(moveCases.customerId, customerId));
}

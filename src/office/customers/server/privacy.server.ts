import { eq, or, sql } from "drizzle-orm";
import { customerMerges } from "#identity/customer/customer.tables.server.ts";
import { maskedCode } from "#loyalty/card/code-alphabet.ts";
import { requests } from "#office/customers/server/approvals/requests.tables.server.ts";
import type { Queries } from "#platform/database/database.server.ts";

/** What the back office gave, and accounts that became part of this one. Names no staff. */
export async function exportOfOffice(queries: Queries, customerId: number): Promise<object> {
  const given = await queries
    .select({
      kind: requests.kind,
      state: requests.state,
      points: requests.points,
      cents: requests.cents,
      text: requests.customerText,
      reason: requests.reason,
      note: requests.note,
      askedAt: requests.askedAt,
      decidedAt: requests.decidedAt,
    })
    .from(requests)
    .where(eq(requests.customerId, customerId))
    .orderBy(requests.id);
  const merged = await queries
    .select()
    .from(customerMerges)
    .where(or(eq(customerMerges.intoId, customerId), eq(customerMerges.customerId, customerId)));
  return { requests: given, mergedAccounts: merged };
}

/** The export as staff may take it: the customer's own copy has the codes of the vouchers. */
export async function maskVoucherCodes<Exported extends object>(
  queries: Queries,
  customerId: number,
  exported: Exported,
): Promise<Exported> {
  const { rows } = await queries.execute<{ code: string }>(
    sql`select code from loyalty_voucher_code where customer_id = ${customerId}`,
  );
  const masked = rows.reduce((text, { code }) => text.replaceAll(code, maskedCode(code)), JSON.stringify(exported));
  return JSON.parse(masked);
}

/** That something was given stays, under an id that no longer belongs to a person; what was written about it is gone. */
export async function eraseFromOffice(queries: Queries, customerId: number): Promise<void> {
  await queries.update(requests).set({ customerText: null, note: null }).where(eq(requests.customerId, customerId));
}

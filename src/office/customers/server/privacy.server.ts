import { eq, or, sql } from "drizzle-orm";
import { customerMerges } from "#identity/customer/customer.tables.server.ts";
import { maskedCode } from "#loyalty/card/code-alphabet.ts";
import { campaignMembers } from "#loyalty/ledger/campaign.tables.server.ts";
import { segmentExportMembers, segmentMembers } from "#loyalty/segments/segment.tables.server.ts";
import { requests } from "#office/customers/server/approvals/requests.tables.server.ts";
import type { Queries } from "#platform/database/database.server.ts";

/** What the back office gave, accounts that became part of this one, segments, and files for mailing tools. Names no staff. */
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
  const { rows } = await queries.execute<{ segments: object[]; sentLists: object[]; campaigns: object[] }>(sql`
    select coalesce((
        select json_agg(json_build_object('segment', s.name, 'joinedAt', m.joined_at) order by m.joined_at)
        from segment_member m join segment s on s.id = m.segment_id where m.customer_id = ${customerId}), '[]') as segments,
      coalesce((
        select json_agg(json_build_object(
          'segment', s.name, 'channel', e.channel, 'columns', e.columns, 'at', e.exported_at) order by e.id)
        from segment_export_member m join segment_export e on e.id = m.export_id join segment s on s.id = e.segment_id
        where m.customer_id = ${customerId}), '[]') as "sentLists",
      coalesce((
        select json_agg(json_build_object('campaign', c.name, 'control', m.control) order by c.id)
        from campaign_member m join campaign c on c.id = m.campaign_id where m.customer_id = ${customerId}), '[]') as campaigns`);
  return { requests: given, mergedAccounts: merged, ...rows[0] };
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
  await queries.delete(campaignMembers).where(eq(campaignMembers.customerId, customerId));
  await queries.delete(segmentMembers).where(eq(segmentMembers.customerId, customerId));
  await queries.delete(segmentExportMembers).where(eq(segmentExportMembers.customerId, customerId));
}

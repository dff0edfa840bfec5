import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { defaultProgrammeId, programmeAt } from "#loyalty/programme/programme.server.ts";
import { membersWhere } from "#loyalty/segments/compile-segment.server.ts";
import type { Channel } from "#loyalty/segments/segment.ts";
import { type ActionContext, entryOf } from "#office/audit.server.ts";
import { csvHeads } from "#office/csv-words.server.ts";
import { csvResponse } from "#platform/api/csv.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import type { ExportColumn } from "./columns.ts";
import { askSegment, reachable, readSegment } from "./segments.server.ts";

const pageRows = 500;

type Row = Record<ExportColumn, string | number | null>;

/**
 * Members who agreed to be written to, with the columns asked for and no other; an address or a number stays out where they
 * did not agree to be written to by it. Who is in the file is written down first, in
 * one statement, for the audit log and for each member's own export; the file is then read from that list.
 */
export async function exportSegment(
  database: Database,
  asked: { IdSegment: number; Channel: Channel; Format: "csv" | "jsonl"; Columns: ExportColumn[] },
  context: ActionContext & { locale: Locale },
): Promise<Response> {
  const { IdSegment: id, Channel: channel, Format: format, Columns: columns } = asked;
  const { caller, now, requestId, locale } = context;
  const { name, version, definition } = await readSegment(database, id);
  const [written] = await askSegment<{ id: number; rows: number }>(
    database,
    sql`with made as (
        insert into segment_export (segment_id, version, channel, columns, exported_by, exported_at)
        values (${id}, ${version}, ${channel}, ${JSON.stringify(columns)}::jsonb, ${caller.staffId}, ${now.toISOString()}::timestamptz)
        returning id),
      noted as (
        insert into segment_export_member (customer_id, export_id)
        select a.customer_id, (select id from made) from ${membersWhere(definition, now)} and ${reachable[channel]}
        returning customer_id)
      select (select id from made) as id, (select count(*)::integer from noted) as rows`,
  );
  if (!written) throw new Error("The export was not noted.");
  const after = { segment: name, version, channel, columns, rows: written.rows };
  await writeAudit(database, entryOf(caller, { action: "segment_exported", after, requestId, at: now }));

  async function* pages() {
    for (let last = 0; ; ) {
      const { rows } = await database.execute<Row & { id: string }>(sql`
        select e.customer_id as id, c.subject as "IdCustomer", case when ${reachable.email} then c.email end as "Email",
          case when ${reachable.sms} then c.mobile_phone end as "MobilePhone", c.firstname as "Firstname", c.lastname as "Lastname", c.language as "Language", a.balance as "Points",
          club_day(a.member_since)::text as "JoinedAt",
          (select t.name ->> ${locale} from ${programmeAt(defaultProgrammeId, now)} p cross join lateral
            loyalty_tier_for(p.id, loyalty_status_points(a.customer_id, p.id, p.tier_months, club_day(${now.toISOString()}::timestamptz))) t) as "Tier"
        from segment_export_member e join customer c on c.id = e.customer_id join loyalty_account a on a.customer_id = e.customer_id
        where e.export_id = ${written?.id ?? 0} and e.customer_id > ${last} order by e.customer_id limit ${pageRows}`);
      yield rows;
      if (rows.length < pageRows) return;
      last = Number(rows.at(-1)?.id);
    }
  }
  const fileName = `segment-${id}.${format}`;
  if (format === "csv") {
    const lines = async function* () {
      for await (const rows of pages()) yield rows.map((row) => columns.map((column) => row[column]));
    };
    return csvResponse({
      ...{ fileName, locale, columns: csvHeads(columns, locale), estimatedRows: written.rows },
      pages: lines(),
    });
  }
  const encoder = new TextEncoder();
  const read = pages();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value = [] } = await read.next();
      if (done) return controller.close();
      const lines = value.map((row) => JSON.stringify(Object.fromEntries(columns.map((one) => [one, row[one]]))));
      controller.enqueue(encoder.encode(lines.map((line) => `${line}\n`).join("")));
    },
    async cancel() {
      await read.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "application/jsonl; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store",
    },
  });
}

import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { normaliseEmail } from "#identity/customer/email/email.server.ts";
import { entryOf, type When } from "#office/audit.server.ts";
import { type CsvColumn, csvHeads, csvMoment } from "#office/csv-words.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import { csvResponse } from "#platform/api/csv.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { shopKeys, shops } from "#shop/keys/shops.tables.server.ts";
import { type AuditAction, auditActions, writeAudit } from "#staff/audit.server.ts";
import { auditLog } from "#staff/audit.tables.server.ts";
import { staff } from "#staff/staff.tables.server.ts";

const pageRows = 50;
const csvPageRows = 500;

interface Asked {
  IdStaff?: number | undefined;
  IdCustomer?: number | undefined;
  Customer?: string | undefined;
  Action?: string | undefined;
  Day?: string | undefined;
}

/** The audit log, the newest first; by person, customer, action or day. Personal values are not part of it. */
export async function readAudit(database: Database, asked: Asked & { Cursor?: number | undefined }) {
  const rows = await readRows(database, asked, asked.Cursor).limit(pageRows + 1);
  const page = rows.slice(0, pageRows);
  return {
    Entries: page.map(({ entry: row, firstname, lastname, shopName, keyName }) => ({
      IdEntry: row.id,
      At: row.at.toISOString(),
      MadeBy: row.madeBy,
      IdStaff: row.staffId,
      StaffName: firstname === null ? null : `${firstname} ${lastname}`,
      Action: row.action as AuditAction,
      IdCustomer: row.customerId,
      IdShop: row.shopId,
      ShopName: shopName,
      Till: row.keyPrefix,
      TillName: keyName,
      Before: row.before ?? null,
      After: row.after ?? null,
      Reason: row.reason,
      RequestId: row.requestId,
    })),
    Actions: [...auditActions],
    NextCursor: rows.length > pageRows ? (page.at(-1)?.entry.id ?? null) : null,
  };
}

/** As the record shows a customer: by number of the account, card or address. */
function customersNamed(text: string): SQL {
  const number = text.replace(/\s/g, "");
  if (text.includes("@"))
    return sql`select customer_id from customer_email where email = ${normaliseEmail(text) ?? ""}`;
  if (/^29\d{11}$/.test(number)) return sql`select customer_id from loyalty_card where number = ${number}`;
  return sql`select ${/^\d{1,15}$/.test(number) ? Number(number) : 0}::bigint`;
}

function readRows(
  database: Database,
  { IdStaff, IdCustomer, Customer, Action, Day }: Asked,
  /** The last entry of the page before. */
  after: number | undefined,
) {
  // The club's days, as the page writes them.
  const midnight = (days: number) => sql`club_day_start(${Day}::date + ${days}::integer)`;
  return database
    .select({
      ...{ entry: auditLog, firstname: staff.firstname, lastname: staff.lastname },
      ...{ shopName: shops.name, keyName: shopKeys.name },
    })
    .from(auditLog)
    .leftJoin(staff, eq(staff.id, auditLog.staffId))
    .leftJoin(shops, eq(shops.id, auditLog.shopId))
    .leftJoin(shopKeys, eq(shopKeys.prefix, auditLog.keyPrefix))
    .where(
      and(
        IdStaff === undefined ? undefined : eq(auditLog.staffId, IdStaff),
        IdCustomer === undefined ? undefined : eq(auditLog.customerId, IdCustomer),
        Customer === undefined ? undefined : sql`${auditLog.customerId} in (${customersNamed(Customer)})`,
        Action === undefined ? undefined : eq(auditLog.action, Action),
        Day === undefined ? undefined : and(gte(auditLog.at, midnight(0)), lt(auditLog.at, midnight(1))),
        after === undefined ? undefined : lt(auditLog.id, after),
      ),
    )
    .orderBy(desc(auditLog.id));
}

const csvColumns: CsvColumn[] = [
  ...(["IdEntry", "At", "MadeBy", "IdStaff", "StaffName", "Action", "IdCustomer", "IdShop", "ShopName"] as const),
  ...(["Till", "TillName", "Before", "After", "Reason", "RequestId"] as const),
];
const json = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** The same log as a file, read page by page, each in a query of its own. That it was taken stands in the log. */
export async function auditAsCsv(
  database: Database,
  caller: OfficeCaller,
  { IdStaff, IdCustomer, Customer, Action, Day }: Asked,
  { now, requestId, locale }: When & { locale: Locale },
): Promise<Response> {
  const asked = { IdStaff, IdCustomer, Customer, Action, Day };
  const estimatedRows = await estimateRows(database, asked);
  const searched = Object.values(asked).some((value) => value !== undefined);
  const after = { estimatedRows, searched };
  await writeAudit(database, entryOf(caller, { action: "audit_listed", after, requestId, at: now }));
  async function* pages() {
    for (let last: number | undefined; ; ) {
      const rows = await readRows(database, asked, last).limit(csvPageRows);
      yield rows.map(({ entry: row, firstname, lastname, shopName, keyName }) => [
        ...[row.id, csvMoment(row.at), row.madeBy, row.staffId],
        ...[firstname === null ? null : `${firstname} ${lastname}`, row.action, row.customerId, row.shopId, shopName],
        ...[row.keyPrefix, keyName, json(row.before), json(row.after), row.reason, row.requestId],
      ]);
      last = rows.at(-1)?.entry.id;
      if (last === undefined || rows.length < csvPageRows) return;
    }
  }
  return csvResponse({
    fileName: "audit.csv",
    locale,
    columns: csvHeads(csvColumns, locale),
    estimatedRows,
    pages: pages(),
  });
}

/** By the planner's statistics: counting the entries would read them all. */
async function estimateRows(database: Database, asked: Asked): Promise<number> {
  const { rows } = await database.execute<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
    sql`explain (format json) ${readRows(database, asked, undefined)}`,
  );
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}

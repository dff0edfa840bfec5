import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { Database } from "#platform/database/database.server.ts";
import { shopKeys, shops } from "#shop/keys/shops.tables.server.ts";
import { type AuditAction, auditActions } from "#staff/audit.server.ts";
import { auditLog } from "#staff/audit.tables.server.ts";
import { staff } from "#staff/staff.tables.server.ts";

const pageRows = 50;

/** The audit log, the newest first; by person, customer, action or day. Personal values are not part of it. */
export async function readAudit(
  database: Database,
  asked: {
    IdStaff?: number | undefined;
    IdCustomer?: number | undefined;
    Action?: string | undefined;
    Day?: string | undefined;
    Cursor?: number | undefined;
  },
) {
  const { IdStaff, IdCustomer, Action, Day, Cursor } = asked;
  // The days of Paris, as the page writes them.
  const midnight = (days: number) => sql`(${Day}::date + ${days}::integer)::timestamp at time zone 'Europe/Paris'`;
  const rows = await database
    .select({
      entry: auditLog,
      firstname: staff.firstname,
      lastname: staff.lastname,
      shopName: shops.name,
      keyName: shopKeys.name,
    })
    .from(auditLog)
    .leftJoin(staff, eq(staff.id, auditLog.staffId))
    .leftJoin(shops, eq(shops.id, auditLog.shopId))
    .leftJoin(shopKeys, eq(shopKeys.prefix, auditLog.keyPrefix))
    .where(
      and(
        IdStaff === undefined ? undefined : eq(auditLog.staffId, IdStaff),
        IdCustomer === undefined ? undefined : eq(auditLog.customerId, IdCustomer),
        Action === undefined ? undefined : eq(auditLog.action, Action),
        Day === undefined ? undefined : and(gte(auditLog.at, midnight(0)), lt(auditLog.at, midnight(1))),
        Cursor === undefined ? undefined : lt(auditLog.id, Cursor),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(pageRows + 1);
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

import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { maskedCode } from "#loyalty/card/code-alphabet.ts";
import { moveCases } from "#loyalty/moved/moved.tables.server.ts";
import { defaultProgrammeId, moneyOf, programmeAt } from "#loyalty/programme/programme.server.ts";
import { keptDays } from "#move/clean-up.server.ts";
import type { Reason } from "#move/package/reasons.ts";
import { type ActionContext, entryOf } from "#office/audit.server.ts";
import { isoMoment } from "#platform/api/reads.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";

const shownCases = 100;

/** Open cases, the oldest first. */
export async function listCases(database: Database) {
  const Cases = await database
    .select({
      ...{ IdCase: moveCases.id, at: moveCases.at, Text: moveCases.text, IdCustomer: moveCases.customerId },
      ...{ Firstname: customers.firstname, Lastname: customers.lastname },
    })
    .from(moveCases)
    .innerJoin(customers, eq(customers.id, moveCases.customerId))
    .where(isNull(moveCases.closedAt))
    .orderBy(asc(moveCases.id))
    .limit(shownCases);
  return { Cases: Cases.map(({ at, ...one }) => ({ ...one, At: at.toISOString() })) };
}

interface Rows extends Record<string, unknown> {
  customer: string;
  records: { source: string; sourceId: string; takenAt: string; linked: boolean }[];
  lots: { id: string; points: number; expiresAt: string | null; remaining: number; pending: boolean }[];
  vouchers: { code: string; cents: number; expiresAt: string; open: boolean }[];
  cards: string[];
  tier: { name: Record<Locale, string>; until: string } | null;
  history: number;
  rejected: { file: string; line: number; field: string | null; value: string | null; reason: Reason }[];
}

/** The rows of the old club, as they were imported or rejected, each beside what the ledger has of it now. */
export async function readCase(database: Database, id: number, context: ActionContext & { locale: Locale }) {
  const { caller, now, requestId, locale } = context;
  const moment = now.toISOString();
  const list = (rows: ReturnType<typeof sql>) => sql`(select coalesce(json_agg(r), '[]') from (${rows}) r)`;
  const { rows } = await database.execute<Rows>(sql`
    select c.customer_id as customer,
      ${list(sql`select source, source_id as "sourceId", taken_at as "takenAt", linked from move_member m where m.customer_id = c.customer_id`)} as records,
      ${list(sql`
        select regexp_replace(split_part(e.cause, ' #', 1), '^import:[^:]+:', '') as id, sum(e.points)::integer as points,
          max(e.expires_at) as "expiresAt", false as pending,
          coalesce(sum(l.remaining) filter (where l.expires_at > ${moment}), 0)::integer as remaining
        from loyalty_entry e left join loyalty_lot l on l.customer_id = e.customer_id and l.entry_id = e.id
        where e.customer_id = c.customer_id and e.kind = 'import' group by 1
        union all
        select regexp_replace(p.cause, '^import:[^:]+:', ''), p.remaining, p.expires_at, true, 0
        from loyalty_pending p where p.customer_id = c.customer_id and p.cause like 'import:%' and p.arrived_at is null
        order by 3, 1`)} as lots,
      ${list(sql`
        select v.code, v.amount_cents as cents, v.expires_at as "expiresAt", v.used_at is null and v.expires_at > ${moment}
          and not exists (select from loyalty_voucher_use u where u.code = v.code) as open
        from loyalty_voucher v join loyalty_entry e on e.customer_id = v.customer_id and e.id = v.id
        where v.customer_id = c.customer_id and e.kind = 'import_voucher' order by v.expires_at`)} as vouchers,
      array(select number from loyalty_card k where k.customer_id = c.customer_id and k.replaced_at is null order by number) as cards,
      (select json_build_object('name', t.name, 'until', f.until) from loyalty_status_floor f
       cross join ${programmeAt(defaultProgrammeId, now)} p join loyalty_tier t on t.programme_id = p.id and t.rank = f.rank
       where f.customer_id = c.customer_id) as tier,
      (select count(*)::integer from loyalty_import_history h where h.customer_id = c.customer_id) as history,
      ${list(sql`
        select j.file, j.line, j.field, j.value, j.reason from move_member m
        join lateral (select id from move_run r where r.source = m.source and r.step = 'commit' and r.state = 'done'
          order by id desc limit 1) last on true
        join move_rejected j on j.run_id = last.id and j.source_id = m.source_id
        where m.customer_id = c.customer_id order by j.file, j.line limit 100`)} as rejected,
      office_customer_read(${caller.staffId}::integer, c.customer_id, ${requestId}::text, ${moment}::timestamptz)
    from move_case c where c.id = ${id}`);
  const found = rows[0];
  if (!found) throw new Refusal("not_found");
  return {
    Records: found.records.map(({ source, sourceId, takenAt, linked }) => ({
      ...{ Source: source, SourceId: sourceId, TakenAt: isoMoment(takenAt), Linked: linked },
    })),
    Lots: found.lots.map((lot) => ({
      ...{ LotId: lot.id, Points: lot.points, Remaining: lot.remaining, Pending: lot.pending },
      ExpiresAt: lot.expiresAt && isoMoment(lot.expiresAt),
    })),
    Vouchers: found.vouchers.map(({ code, cents, expiresAt, open }) => ({
      ...{ Code: maskedCode(code), Amount: moneyOf(cents), ExpiresAt: isoMoment(expiresAt), Open: open },
    })),
    Cards: found.cards,
    Tier: found.tier && { Name: found.tier.name[locale], Until: found.tier.until },
    History: found.history,
    Rejected: found.rejected.map(({ file, line, field, value, reason }) => ({
      ...{ File: file, Line: line, Column: field, Value: value, Reason: reason },
    })),
    KeptDays: keptDays,
  };
}

export async function closeCase(tx: Queries, id: number, { caller, now, requestId }: ActionContext): Promise<void> {
  const [found] = await tx.select().from(moveCases).where(eq(moveCases.id, id)).for("update");
  if (!found) throw new Refusal("not_found");
  if (found.closedAt) throw new Refusal("already_decided");
  const { customerId } = found;
  await tx
    .update(moveCases)
    .set({ closedAt: now, closedBy: caller.staffId })
    .where(and(eq(moveCases.customerId, customerId), eq(moveCases.id, id)));
  await writeAudit(tx, entryOf(caller, { at: now, action: "move_case_closed", customerId, requestId }));
}

import { and, eq, isNull, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { maxMissingText } from "#loyalty/calls.ts";
import { defaultProgrammeId, programmeAt } from "#loyalty/programme/programme.server.ts";
import { defineRead, isoMoment } from "#platform/api/reads.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { movedMembers } from "./moved.tables.server.ts";

interface MovedRow {
  closed: boolean;
  points: number;
  pending: number;
  vouchers: number;
  tier: { name: Record<Locale, string>; until: string } | null;
  caseOpen: boolean;
  total: number;
  entries: { at: string; text: string; points: number }[];
}

/** What another club brought: of an account that has not moved null, after one look-up by its id. */
export const movedRead = defineRead<{ limit: number; offset: number }, MovedRow | null>(
  "loyalty_moved",
  ({ customerId, now, value }) => sql`(
    select json_build_object(
      'closed', m.closed,
      'points', (select coalesce(sum(points), 0) from loyalty_entry e where e.customer_id = ${customerId} and e.kind = 'import'
        and e.at <= m.moved_at and not exists (
          select from loyalty_pending p where p.customer_id = e.customer_id and p.entry_id = e.id)),
      'pending', (select coalesce(sum(remaining), 0) from loyalty_pending p where p.customer_id = ${customerId}
        and p.cause like 'import:%' and (p.arrived_at is null or p.arrived_at > m.moved_at)),
      'vouchers', (select count(*) from loyalty_voucher v join loyalty_entry e on e.customer_id = v.customer_id and e.id = v.id
        where v.customer_id = ${customerId} and e.kind = 'import_voucher' and (v.used_at is null or v.used_at > m.moved_at)),
      'tier', (select json_build_object('name', t.name, 'until', f.until) from loyalty_status_floor f
        cross join ${programmeAt(sql.raw(String(defaultProgrammeId)), now)} p
        join loyalty_tier t on t.programme_id = p.id and t.rank = f.rank
        where f.customer_id = ${customerId} and f.until >= club_day(${now})),
      'caseOpen', exists (select from move_case c where c.customer_id = ${customerId} and c.closed_at is null),
      'total', (select count(*) from loyalty_import_history h where h.customer_id = ${customerId}),
      'entries', (select coalesce(json_agg(h order by h.at desc, h.entry_id), '[]') from (
        select at, entry_id, text, points from loyalty_import_history where customer_id = ${customerId}
        order by at desc, entry_id limit ${value("limit")}::integer offset ${value("offset")}::integer) h))
    from (
      select bool_and(seen_at is not null) as closed, max(moved_at) as moved_at from move_member
      where customer_id = ${customerId} having count(*) > 0) m)`,
);

export const describeMoved = (moved: MovedRow | null, locale: Locale) => ({
  Moved: moved && {
    ...{ Points: moved.points, Pending: moved.pending, Vouchers: moved.vouchers },
    Tier: moved.tier && { Name: moved.tier.name[locale], Until: moved.tier.until },
    ...{ Closed: moved.closed, CaseOpen: moved.caseOpen, Total: moved.total },
    Entries: moved.entries.map(({ at, text, points }) => ({ Date: isoMoment(at), Label: text, Points: points })),
  },
});

export async function closeNotice(database: Database, customerId: number, now: Date): Promise<void> {
  await database
    .update(movedMembers)
    .set({ seenAt: now })
    .where(and(eq(movedMembers.customerId, customerId), isNull(movedMembers.seenAt)));
}

/** A customer has one open case at most: what else is missing is added to it, as far as there is room. */
export async function openCase(database: Database, customerId: number, text: string, now: Date): Promise<void> {
  const { rowCount } = await database.execute(sql`
    insert into move_case (customer_id, at, text)
    select customer_id, ${now.toISOString()}::timestamptz, ${text}
    from move_member where customer_id = ${customerId} limit 1
    on conflict (customer_id) where closed_at is null
    do update set text = left(move_case.text || chr(10) || excluded.text, ${maxMissingText * 4})`);
  if (rowCount === 0) throw new Refusal("not_found");
}

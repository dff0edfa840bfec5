import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Locale } from "#i18n/locale.ts";
import { maskedCode } from "#loyalty/card/code-alphabet.ts";
import { describeEntry } from "#loyalty/ledger/history.server.ts";
import type { entries } from "#loyalty/ledger/ledger.tables.server.ts";
import { moneyOf, type Programme } from "#loyalty/programme/programme.server.ts";
import { correctedFields, type TimelineFilter, type timelineTypes } from "#office/customers/choices.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import { cursorMoment, decodeCursor, encodeCursor } from "#platform/api/cursor.server.ts";
import { isoMoment } from "#platform/api/reads.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { salePoints } from "#shop/sales/purchase/credit-sale.server.ts";
import { pointsWait } from "#shop/sales/review/conflicts.server.ts";

const pageRows = 30;

type TimelineType = (typeof timelineTypes)[number];
type Entry = typeof entries.$inferSelect;

/** How the points of a sale came about: the rule that is stored with it, its campaign, and what returns took back. */
interface Earning {
  paidCents: number;
  pointsPerEuro: number;
  multiplierHundredths: number;
  tier: Record<Locale, string> | null;
  points: number;
  campaignPoints: number;
  campaign: Record<Locale, string> | null;
  taken: number;
  arrivesAt: string | null;
}

type CorrectedValues = Partial<Record<(typeof correctedFields)[number], string | boolean | null>>;

/** What a row may say besides its time; each source fills its own. */
interface Body {
  kind?: string;
  label?: Entry["label"];
  points?: number | null;
  balance?: number | null;
  expiresAt?: string | null;
  code?: string | null;
  usedAt?: string | null;
  shop?: string | null;
  shopId?: number;
  receipt?: string | null;
  ofReceipt?: string;
  cents?: number;
  waiting?: boolean;
  earning?: Earning | null;
  subject?: string | null;
  sentAt?: string | null;
  refusedAt?: string | null;
  given?: boolean;
  source?: string;
  device?: string | null;
  by?: string | null;
  reason?: string | null;
  note?: string | null;
  after?: Record<string, unknown> | null;
  was?: CorrectedValues | null;
  is?: CorrectedValues | null;
}

interface Row extends Record<string, unknown> {
  at: string;
  place: number;
  id: string;
  type: TimelineType;
  body: Body;
}

/** Where a page begins: after this row. The moment is text, as PostgreSQL writes it into JSON, with its microseconds. */
const afterRow = z.tuple([cursorMoment, z.int().min(1).max(7), z.string().regex(/^[\x20-\x7e]{1,80}$/)]);

const amountOf = (lines: SQL, name: string) =>
  sql`(select coalesce(sum((line ->> ${name})::bigint), 0) from jsonb_array_elements(${lines}) line)`;

/** The sources, each with whose rows it reads; `place` is their order within one moment. */
const sources = (customerId: number): Record<TimelineType, SQL> => ({
  // Purchases and returns stand below, with their receipts.
  points: sql`
    select e.at, 1 as place, e.id::text, 'points' as type, jsonb_build_object(
      'kind', e.kind, 'label', e.label, 'points', e.points, 'balance', e.balance, 'expiresAt', e.expires_at,
      'code', v.code, 'usedAt', coalesce(u.used_at, v.used_at)) as body
    from loyalty_entry e
    left join loyalty_voucher v on v.customer_id = e.customer_id and v.id = e.id
    left join loyalty_voucher_use u on u.code = v.code
    where e.customer_id = ${customerId} and e.kind <> 'purchase'
      and not (e.kind = 'return' and e.cause ~ '^(return|exchange|void):')`,
  sale: sql`
    select s.sold_at, 2, s.shop_id || ':' || s.number, 'sale', jsonb_build_object(
      'shop', shop.name, 'shopId', s.shop_id, 'receipt', s.number, 'cents', ${amountOf(sql`s.lines`, "paidCents")},
      'points', nullif(${salePoints}, 0), 'balance', e.balance, 'waiting', ${pointsWait},
      'by', p.firstname || ' ' || p.lastname,
      'earning', case when s.points_per_euro is not null then jsonb_build_object(
        'paidCents', (select coalesce(sum((line ->> 'paidCents')::bigint), 0) from jsonb_array_elements(s.lines) line
          where (line ->> 'earns')::boolean),
        'pointsPerEuro', s.points_per_euro, 'multiplierHundredths', s.multiplier_hundredths, 'tier', (
          select t.name from loyalty_tier t where t.id = s.tier_id order by t.programme_id desc limit 1),
        'points', case when ${pointsWait} then s.waiting_points else ${salePoints} end - s.campaign_points,
        'campaignPoints', s.campaign_points, 'campaign', campaign.name,
        'taken', (select coalesce(sum(r.taken), 0) from shop_return r
          where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied'),
        'arrivesAt', case when s.entry_id is null then s.arrives_at end) end)
    from shop_sale s
    join shop on shop.id = s.shop_id
    left join campaign on campaign.id = s.campaign_id
    left join loyalty_entry e on e.customer_id = s.customer_id and e.id = s.entry_id
    left join staff p on p.id = s.staff_id
    where s.customer_id = ${customerId}`,
  return: sql`
    select r.returned_at, 3, r.shop_id || ':' || r.number || ':' || r.kind, 'return', jsonb_build_object(
      'kind', r.kind, 'shop', shop.name, 'receipt', r.number, 'ofReceipt', r.sale_number,
      'cents', ${amountOf(sql`r.refunds`, "cents")}, 'points', coalesce(e.points, nullif(-r.taken, 0)), 'balance', e.balance,
      'waiting', r.state in ('waiting', 'conflict'), 'by', p.firstname || ' ' || p.lastname)
    from shop_sale s
    join shop_return r on r.sale_shop_id = s.shop_id and r.sale_number = s.number
    join shop on shop.id = r.shop_id
    left join loyalty_entry e on e.customer_id = s.customer_id
      and e.cause = r.kind || ':' || r.shop_id || ':' || r.number
    left join staff p on p.id = r.staff_id
    where s.customer_id = ${customerId}`,
  letter: sql`
    select m.queued_at, 4, m.id::text, 'letter', jsonb_build_object(
      'kind', split_part(m.cause, ':', 1), 'subject', m.subject, 'sentAt', m.sent_at, 'refusedAt', m.refused_at)
    from mail m where m.customer_id = ${customerId}`,
  consent: sql`
    select c.at, 5, c.id::text, 'consent', jsonb_build_object('kind', c.subject, 'given', c.given, 'source', c.source)
    from consent c where c.customer_id = ${customerId}`,
  session: sql`
    select s.created_at, 6, s.id::text, 'session', jsonb_build_object('device', s.device, 'source', s.social_provider)
    from session s where s.customer_id = ${customerId}`,
  // What tills sold and took back stands above. A return that is undone has an entry of the ledger for points that had arrived;
  // of points that are pending this row alone says that they are back.
  team: sql`
    select l.at, 7, l.id::text, 'team', jsonb_build_object(
      'kind', l.action, 'by', p.firstname || ' ' || p.lastname, 'reason', l.reason, 'note', beside.personal ->> 'note',
      'after', l.after, 'receipt', case when l.action = 'return_undone' then l.after ->> 'receipt' end,
      'points', case when l.action = 'return_undone' and not exists (
        select from loyalty_entry e where e.customer_id = ${customerId} and e.kind = 'undo'
          and e.cause like 'undo:%:' || l.shop_id || ':' || (l.after ->> 'receipt'))
        then nullif((l.after ->> 'restored')::integer, 0) end,
      'was', beside.personal -> 'before', 'is', beside.personal -> 'after')
    from audit_log l
    left join staff p on p.id = l.staff_id
    left join audit_personal beside on beside.audit_id = l.id and beside.customer_id = ${customerId}
    where (l.customer_id = ${customerId}
        or l.customer_id in (select m.customer_id from customer_merge m where m.into_id = ${customerId}))
      and l.action not in ('purchase', 'return', 'void', 'hold', 'release')`,
});

const shown: Record<TimelineFilter, TimelineType[]> = {
  all: ["points", "sale", "return", "letter", "consent", "session", "team"],
  points: ["points", "sale", "return", "team"],
  sales: ["sale", "return"],
  letters: ["letter"],
  team: ["team"],
  notes: ["team"],
};

/** What of their rows a filter leaves out. A note may have been written with any action. */
const only: Partial<Record<TimelineFilter, SQL>> = {
  points: sql`(body ->> 'points') is not null`,
  notes: sql`(body ->> 'note') is not null`,
};

/**
 * One timeline of everything about a customer, the newest first. What one customer has is read, whatever the others have.
 * It says as much as the record, so that it was read stands in the audit log too.
 */
export async function readTimeline(
  database: Database,
  caller: OfficeCaller,
  asked: { customerId: number; filter: TimelineFilter; cursor: string | undefined },
  programme: Programme,
  { locale, now, requestId }: { locale: Locale; now: Date; requestId: string },
) {
  const { customerId, filter } = asked;
  const all = sources(customerId);
  const after = decodeCursor(asked.cursor, afterRow);
  const { rows } = await database.execute<Row>(sql`
    select to_json(at) #>> '{}' as at, place, id, type, body
    from (${sql.join(
      shown[filter].map((type) => all[type]),
      sql` union all `,
    )}) happened (at, place, id, type, body)
    where ${only[filter] ?? sql`true`}
      ${
        after
          ? sql`and (at, place, length(id), id collate "C")
              < (${after[0]}::timestamptz, ${after[1]}::integer, length(${after[2]}::text), ${after[2]}::text)`
          : sql``
      }
    -- By length first: entry 10 is later than entry 9.
    order by happened.at desc, place desc, length(id) desc, id collate "C" desc limit ${pageRows + 1}`);
  // After the rows were read, so that a first look does not show itself; before they are handed out.
  await database.execute(
    sql`select office_customer_read(${caller.staffId}::integer, ${customerId}::bigint, ${requestId}::text,
      ${now.toISOString()}::timestamptz)`,
  );
  const page = rows.slice(0, pageRows);
  const last = page.at(-1);
  return {
    Entries: page.map((row) => describe(row, programme, locale)),
    NextCursor: last && rows.length > pageRows ? encodeCursor([last.at, last.place, last.id]) : null,
  };
}

const momentOf = (moment: string | null | undefined) => (moment ? isoMoment(moment) : null);

function describe({ at, id, type, body }: Row, programme: Programme, locale: Locale) {
  const label =
    type === "points"
      ? describeEntry({ kind: body.kind as Entry["kind"], label: body.label ?? {} }, programme, locale)
      : (body.subject ?? null);
  return {
    IdEntry: `${type}:${id}`,
    At: isoMoment(at),
    Type: type,
    Kind: body.kind ?? null,
    Label: label,
    Points: body.points ?? null,
    Balance: body.balance ?? null,
    ExpiresAt: momentOf(body.expiresAt),
    VoucherCode: body.code ? maskedCode(body.code) : null,
    UsedAt: momentOf(body.usedAt),
    ShopName: body.shop ?? null,
    IdShop: body.shopId ?? null,
    ReceiptNumber: body.receipt ?? null,
    OriginalReceiptNumber: body.ofReceipt ?? null,
    Amount: body.cents === undefined ? null : moneyOf(body.cents),
    Waiting: body.waiting ?? false,
    Earning: body.earning ? describeEarning(body.earning, locale) : null,
    SentAt: momentOf(body.sentAt),
    RefusedAt: momentOf(body.refusedAt),
    Given: body.given ?? null,
    Source: body.source ?? null,
    Device: body.device ?? null,
    By: body.by ?? null,
    Reason: body.reason ?? null,
    Note: body.note ?? null,
    After: body.after ?? null,
    Changes: correctedFields.flatMap((field) =>
      body.is && field in body.is
        ? [{ Field: field, Before: body.was?.[field] ?? null, After: body.is[field] ?? null }]
        : [],
    ),
  };
}

const describeEarning = (earning: Earning, locale: Locale) => ({
  Paid: moneyOf(earning.paidCents),
  PointsPerEuro: earning.pointsPerEuro,
  Multiplier: earning.multiplierHundredths / 100,
  TierName: earning.tier?.[locale] ?? null,
  Points: earning.points,
  CampaignPoints: earning.campaignPoints,
  CampaignName: earning.campaign?.[locale] ?? null,
  Taken: earning.taken,
  // Of a sale that was returned whole nothing arrives.
  ArrivesAt: earning.taken < earning.points + earning.campaignPoints ? momentOf(earning.arrivesAt) : null,
});

import { createHash } from "node:crypto";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { amountOf } from "#brand/amounts.ts";
import { countViolations, invariants } from "#loyalty/ledger/invariants/invariants.server.ts";
import { changedHere } from "#move/apply/receipts.server.ts";
import type { OpenPackage } from "#move/package/manifest.server.ts";
import { available, type MeasureName, measureNames, monthOf, oldTotals, type Sums } from "./sums.server.ts";

/** What is compared member by member. */
export const checkNames = [
  "members",
  "balances",
  "vouchers",
  "statuses",
  "consents",
  "cards",
  "passwords",
  "receipts",
  "history",
] as const;
type CheckName = (typeof checkNames)[number];

interface Measure<Name extends string = string> {
  Name: Name;
  /** Null where the manifest does not say. */
  OldSystem: number | null;
  Package: number;
  /** What rejected rows, and members who were customers here, take away or change. */
  Explained: number;
  Ledger: number;
  Difference: number;
}

export interface Reconciliation {
  Source: string;
  PackageHash: string;
  TakenAt: string;
  Release: string;
  At: string;
  Equal: boolean;
  Measures: Measure<MeasureName>[];
  Months: (Omit<Measure, "Name"> & { Month: string })[];
  Statuses: (Omit<Measure, "OldSystem"> & { OldSystem: null })[];
  /** Compared member by member: how many differ. */
  Checks: { Name: CheckName; Compared: number; Different: number }[];
  Invariants: { Number: number; Name: string; Violations: number }[];
  Members: Record<"New" | "Linked" | "Known" | "Done" | "Gone", number>;
  Rejected: number;
  Signature: string;
}

const isGone = "(select customer_id from stage_members where fate = 'gone' and customer_id is not null)";

/*
 * The result, lot by lot and voucher by voucher, as temporary tables. Who was erased or merged since is left out. What customers have done here
 * since they moved is no difference: imported entries are compared, not what is left of them.
 */
const compared = `
  create temp table compared_member on commit drop as
    select s.source_id, s.line, s.fate, s.joined_at, s.left_at, s.rank, s.status_until, s.newsletter, s.newsletter_sms,
      s.password_stored is not null or s.password_steps is not null as has_password, k.customer_id, k.linked, k.moved_at
    from stage_members s cross join stage_now n
    left join move_member k on k.source = n.source and k.source_id = s.source_id
    where s.fate <> 'gone';
  create index on compared_member (customer_id);
  create temp table compared_lot on commit drop as
    with here as (
      select e.customer_id, split_part(e.cause, ' #', 1) as cause, sum(e.points) as points, max(e.expires_at) as expires_at,
        false as pending
      from loyalty_entry e cross join stage_now n
      where e.kind = 'import' and e.cause like 'import:' || replace(n.source, '_', '\\_') || ':%' and not e.copied
        and exists (select from customer c where c.id = e.customer_id) and e.customer_id not in ${isGone}
        and not exists (select from loyalty_pending p where p.customer_id = e.customer_id and p.cause = e.cause and p.arrives_at > n.taken_at)
      group by 1, 2 having max(e.expires_at) > (select taken_at from stage_now)
      union all
      select p.customer_id, p.cause, p.remaining, p.expires_at, true from loyalty_pending p cross join stage_now n
      where p.cause like 'import:' || replace(n.source, '_', '\\_') || ':%' and p.arrives_at > n.taken_at
        and exists (select from customer c where c.id = p.customer_id) and p.customer_id not in ${isGone}),
    there as (
      select m.customer_id, 'import:' || n.source || ':' || l.lot_id as cause, l.points, l.expires_at, not (${available}) as pending
      from stage_lots l join compared_member m using (source_id) cross join stage_now n)
    select coalesce(h.customer_id, t.customer_id) as customer_id, coalesce(h.cause, t.cause) as cause,
      coalesce(h.points, 0)::bigint as here, coalesce(t.points, 0)::bigint as there, coalesce(h.expires_at, t.expires_at) as expires_at,
      h.pending as here_pending, t.pending as there_pending,
      h.cause is not null and t.cause is not null and h.expires_at = t.expires_at and h.pending = t.pending as same_terms
    from here h full join there t on t.customer_id = h.customer_id and t.cause = h.cause`;

const queries = {
  counted: `select
      count(*) filter (where joined_at is not null and left_at is null and exists (
        select from loyalty_account a where a.customer_id = m.customer_id)) as "Members",
      count(*) filter (where joined_at is null and customer_id is not null) as "AccountsWithoutMembership",
      count(*) filter (where not linked and case when c.updated_at <= m.moved_at then c.newsletter else m.newsletter end) as "Newsletter",
      count(*) filter (where not linked and case when c.updated_at <= m.moved_at then c.newsletter_sms else m.newsletter_sms end) as "NewsletterSms"
    from compared_member m left join customer c on c.id = m.customer_id`,
  points: `select coalesce(sum(here) filter (where not here_pending), 0) as "PointsAvailable",
      coalesce(sum(here) filter (where here_pending), 0) as "PointsPending" from compared_lot`,
  vouchers: `select count(*) as "VouchersOpen", coalesce(sum(v.amount_cents), 0) as "VoucherAmountOpen"
    from loyalty_voucher v join loyalty_entry e on e.customer_id = v.customer_id and e.id = v.id cross join stage_now n
    where e.cause = 'import-voucher:' || n.source || ':' || v.code and e.kind = 'import_voucher' and v.expires_at > n.taken_at
      and (v.used_at is null or v.used_at > n.taken_at) and exists (select from customer c where c.id = v.customer_id)
      and v.customer_id not in ${isGone}`,
  cards: `select count(*) as "Cards" from stage_cards s join compared_member m using (source_id)
    join loyalty_card c on c.number = s.card_number and c.customer_id = m.customer_id`,
  months: `select ${monthOf} as name, sum(here) as total from compared_lot where not here_pending group by 1`,
  statuses: `select t.name, count(*) as total from compared_member m
    join stage_tiers t on t.rank = m.rank
    where m.joined_at is not null and m.left_at is null and (m.rank = (select min(rank) from stage_tiers) or exists (
      select from loyalty_status_floor f where f.customer_id = m.customer_id and f.rank >= m.rank)) group by t.rank, t.name`,
  /** Lots that were left as they are, because the customer has moved points here since. */
  keptLots: `select ${monthOf} as name, sum(here - there) as total from compared_lot join kept_lots using (customer_id, cause) group by 1`,
};

/** Each names members that differ, as `customer_id`, and how many were compared. */
const checks: [name: CheckName, compared: string, different: string][] = [
  [
    "members",
    "select count(*) from compared_member",
    "select source_id from compared_member where customer_id is null",
  ],
  [
    "balances",
    "select count(distinct customer_id) from compared_lot",
    `select distinct customer_id from compared_lot l where (here <> there or there > 0 and not same_terms)
       and not exists (select from kept_lots k where k.customer_id = l.customer_id and k.cause = l.cause)`,
  ],
  [
    "vouchers",
    "select count(*) from stage_vouchers",
    `select s.code from stage_vouchers s join compared_member m using (source_id)
     left join loyalty_voucher v on v.customer_id = m.customer_id and v.code = s.code
     where v.code is null or v.amount_cents <> s.amount or v.expires_at <> s.expires_at`,
  ],
  [
    "statuses",
    "select count(*) from compared_member where rank > (select min(rank) from stage_tiers)",
    `select m.customer_id from compared_member m cross join stage_now n
     left join (
       select held.customer_id, held.until, t.rank from stage_now n
       cross join lateral loyalty_programme_at(n.programme_id, n.moment) p
       cross join lateral loyalty_statuses(p.id, p.tier_months, club_day(n.taken_at)) held
       join stage_tiers t on t.id = held.tier_id) held on held.customer_id = m.customer_id
     where m.rank > (select min(rank) from stage_tiers) and m.status_until >= club_day(n.taken_at)
       and (held.rank is null or held.rank < m.rank or held.rank = m.rank and held.until < m.status_until)`,
  ],
  [
    "consents",
    "select count(*) from compared_member where not linked",
    `select m.customer_id from compared_member m join customer c on c.id = m.customer_id
     where not m.linked and c.updated_at <= m.moved_at and (c.newsletter <> coalesce(m.newsletter, c.newsletter)
       or c.newsletter_sms <> coalesce(m.newsletter_sms, c.newsletter_sms))`,
  ],
  [
    "cards",
    "select count(*) from stage_cards",
    `select s.card_number from stage_cards s join compared_member m using (source_id)
     left join loyalty_card c on c.number = s.card_number and c.customer_id = m.customer_id where c.number is null`,
  ],
  [
    "passwords",
    "select count(*) from compared_member where has_password",
    `select m.customer_id from compared_member m join customer c on c.id = m.customer_id cross join stage_now n
     where n.for_good and m.has_password and not m.linked and c.password_hash is null and c.updated_at <= m.moved_at`,
  ],
  [
    "receipts",
    "select count(distinct (shop_id, receipt_number)) from stage_receipts",
    `select t.receipt_number from (
       select shop_id, receipt_number, sum(amount) as cents, coalesce(sum(points), 0) as points from stage_receipts s
       where source_id is null or exists (select from compared_member m where m.source_id = s.source_id) group by 1, 2) t
     cross join stage_now n left join shop_sale s on s.shop_id = t.shop_id and s.number = t.receipt_number
     where s.former_source is distinct from n.source
       or (metric_cents(s.lines, 'paidCents') <> t.cents or s.earned <> t.points)
         and not ${changedHere("s")}`,
  ],
  [
    "history",
    "select count(*) from stage_history",
    `select h.source_id from stage_history h join compared_member m using (source_id) cross join stage_now n
     where not exists (select from loyalty_import_history i
       where i.customer_id = m.customer_id and i.source = n.source and i.entry_id = h.entry_id)`,
  ],
];

/** Compares old system, package and ledger, in the transaction in which the caller is. */
export async function reconcile(
  client: pg.PoolClient,
  pack: OpenPackage,
  { package: told, staged }: { package: Sums; staged: Sums },
  { release, at, run, progress }: { release: string; at: Date; run: number; progress(what: string): void },
): Promise<Reconciliation> {
  const row = async <T extends Record<string, unknown>>(query: string) => (await client.query<T>(query)).rows[0];
  const number = async (query: string) =>
    Number(Object.values((await row<Record<string, string>>(query)) ?? {})[0] ?? 0);
  const list = async (query: string) =>
    new Map(
      (await client.query<{ name: string; total: string }>(query)).rows.map(({ name, total }) => [name, Number(total)]),
    );
  await client.query(compared);
  await client.query("analyze compared_member; analyze compared_lot");
  const keptMonths = await list(queries.keptLots);
  const kept = [...keptMonths.values()].reduce((sum, points) => sum + points, 0);
  const here: Record<string, unknown> = {
    ...(await row(queries.counted)),
    ...(await row(queries.points)),
    ...(await row(queries.vouchers)),
    ...(await row(queries.cards)),
  };
  const old = oldTotals(pack);
  const measure = (oldSystem: number | null, inPackage: number, moved: number, ledger: number) => {
    const explained = moved - inPackage;
    return {
      ...{ OldSystem: oldSystem, Package: inPackage, Explained: explained, Ledger: ledger },
      Difference: ledger - (oldSystem ?? inPackage) - explained,
    };
  };
  const Measures = measureNames.map((Name) => ({
    Name,
    ...measure(
      old[Name] ?? null,
      told[Name],
      staged[Name] + (Name === "PointsAvailable" ? kept : 0),
      Number(here[Name] ?? 0),
    ),
  }));
  const monthsHere = await list(queries.months);
  const oldMonths = new Map(Object.entries(pack.manifest.Totals.PointsByExpiryMonth));
  const Months = [...new Set([...oldMonths.keys(), ...told.months.keys(), ...monthsHere.keys()])]
    .sort()
    .map((Month) => {
      const moved = (staged.months.get(Month) ?? 0) + (keptMonths.get(Month) ?? 0);
      return {
        Month,
        ...measure(oldMonths.get(Month) ?? 0, told.months.get(Month) ?? 0, moved, monthsHere.get(Month) ?? 0),
      };
    });
  const statusesHere = await list(queries.statuses);
  const Statuses = [...told.statuses].map(([Name, total]) => ({
    Name,
    ...measure(null, total, staged.statuses.get(Name) ?? 0, statusesHere.get(Name) ?? 0),
    OldSystem: null,
  }));
  const Checks: Reconciliation["Checks"] = [];
  for (const [Name, comparedQuery, differentQuery] of checks) {
    progress(Name);
    const Different = await number(`select count(*) from (${differentQuery}) d`);
    Checks.push({ Name, Compared: await number(comparedQuery), Different });
  }
  const Invariants: Reconciliation["Invariants"] = [];
  for (const invariant of invariants) {
    progress(`invariant ${invariant.number}`);
    const Violations = await countViolations(drizzle(client), invariant);
    Invariants.push({ Number: invariant.number, Name: invariant.name, Violations });
  }
  const fates = await list("select fate as name, count(*) as total from stage_members group by 1");
  const count = (fate: string) => fates.get(fate) ?? 0;
  const content = {
    ...{ Source: pack.manifest.Source, PackageHash: pack.hash, TakenAt: pack.manifest.TakenAt },
    ...{ Release: release, At: at.toISOString() },
    Equal: differencesOf({ Measures, Months, Statuses, Checks, Invariants }).length === 0,
    ...{ Measures, Months, Statuses, Checks, Invariants },
    Members: {
      New: count("new"),
      Linked: count("linked"),
      Known: count("known"),
      Done: count("done"),
      Gone: count("gone"),
    },
    Rejected: await number(`select count(*) from move_rejected where run_id = ${run}`),
  };
  return { ...content, Signature: createHash("sha256").update(JSON.stringify(content)).digest("hex") };
}

/** What is not as it should be, a sentence each. */
export function differencesOf(
  result: Pick<Reconciliation, "Measures" | "Months" | "Statuses" | "Checks" | "Invariants">,
): string[] {
  const off = (name: string, { Difference }: { Difference: number }) =>
    Difference === 0 ? [] : [`${name} differ by ${Difference}`];
  return [
    ...[...result.Measures, ...result.Statuses].flatMap((one) => off(one.Name, one)),
    ...result.Months.flatMap((one) => off(`Points that expire in ${one.Month}`, one)),
    ...result.Checks.flatMap(({ Name, Different }) => (Different === 0 ? [] : [`${Name}: ${Different} differ`])),
    ...result.Invariants.flatMap((one) =>
      one.Violations === 0 ? [] : [`invariant ${one.Number} is broken by ${one.Violations} rows: ${one.Name}`],
    ),
  ];
}

/** An amount in cents as people read it, other measures as they are. */
export const shownMeasure = (name: string, value: number | null): string =>
  value === null ? "" : name === "VoucherAmountOpen" ? signed(value) : String(value);

const signed = (cents: number) => `${cents < 0 ? "-" : ""}${amountOf(Math.abs(cents))}`;

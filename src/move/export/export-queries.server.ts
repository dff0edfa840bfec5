import pg from "pg";
import { textsOf } from "#brand/texts.server.ts";
import { entryKinds } from "#loyalty/ledger/ledger.tables.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { FileName } from "#move/package/columns.server.ts";
import { ownFormat } from "#move/stage.server.ts";

export const exportSource = "cercle";

const moment = (value: string) => `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const flag = (value: string) => `case when ${value} then 1 else 0 end`;
/**
 * Customers who moved here keep the number of the old club, so that an export of an import is equal, unless another customer
 * had it in another club: then, and where a former club has used it, theirs has something behind that is nobody else's. A
 * subquery of every file, and no temporary table, which PostgreSQL would not read in parallel.
 */
const customers = `(
  select c.*, case when m.source_id is not null and shared.source_id is null then m.source_id
      else '${exportSource}-' || c.id || case when shared.source_id is null and former.source_id is null then ''
        else '-' || left(md5(c.subject::text), 12) end end as source_id, c.email like '%@no-address.invalid' as no_address,
    a.state, a.member_since, a.left_at, a.card_number
  from customer c
  left join (select distinct on (customer_id) customer_id, source_id from move_member order by customer_id, moved_at, source_id) m
    on m.customer_id = c.id
  left join (select source_id from move_member group by 1 having count(distinct customer_id) > 1) shared
    on shared.source_id = m.source_id
  left join (select distinct source_id from move_member where source_id like '${exportSource}-%') former
    on former.source_id = '${exportSource}-' || c.id
  left join loyalty_account a on a.customer_id = c.id
  where not c.guest)`;
/** Statuses and gifts are asked of the whole club at once (db/functions/loyalty_statuses.sql, db/functions/loyalty_keyed_hash.sql). */
const statuses = (now: string) => `(
  select s.customer_id, t.name ->> 'fr' as tier, s.until from loyalty_programme_at(${defaultProgrammeId}, ${now}) p
  cross join lateral loyalty_statuses(p.id, p.tier_months, club_day(${now})) s
  join loyalty_tier t on t.programme_id = p.id and t.id = s.tier_id)`;
const welcomed = `(loyalty_keyed_hash(mailbox_of(c.email), k) in (select person from loyalty_welcome)
  or mailbox_of(c.email) <> c.email and loyalty_keyed_hash(c.email, k) in (select person from loyalty_welcome))`;
/** The kinds of entries, with their names in the history. */
const kinds = () =>
  `(values ${entryKinds
    .map((kind) => {
      const texts = Object.entries(textsOf).map(([locale, { t }]) => [locale, t(`loyalty.history.${kind}`)]);
      return `(${pg.escapeLiteral(kind)}, ${pg.escapeLiteral(JSON.stringify(Object.fromEntries(texts)))}::jsonb)`;
    })
    .join(", ")})`;

const openVoucher = (
  now: string,
) => `v.used_at is null and v.expires_at > ${now} and not exists (select from loyalty_voucher_use u where u.code = v.code)
  and not exists (select from loyalty_voucher_cancel x where x.code = v.code and x.cancelled_at is not null)`;
/** The lot's number in the club it came from, or its own. */
const importedId = (cause: string, own: string) =>
  `case when ${cause} like 'import:%' then substr(split_part(${cause}, ' #', 1), length(split_part(${cause}, ':', 2)) + 9) else ${own} end`;
/** A cause as the number of a row: that of a receipt may be longer, or have a character that no number has. */
const numberOf = (cause: string) =>
  `case when ${cause} ~ '^[A-Za-z0-9_.:/-]{1,64}$' then ${cause} else md5(${cause}) end`;

export interface Source {
  columns: Record<string, string>;
  from: string;
}

/** The columns of each file, in SQL, and where they come from, as of a moment. A column that is not here is empty. */
export const sources = (now: string): Record<FileName, Source> => ({
  members: {
    columns: {
      SourceId: "c.source_id",
      Email: "case when not c.no_address then c.email end",
      Firstname: "nullif(c.firstname, '')",
      Lastname: "nullif(c.lastname, '')",
      Civility: "c.civility",
      Birthday: "c.birthday",
      MobilePhone: "c.mobile_phone",
      Language: "c.language",
      CreatedAt: moment("c.created_at"),
      EmailVerified: moment("c.email_verified_at"),
      LastActiveAt: moment("c.last_seen_at"),
      PasswordHash: "c.password_hash",
      PasswordFormat: `case when c.password_hash is not null then '${ownFormat}' end`,
      Newsletter: flag("c.newsletter"),
      NewsletterSms: flag("c.newsletter_sms"),
      JoinedAt: moment("c.member_since"),
      LeftAt: `case when c.state = 'left' then ${moment(`coalesce(c.left_at, ${now})`)} end`,
      Status: "status.tier",
      StatusUntil: "status.until",
      WelcomeGiven: flag(`not c.no_address and ${welcomed}`),
      Blocked: moment("c.blocked_at"),
    },
    from: `${customers} c cross join loyalty_person_key k left join ${statuses(now)} status on status.customer_id = c.id`,
  },
  cards: {
    columns: { SourceId: "c.source_id", CardNumber: "k.number", Main: flag("k.number = c.card_number") },
    from: `loyalty_card k join ${customers} c on c.id = k.customer_id where k.replaced_at is null`,
  },
  lots: {
    columns: {
      SourceId: "c.source_id",
      LotId: "l.lot_id",
      Points: "l.points",
      EarnedAt: moment("l.earned_at"),
      ExpiresAt: moment("l.expires_at"),
      AvailableAt: moment("l.available_at"),
      PointsEarned: "l.counts",
      Kind: "l.kind",
    },
    from: `(
      select l.customer_id, ${importedId("e.cause", "'e' || e.id")} as lot_id, sum(l.remaining) as points, min(e.at) as earned_at,
        l.expires_at, null::timestamptz as available_at, null::integer as counts, max(e.label ->> 'text') as kind
      from loyalty_lot l join loyalty_entry e on e.customer_id = l.customer_id and e.id = l.entry_id
      where l.remaining > 0 and l.expires_at > ${now} group by 1, 2, l.expires_at
      union all
      select p.customer_id, ${importedId("p.cause", numberOf("p.cause"))}, p.remaining, p.sold_at,
        coalesce(p.expires_at, club_day_end((club_day(p.sold_at) + make_interval(months => v.points_valid_months))::date)),
        -- Points whose day has come are available, also where no one has written that down yet.
        case when p.arrives_at > ${now} then p.arrives_at end, case when p.arrives_at > ${now} then nullif(p.counts, 0) end, p.label ->> 'text'
      from loyalty_pending p join loyalty_account a on a.customer_id = p.customer_id
      cross join lateral loyalty_programme_at(a.programme_id, p.sold_at) v
      where p.arrived_at is null and p.remaining > 0) l join ${customers} c on c.id = l.customer_id`,
  },
  history: {
    columns: { SourceId: "c.source_id", EntryId: "h.entry_id", At: moment("h.at"), Points: "h.points", Text: "h.text" },
    from: `(
      select customer_id, entry_id, at, points, text from loyalty_import_history
      union all
      select e.customer_id, 'e' || e.id, e.at, e.points, coalesce(nullif(trim(left(coalesce(e.label ->> 'text',
        e.label -> 'texts' ->> c.language, e.label -> 'sale' ->> 'shop', k.texts ->> c.language), 500)), ''), e.kind)
      from loyalty_entry e join ${customers} c on c.id = e.customer_id join ${kinds()} k (kind, texts) on k.kind = e.kind
      where e.kind not in ('import', 'import_voucher')) h join ${customers} c on c.id = h.customer_id`,
  },
  vouchers: {
    columns: {
      SourceId: "c.source_id",
      Code: "v.code",
      Amount: "webhook_amount(v.amount_cents)",
      IssuedAt: moment("v.obtained_at"),
      ExpiresAt: moment("v.expires_at"),
      MinimumBasket: "webhook_amount(coalesce(v.minimum_cents, r.minimum_basket_cents))",
    },
    from: `loyalty_voucher v join ${customers} c on c.id = v.customer_id
      left join loyalty_reward r on r.programme_id = v.programme_id and r.id = v.reward_id where ${openVoucher(now)}`,
  },
  receipts: {
    columns: {
      SourceId: "c.source_id",
      Shop: "case when exists (select from shop o where lower(o.name) = lower(shop.name) and o.id <> shop.id) then shop.id::text else shop.name end",
      ReceiptNumber: "s.number",
      SoldAt: moment("s.sold_at"),
      Line: "case when not s.whole then s.line ->> 'line' end",
      Amount: "webhook_amount(s.cents_left::bigint)",
      Points: `case when s.nth = 1 and s.credited then nullif(case when s.points_per_euro is null
        then trunc(s.earned * s.earning_left / nullif(s.earning, 0))
        else trunc(s.earning_left * s.points_per_euro * s.multiplier_hundredths / (100 * cents_per_unit()))
          + least(s.campaign_cap_points,
            trunc((s.earning_left * 100 + s.campaign_left * (coalesce(s.campaign_multiplier_hundredths, 100) - 100))
              * s.points_per_euro * s.multiplier_hundredths / (10000 * cents_per_unit()))
            + case when s.campaign_left >= coalesce(s.campaign_minimum_cents, 1) then coalesce(s.campaign_extra_points, 0) else 0 end
            - trunc(s.earning_left * s.points_per_euro * s.multiplier_hundredths / (100 * cents_per_unit())))
        end, 0)::bigint end`,
      Earns: flag("(s.line ->> 'earns')::boolean"),
      PriceType: "s.line ->> 'priceType'",
      Rule: `case when s.points_per_euro is not null then jsonb_strip_nulls(jsonb_build_object('PointsPerEuro', s.points_per_euro,
        'MultiplierHundredths', s.multiplier_hundredths, 'CampaignMultiplierHundredths', s.campaign_multiplier_hundredths,
        'CampaignExtraPoints', s.campaign_extra_points, 'CampaignMinimumCents', s.campaign_minimum_cents,
        'CampaignCapPoints', s.campaign_cap_points, 'CampaignLines', s.campaign_lines)) end`,
    },
    // What is left of each line; how many points go with it is written with the first.
    from: `(
      select s.*, line, l.cents_left, (line ->> 'earns')::boolean as earns,
        row_number() over receipt as nth,
        sum(case when (line ->> 'earns')::boolean then (line ->> 'paidCents')::bigint else 0 end) over (partition by shop_id, number) as earning,
        sum(case when (line ->> 'earns')::boolean then l.cents_left else 0 end) over (partition by shop_id, number) as earning_left,
        sum(case when (line ->> 'earns')::boolean and (s.campaign_lines is null or line ->> 'line' = any (s.campaign_lines))
          then l.cents_left else 0 end) over (partition by shop_id, number) as campaign_left,
        s.entry_id is not null or s.former_source is not null and s.earned > 0 or exists (select from loyalty_pending p
          where p.customer_id = s.customer_id and p.cause = 'purchase:' || s.shop_id || ':' || s.number) as credited
      from shop_sale s cross join jsonb_array_elements(s.lines) line
      cross join lateral (select (line ->> 'paidCents')::bigint - coalesce((
        select sum((refund ->> 'cents')::bigint) from shop_return r cross join jsonb_array_elements(r.refunds) refund
        where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied'
          and refund ->> 'line' = line ->> 'line'), 0) as cents_left) l
      where l.cents_left > 0
      window receipt as (partition by shop_id, number order by (line ->> 'line')::integer)) s
      join shop on shop.id = s.shop_id left join ${customers} c on c.id = s.customer_id and c.member_since is not null`,
  },
  debts: {
    columns: {
      SourceId: "c.source_id",
      DebtId: importedId("d.cause", numberOf("d.cause")),
      Points: "d.remaining",
      OwedAt: moment("d.owed_at"),
    },
    from: `loyalty_debt d join ${customers} c on c.id = d.customer_id where d.remaining > 0`,
  },
  "earned-days": {
    columns: { SourceId: "c.source_id", Day: "d.day", Points: "d.points" },
    from: `(
      select customer_id, day, coalesce(e.points, 0) + coalesce(p.points, 0) as points
      from loyalty_earned_day e full join (
        select customer_id, club_day(sold_at) as day, sum(counts) as points from loyalty_pending
        where arrived_at is null and arrives_at <= ${now} and counts > 0 group by 1, 2) p using (customer_id, day)) d
      join ${customers} c on c.id = d.customer_id`,
  },
  consents: {
    columns: {
      SourceId: "c.source_id",
      Subject: "s.subject",
      Given: flag("s.given"),
      At: moment("s.at"),
      Source: "s.source",
      Text: "s.text_version",
    },
    // Of two consents of one moment the last one counts.
    from: `(select distinct on (customer_id, subject, at) * from consent order by customer_id, subject, at, id desc) s
      join ${customers} c on c.id = s.customer_id`,
  },
  social: {
    columns: { SourceId: "c.source_id", Provider: "s.provider", Subject: "s.provider_customer_id" },
    from: `social_account s join ${customers} c on c.id = s.customer_id`,
  },
});

/** Other people of the same shape: nothing of the original is left in them, and what was unique stays unique. */
export const anonymous: Record<string, string> = {
  Email: "case when not c.no_address then 'member' || c.id || '@example.com' end",
  Firstname: "(array['Anne', 'Jean', 'Marie', 'Paul', 'Luise', 'Tom', 'Eva', 'Max'])[1 + c.id % 8]",
  Lastname: "'Membre ' || c.id",
  Birthday: "c.birthday - (extract(day from c.birthday)::integer - 1)",
  MobilePhone: "case when c.mobile_phone is not null then '+336' || lpad((c.id % 100000000)::text, 8, '0') end",
  PasswordHash: "null::text",
  PasswordFormat: "null::text",
};

/** What the manifest says of the whole club. */
export async function queryTotals(client: pg.PoolClient, now: string) {
  const one = async <T extends Record<string, unknown>>(query: string) => (await client.query<T>(query)).rows[0];
  const members = await one<{ members: string; newsletter: string; sms: string }>(
    `select count(*) filter (where state = 'active') as members, count(*) filter (where newsletter) as newsletter,
       count(*) filter (where newsletter_sms) as sms from ${customers} c`,
  );
  const { rows: months } = await client.query<{ month: string; points: string }>(
    `select to_char(club_day(expires_at), 'YYYY-MM') as month, sum(points) as points from (
       select l.expires_at, sum(l.remaining) as points from loyalty_lot l join ${customers} c on c.id = l.customer_id
       where l.remaining > 0 and l.expires_at > ${now} group by 1) days
     group by 1 order by 1`,
  );
  const vouchers = await one<{ count: string; amount: string }>(
    `select count(*) as count, webhook_amount(coalesce(sum(v.amount_cents), 0)::bigint) as amount
     from loyalty_voucher v join ${customers} c on c.id = v.customer_id where ${openVoucher(now)}`,
  );
  return {
    Members: Number(members?.members),
    PointsAvailable: months.reduce((sum, { points }) => sum + Number(points), 0),
    PointsByExpiryMonth: Object.fromEntries(months.map(({ month, points }) => [month, Number(points)])),
    VouchersOpen: Number(vouchers?.count),
    VoucherAmountOpen: vouchers?.amount ?? "0",
    Newsletter: Number(members?.newsletter),
    NewsletterSms: Number(members?.sms),
  };
}

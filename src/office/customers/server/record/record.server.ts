import { sql } from "drizzle-orm";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { readablePhone } from "#identity/customer/phone.server.ts";
import { describeSessions, noSession, sessionsRead } from "#identity/session/session.server.ts";
import { maskedCode } from "#loyalty/card/code-alphabet.ts";
import { describePending } from "#loyalty/ledger/ledger.server.ts";
import { type LoyaltyAccount, loyaltyAccountRead, voucherValue } from "#loyalty/ledger/loyalty-customer.server.ts";
import { valueOfPoints } from "#loyalty/programme/point-value.ts";
import { defaultProgrammeId, moneyOf, programmeAt } from "#loyalty/programme/programme.server.ts";
import type { Reason } from "#office/customers/choices.ts";
import { type DaySums, daySums, leftToday } from "#office/customers/server/adjustments/adjustment-limits.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import { columnOf, isoMoment } from "#platform/api/reads.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { buildStatement } from "#platform/database/statements.server.ts";
import { Refusal } from "#platform/refusal.ts";

/** What staff often write to a customer about an adjustment. */
const adjustmentTexts = [
  ...(["adjustment.gesture", "adjustment.missing", "adjustment.mistake"] as const),
  ...(["adjustment.delay", "adjustment.thanks"] as const),
];

interface Facts {
  person: {
    email: string;
    verified: boolean;
    firstname: string;
    lastname: string;
    civility: "M" | "Mme" | null;
    birthday: string | null;
    phone: string | null;
    language: Locale;
    origin: string;
    createdAt: string;
    lastSeenAt: string;
    blockedAt: string | null;
    pendingEmail: string | null;
    newsletter: boolean;
    sms: boolean;
    mergedAccounts: number;
  };
  lots: { month: string; points: number }[];
  addedExpireAt: string;
  vouchers: {
    id: number;
    code: string;
    cents: number;
    obtainedAt: string;
    expiresAt: string;
    usedAt: string | null;
    cancelled: boolean;
    shop: string | null;
    receipt: string | null;
  }[];
  year: { receipts: number; cents: number; returns: number; returnedCents: number };
  consents: { subject: "newsletter" | "sms" | "loyalty"; given: boolean; at: string }[];
  passes: { google: boolean; apple: number };
  requests: {
    id: number;
    kind: "points" | "voucher" | "erase" | "merge";
    points: number;
    cents: number;
    other: { id: number; firstname: string; lastname: string; email: string } | null;
    reason: Reason;
    askedBy: string;
    mine: boolean;
    askedAt: string;
  }[];
  notes: { at: string; by: string | null; text: string }[];
  today: DaySums;
  rewards: { id: number; points: number; cents: number; name: Record<Locale, string> }[];
}

interface Row extends Record<string, unknown> {
  loyalty: LoyaltyAccount;
  sessions: Parameters<typeof describeSessions>[0];
  facts: Facts;
}

const given = (name: string) => sql.placeholder(name);
const now = sql`${given("now")}::timestamptz`;

/**
 * Everything about one customer in one round trip. That a member of staff read it is written to the audit log
 * (db/functions/office_customer_read.sql).
 */
const statement = buildStatement(sql`
  select office_customer_read(${given("staffId")}::integer, caller.id, ${given("requestId")}::text, ${now}),
    ${columnOf(loyaltyAccountRead, "")} as loyalty, ${columnOf(sessionsRead, "")} as sessions,
    json_build_object(
      'person', json_build_object(
        'email', caller.email, 'verified', caller.email_verified_at is not null, 'firstname', caller.firstname,
        'lastname', caller.lastname, 'civility', caller.civility, 'birthday', caller.birthday,
        'phone', caller.mobile_phone, 'language', caller.language, 'origin', caller.origin,
        'createdAt', caller.created_at, 'lastSeenAt', caller.last_seen_at, 'blockedAt', caller.blocked_at,
        'pendingEmail', (select l.email from link l where l.customer_id = caller.id and l.purpose = 'email_change'
          and l.expires_at > ${now} limit 1),
        'newsletter', caller.newsletter, 'sms', caller.newsletter_sms,
        'mergedAccounts', (select count(*) from customer_merge where into_id = caller.id)),
      'lots', (
        select coalesce(json_agg(l order by l.month), '[]') from (
          select to_char(club_day(expires_at), 'YYYY-MM') as month, sum(remaining) as points from loyalty_lot
          where customer_id = caller.id and remaining > 0 and expires_at > ${now} group by 1) l),
      'vouchers', (
        select coalesce(json_agg(v order by v.id desc), '[]') from (
          select v.id, v.code, v.amount_cents as cents, v.obtained_at as "obtainedAt", v.expires_at as "expiresAt",
            coalesce(u.used_at, v.used_at) as "usedAt", x.cancelled_at is not null as cancelled, shop.name as shop, u.receipt_number as receipt
          from loyalty_voucher v
          left join loyalty_voucher_use u on u.code = v.code
          left join loyalty_voucher_cancel x on x.code = v.code
          left join shop on shop.id = u.shop_id
          where v.customer_id = caller.id order by v.id desc limit 50) v),
      'year', (
        select json_build_object(
          'receipts', count(*), 'cents', coalesce(sum(paid.cents), 0),
          'returns', coalesce(sum(back.count), 0), 'returnedCents', coalesce(sum(back.cents), 0))
        from shop_sale s
        cross join lateral (
          select sum((line ->> 'paidCents')::bigint) as cents from jsonb_array_elements(s.lines) line) paid
        cross join lateral (
          select count(distinct r.number) as count, sum((refund ->> 'cents')::bigint) as cents
          from shop_return r left join lateral jsonb_array_elements(r.refunds) refund on true
          where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied') back
        where s.customer_id = caller.id and s.sold_at > ${now} - interval '12 months'
          and not shop_sale_voided(s.shop_id, s.number)),
      'consents', (
        select coalesce(json_agg(c order by c.subject), '[]') from (
          select distinct on (subject) subject, given, at from consent
          where customer_id = caller.id order by subject, id desc) c),
      'passes', json_build_object(
        'google', exists (select from google_pass where customer_id = caller.id),
        'apple', (select count(*) from apple_device where customer_id = caller.id)),
      'requests', (
        select coalesce(json_agg(json_build_object(
          'id', r.id, 'kind', r.kind, 'points', r.points, 'cents', r.cents, 'reason', r.reason,
          'askedBy', p.firstname || ' ' || p.lastname, 'mine', r.asked_by = ${given("staffId")}::integer,
          'askedAt', r.asked_at, 'other', case when o.id is not null then json_build_object(
            'id', o.id, 'firstname', o.firstname, 'lastname', o.lastname, 'email', o.email) end) order by r.id), '[]')
        from office_request r join staff p on p.id = r.asked_by
        left join customer o on o.id in (r.customer_id, r.other_id) and o.id <> caller.id
        where caller.id in (r.customer_id, r.other_id) and r.state = 'waiting'),
      'notes', (
        select coalesce(json_agg(n order by n.id desc), '[]') from (
          select l.id, l.at, p.firstname || ' ' || p.lastname as by, beside.personal ->> 'note' as text
          from audit_personal beside join audit_log l on l.id = beside.audit_id and l.action = 'note_added'
          left join staff p on p.id = l.staff_id
          where beside.customer_id = caller.id order by l.id desc limit 5) n),
      'today', ${daySums({ customerId: sql`caller.id`, staffId: sql`${given("staffId")}::integer`, now })},
      -- Like db/functions/loyalty_add.sql.
      'addedExpireAt', (
        select club_day_end((club_day(${now}) + make_interval(months => p.points_valid_months))::date)
        from ${programmeAt(sql`${given("programmeId")}`, sql`${now}`)} p),
      'rewards', (
        select coalesce(json_agg(json_build_object('id', id, 'points', points, 'cents', amount_cents, 'name', name)
          order by points), '[]')
        from loyalty_reward where programme_id = (
          select id from ${programmeAt(sql`${given("programmeId")}`, sql`${now}`)}))) as facts
  from customer caller where caller.id = ${given("customerId")}::bigint and not caller.guest`);

/** The record of one customer. */
export async function readRecord(
  database: Database,
  caller: OfficeCaller,
  customerId: number,
  call: { now: Date; locale: Locale; requestId: string },
) {
  const { locale, requestId } = call;
  const values = {
    ...{ customerId, requestId, staffId: caller.staffId, programmeId: defaultProgrammeId },
    now: call.now.toISOString(),
  };
  const { rows } = await database.$client.query<Row>({
    name: "office_customer",
    text: statement.text,
    values: statement.parameters(values),
  });
  const [row] = rows;
  if (!row) throw new Refusal("not_found");
  return describeRecord(row, customerId, { locale, now: call.now });
}

function describeRecord({ loyalty, sessions, facts }: Row, customerId: number, call: { locale: Locale; now: Date }) {
  const { locale, now } = call;
  const { person, year, today } = facts;
  const rank = loyalty?.rank;
  const member = loyalty?.state === "active";
  const left = leftToday(today);
  return {
    IdCustomer: customerId,
    Email: person.email,
    EmailVerified: person.verified,
    PendingEmail: person.pendingEmail,
    NewsletterSubscribe: person.newsletter,
    NewsletterSmsSubscribe: person.sms,
    Firstname: person.firstname,
    Lastname: person.lastname,
    Civility: person.civility,
    Birthday: person.birthday,
    MobilePhone: person.phone && readablePhone(person.phone),
    LanguageIsoCode: person.language,
    Origin: person.origin,
    CreatedAt: isoMoment(person.createdAt),
    LastSeenAt: isoMoment(person.lastSeenAt),
    BlockedAt: person.blockedAt && isoMoment(person.blockedAt),
    MergedAccounts: person.mergedAccounts,
    State: member ? ("member" as const) : loyalty?.state === "left" ? ("left" as const) : ("none" as const),
    MemberSince: loyalty?.memberSince ? isoMoment(loyalty.memberSince) : null,
    CardNumber: loyalty?.cardNumber ?? null,
    Tier: member && rank ? { Rank: rank.tier.rank, Name: rank.tier.name[locale], Until: rank.until } : null,
    TierMonths: loyalty?.tierMonths ?? 0,
    NextTier:
      member && rank?.next
        ? {
            Name: rank.next.name[locale],
            PointsRequired: rank.next.pointsRequired,
            PointsMissing: rank.next.pointsRequired - (loyalty?.earned ?? 0),
          }
        : null,
    Points: {
      Available: loyalty?.available ?? 0,
      Value: loyalty ? voucherValue(loyalty) : moneyOf(0),
      ...describePending(loyalty?.pending ?? null),
      Debt: loyalty?.debt ?? 0,
      EarnedLast12Months: loyalty?.earned ?? 0,
      ByExpiry: facts.lots.map(({ month, points }) => ({ Month: month, Points: points })),
    },
    Vouchers: facts.vouchers.map((voucher) => ({
      IdCustomerReward: voucher.id,
      Code: maskedCode(voucher.code),
      Value: moneyOf(voucher.cents),
      ObtainedAt: isoMoment(voucher.obtainedAt),
      ExpiresAt: isoMoment(voucher.expiresAt),
      State: voucher.usedAt
        ? ("used" as const)
        : voucher.cancelled
          ? ("cancelled" as const)
          : new Date(voucher.expiresAt) > now
            ? ("available" as const)
            : ("expired" as const),
      UsedAt: voucher.usedAt && isoMoment(voucher.usedAt),
      ShopName: voucher.shop,
      ReceiptNumber: voucher.receipt,
    })),
    Last12Months: {
      Receipts: year.receipts,
      Amount: moneyOf(year.cents - year.returnedCents),
      Returns: year.returns,
    },
    Sessions: describeSessions(sessions, noSession),
    Consents: facts.consents.map(({ subject, given, at }) => ({ Subject: subject, Given: given, At: isoMoment(at) })),
    Passes: { Google: facts.passes.google, ApplePhones: facts.passes.apple },
    Requests: facts.requests.map((request) => ({
      IdRequest: request.id,
      Kind: request.kind,
      Points: request.points,
      Value: moneyOf(request.cents),
      Other: request.other && {
        IdCustomer: request.other.id,
        Firstname: request.other.firstname,
        Lastname: request.other.lastname,
        Email: request.other.email,
      },
      Reason: request.reason,
      AskedBy: request.askedBy,
      Mine: request.mine,
      AskedAt: isoMoment(request.askedAt),
    })),
    /** What the caller may still give or take of this customer today without a second person. */
    Free: {
      Points: Math.min(left.points, valueOfPoints({ rewards: loyalty?.rewards ?? [] }).pointsWithin(left.cents)),
      Cents: left.cents,
    },
    AddedExpireAt: isoMoment(facts.addedExpireAt),
    AdjustmentTexts: adjustmentTexts.map((id) => textsOf[person.language].t(id)),
    Notes: facts.notes.map(({ at, by, text }) => ({ At: isoMoment(at), By: by, Text: text })),
    Rewards: facts.rewards.map((reward) => ({
      IdLoyaltyReward: reward.id,
      Name: reward.name[locale],
      Points: reward.points,
      Value: moneyOf(reward.cents),
    })),
  };
}

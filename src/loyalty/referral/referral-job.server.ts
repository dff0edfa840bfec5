import { and, eq, inArray, sql } from "drizzle-orm";
import { textsOf } from "#brand/texts.server.ts";
import { type Locale, locales } from "#i18n/locale.ts";
import { lockCustomer } from "#identity/customer/customer.server.ts";
import { accounts } from "#loyalty/ledger/account.tables.server.ts";
import { earn } from "#loyalty/ledger/earning.server.ts";
import { clawBack } from "#loyalty/ledger/ledger.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { ReferralRules } from "#loyalty/programme/rules.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import type { Jobs, Scheduled } from "#platform/jobs/jobs.server.ts";
import { referrals } from "./referral.tables.server.ts";

const referralJob = "loyalty:referrals";
const batchSize = 500;

/** After the points of purchases have arrived (src/loyalty/ledger/ledger-jobs.server.ts). */
export const referralSchedule: readonly Scheduled[] = [{ name: referralJob, clubTime: "00:25" }];

export function referralJobs({ publicUrl, now }: { publicUrl: string; now: () => Date }): Jobs {
  return {
    async [referralJob](_, database) {
      await takeBackAll(database, now());
      await creditAll(database, publicUrl, now());
    },
  };
}

interface Waiting {
  id: number;
  memberId: number;
  locale: Locale;
  /** For good: the two are one household, the friend is not new, or one of them is gone. */
  refused: boolean;
  /** The first purchase that is kept, when its days are over. */
  purchase: { shopId: number; receiptNumber: string; referral: ReferralRules } | null;
}

/**
 * Decides about every friend who has not brought points yet. The rules are applied to a batch in one statement; points are
 * credited one member at a time, as no transaction locks two accounts, and by a cause, so a repeated job credits nothing.
 */
async function creditAll(database: Database, publicUrl: string, now: Date): Promise<void> {
  for (let last = 0; ; ) {
    const batch = await readWaiting(database, last, now);
    const refused = batch.filter((one) => one.refused).map(({ id }) => id);
    if (refused.length > 0) await refuse(database, refused);
    for (const { purchase, ...one } of batch)
      if (purchase && !one.refused)
        await database.transaction(async (tx) => creditReferral(tx, { ...one, ...purchase }, { now, publicUrl }));
    if (batch.length < batchSize) return;
    last = batch.at(-1)?.id ?? last;
  }
}

/**
 * Refused is who shares an address, a phone or a wallet with the member (db/functions/customers_share.sql). A purchase counts
 * when it earned points and what is left of it (db/functions/shop_sale_left.sql) is worth at least the points that it brings
 * (db/functions/referral_kept.sql): where less is, the next purchase is the first. Its days are counted like those of pending points. While
 * one of the two is blocked, or the friend's address is not confirmed, nothing is credited: an invented address is no friend.
 */
async function readWaiting(database: Database, last: number, now: Date): Promise<Waiting[]> {
  const moment = sql`${now.toISOString()}::timestamptz`;
  const { rows } = await database.execute<{ [Name in keyof Waiting]: Waiting[Name] }>(sql`
    select r.id::integer, r.member_id::integer as "memberId", mc.language as locale, coalesce(
        fa.state = 'erased' or ma.state = 'erased' or r.customer_id = r.member_id or customers_share(r.customer_id, r.member_id)
        or exists (select from move_member i where i.customer_id = r.customer_id), true) as refused,
      case when mc.blocked_at is null and fc.blocked_at is null and fc.email_verified_at is not null
        and club_day_start(club_day(bought.pending_from) + (bought.referral ->> 'days')::integer) <= ${moment}
        then json_build_object('shopId', bought.shop_id, 'receiptNumber', bought.number, 'referral', bought.referral)
        end as purchase
    from (
      select * from loyalty_referral where state = 'waiting' and id > ${last} order by id limit ${batchSize}) r
    left join loyalty_account fa on fa.customer_id = r.customer_id
    left join loyalty_account ma on ma.customer_id = r.member_id
    left join customer fc on fc.id = r.customer_id
    left join customer mc on mc.id = r.member_id
    left join lateral (
      select s.shop_id, s.number, coalesce(s.pending_from, s.sold_at) as pending_from, p.referral
      from shop_sale s cross join lateral loyalty_programme_at(fa.programme_id, s.sold_at) p
      where s.customer_id = r.customer_id and s.former_source is null and club_day(s.sold_at) >= club_day(r.joined_at)
        and (s.entry_id is not null or exists (select from loyalty_pending w
          where w.customer_id = s.customer_id and w.cause = 'purchase:' || s.shop_id || ':' || s.number))
        and referral_kept(s.shop_id, s.number, ${defaultProgrammeId}, (p.referral ->> 'points')::integer)
      order by s.sold_at, s.shop_id, s.number limit 1) bought on true
    order by r.id`);
  return rows;
}

async function refuse(queries: Queries, ids: number[]): Promise<void> {
  await queries
    .update(referrals)
    .set({ state: "refused" })
    .where(and(inArray(referrals.id, ids), eq(referrals.state, "waiting")));
}

/** Credits one friend, unless the member has had as many this year or has left; what is refused stays refused. */
async function creditReferral(
  tx: Queries,
  due: { id: number; memberId: number; locale: Locale; shopId: number; receiptNumber: string; referral: ReferralRules },
  { now, publicUrl }: { now: Date; publicUrl: string },
): Promise<void> {
  const { id, memberId, locale, shopId, receiptNumber, referral } = due;
  // The member first, as every movement of points does: the friends of a year are counted under this lock.
  await lockCustomer(tx, memberId);
  const [member] = await tx
    .select({
      state: accounts.state,
      thisYear: sql<number>`(
        select count(*)::integer from loyalty_referral given where given.member_id = ${memberId}
          and extract(year from club_day(given.credited_at)) = extract(year from club_day(${now.toISOString()}::timestamptz)))`,
    })
    .from(accounts)
    .where(eq(accounts.customerId, memberId));
  const waiting = and(eq(referrals.id, id), eq(referrals.memberId, memberId), eq(referrals.state, "waiting"));
  if (member?.state !== "active" || referral.points === 0 || member.thisYear >= referral.perYear) {
    await tx.update(referrals).set({ state: "refused" }).where(waiting);
    return;
  }
  const { points } = referral;
  const credited = await tx
    .update(referrals)
    // Looked at once more: a return that is being written does not see this row yet.
    .set({ state: "credited", creditedAt: now, points, shopId, receiptNumber, checkSince: now })
    .where(waiting)
    .returning({ id: referrals.id });
  // Another job was faster, or the accounts were merged meanwhile.
  if (credited.length === 0) return;
  const earning = { customerId: memberId, points, kind: "referral", cause: referralCause(id), label: {} } as const;
  await earn(tx, defaultProgrammeId, earning, { now, locale, publicUrl });
}

/** It names no friend: the customer's own export shows it. */
const referralCause = (id: number) => `referral:${id}`;

/**
 * Takes points back of friends who kept too little of the first purchase, and of those who turned out not to be new. A return
 * marks the recommendation that it is about (db/functions/referral_returned.sql), and only those are read. Returns of today
 * wait: they can be undone until the day is over.
 */
async function takeBackAll(database: Database, now: Date): Promise<void> {
  for (let last = 0; ; ) {
    const batch = await database.transaction(async (tx) => readMarked(tx, last, now));
    for (const { id, memberId, ended } of batch)
      if (ended) await database.transaction(async (tx) => takeBack(tx, id, memberId, now));
    if (batch.length < batchSize) return;
    last = batch.at(-1)?.id ?? last;
  }
}

/**
 * A batch of marked recommendations; of those whose purchase is kept the mark is removed. They are locked first: a return that
 * has marked one is seen by the second statement, and one that marks it later waits and leaves its mark.
 */
async function readMarked(tx: Queries, last: number, now: Date) {
  const today = sql`club_day_start(club_day(${now.toISOString()}::timestamptz))`;
  const { rows } = await tx.execute<{ id: number; memberId: number }>(sql`
    select r.id::integer, r.member_id::integer as "memberId" from loyalty_referral r
    where (r.state = 'revoked' or r.check_since < ${today}) and r.id > ${last} order by r.id limit ${batchSize}
    for no key update`);
  const ids = sql.param(rows.map(({ id }) => id));
  const { rows: kept } = await tx.execute<{ id: number }>(sql`
    update loyalty_referral r set check_since = null
    where r.id = any (${ids}::bigint[]) and r.state <> 'revoked'
      and referral_kept(r.shop_id, r.receipt_number, ${defaultProgrammeId}, r.points) is not false
    returning r.id::integer`);
  const unmarked = new Set(kept.map(({ id }) => id));
  return rows.map((row) => ({ ...row, ended: !unmarked.has(row.id) }));
}

async function takeBack(tx: Queries, id: number, memberId: number, now: Date): Promise<void> {
  await lockCustomer(tx, memberId);
  const [taken] = await tx
    .update(referrals)
    .set({ state: "taken_back", checkSince: null })
    .where(
      and(eq(referrals.id, id), eq(referrals.memberId, memberId), inArray(referrals.state, ["credited", "revoked"])),
    )
    .returning({ points: referrals.points });
  if (!taken?.points) return;
  await clawBack(tx, {
    customerId: memberId,
    purchase: referralCause(id),
    points: taken.points,
    cause: `referral-back:${id}`,
    label: {
      texts: Object.fromEntries(locales.map((locale) => [locale, textsOf[locale].t("loyalty.history.referralBack")])),
    },
    now,
    exchange: null,
  });
}

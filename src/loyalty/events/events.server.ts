import { and, eq, isNotNull, sql } from "drizzle-orm";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { ClubContext } from "#loyalty/club-context.ts";
import { smsBonuses } from "#loyalty/ledger/account.tables.server.ts";
import { earn } from "#loyalty/ledger/earning.server.ts";
import { firstAccount } from "#loyalty/membership/welcome-gift.server.ts";
import { type ClubEvent, describeEvent, type Programme, programmeAt } from "#loyalty/programme/programme.server.ts";
import { defineRead, isoMoment, readById } from "#platform/api/reads.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";

/** A birthday that was changed must be this old before it brings points. */
const birthdayUnchangedDays = 30;

/** What the server knows of the customer and an event's proof may need. */
interface Facts {
  member: boolean;
  emailVerified: boolean;
  mobilePhone: string | null;
  birthday: string | null;
  birthdayChangedAt: string | null;
  newsletter: boolean;
  newsletterSms: boolean;
  /** Whether the SMS bonus of this phone number was given, to this customer or to another. */
  phoneGiven: boolean;
  /** Whether they bought something that was not given back in full. */
  bought: boolean;
  /** The person had the welcome gift with another account (db/functions/loyalty_had_welcome.sql), or joined with it first. */
  secondAccount: boolean;
  /** When each cause of an event's points was credited. */
  obtained: Record<string, string>;
  /** The club's day, `YYYY-MM-DD` (db/functions/club_day.sql). */
  today: string;
}

/** How the server checks that an event happened. A proof that is not listed here is never met. */
const proofs: Record<string, (facts: Facts, now: Date) => boolean> = {
  email_confirmed: (facts) => facts.emailVerified,
  profile_complete: (facts) => facts.mobilePhone !== null && facts.birthday !== null,
  newsletter: (facts) => facts.newsletter,
  // Nothing proves that the phone is theirs: a purchase makes it too dear to use up another person's number.
  sms: (facts) => facts.bought && facts.newsletterSms && facts.mobilePhone !== null && !facts.phoneGiven,
  birthday: ({ birthday, birthdayChangedAt, today, ...facts }, now) =>
    birthday !== null &&
    (facts.bought || !facts.secondAccount) &&
    // Only months are compared, so a birthday on 29 February counts every year.
    birthday.slice(5, 7) === today.slice(5, 7) &&
    (birthdayChangedAt === null || now.getTime() - Date.parse(birthdayChangedAt) >= birthdayUnchangedDays * 86_400_000),
};

/** The welcome gift is credited on joining, under the same cause. */
const welcome = "welcome";

/** Credited once per phone number, ever: one phone must not bring a bonus to many accounts. */
const sms = "sms";

/** The ledger's cause of an event's points: once ever, or once in each calendar year. */
function causeOf(event: ClubEvent, today: string): string {
  if (event.proof === welcome) return welcome;
  return event.frequency === "yearly" ? `event:${event.id}:${today.slice(0, 4)}` : `event:${event.id}`;
}

/** A gift that was not taken back as a second one (src/loyalty/membership/welcome-gift.server.ts#takeSecondGift). */
const isKept = sql`not exists (
  select from loyalty_claw_back taken where taken.customer_id = entry.customer_id and taken.purchase_id = entry.id)`;

/**
 * What is known of the customer, and which events they have had. The phone number is compared by its keyed hash
 * (db/functions/loyalty_person.sql).
 */
export const eventFactsRead = defineRead<{ programmeId: number }, Facts | null>(
  "loyalty_event_facts",
  ({ customerId, now, value }) => sql`(
    select json_build_object(
      'emailVerified', customer.email_verified_at is not null,
      'mobilePhone', customer.mobile_phone,
      'birthday', customer.birthday,
      'birthdayChangedAt', customer.birthday_changed_at,
      'newsletter', customer.newsletter,
      'newsletterSms', customer.newsletter_sms,
      'phoneGiven', exists (select from loyalty_sms_bonus where phone = loyalty_person(customer.mobile_phone)),
      'bought', exists (
        select from shop_sale sale
        where sale.customer_id = customer.id and (
            select sum((line ->> 'paidCents')::bigint) from jsonb_array_elements(sale.lines) line) > coalesce((
            select sum((refund ->> 'cents')::bigint) from shop_return given_back
            cross join jsonb_array_elements(given_back.refunds) refund
            where given_back.sale_shop_id = sale.shop_id and given_back.sale_number = sale.number
              and given_back.state = 'applied'), 0)),
      'secondAccount', loyalty_had_welcome(customer.email) and not exists (
          select from loyalty_entry entry
          where entry.customer_id = customer.id and entry.cause = ${welcome}::text and ${isKept})
        and not exists (
          select from loyalty_entry entry
          where entry.customer_id = customer.id and entry.cause ~ '^merged:.*:welcome$' and ${isKept})
        and not exists (select from loyalty_welcome first where first.person = ${firstAccount(sql`customer.id`)}),
      'member', coalesce(account.state = 'active', false),
      'today', club_day(${now}),
      'obtained', (
        select coalesce(json_object_agg(entry.cause, entry.at), '{}')
        from loyalty_entry entry
        where entry.customer_id = customer.id and entry.cause = any (array(
          select cause from loyalty_event event
          cross join lateral (values
            (${welcome}::text),
            ('event:' || event.id),
            ('event:' || event.id || ':' || extract(year from club_day(${now})))) possible (cause)
          where event.programme_id = (
            select id from ${programmeAt(sql`${value("programmeId")}`, now)})))))
    from customer
    left join loyalty_account account on account.customer_id = customer.id
    where customer.id = ${customerId})`,
);

type Moment = Pick<ClubContext, "now" | "locale">;

function describe(event: ClubEvent, facts: Facts, { now, locale }: Moment) {
  const obtainedAt = facts.obtained[causeOf(event, facts.today)];
  // Every member has had the gift. What is given once is given once per person, whatever their account.
  const before = event.proof === welcome || (event.frequency === "once" && facts.secondAccount);
  const obtained = obtainedAt !== undefined || (before && facts.member);
  const available = facts.member && (proofs[event.proof]?.(facts, now) ?? false);
  const state = obtained ? ("obtained" as const) : available ? ("available" as const) : ("locked" as const);
  return {
    ...describeEvent(event, locale),
    State: state,
    Proof: event.proof,
    Hint: state === "locked" ? hintOf(event, facts, locale) : null,
    ObtainedAt: obtainedAt === undefined ? null : isoMoment(obtainedAt),
  };
}

/** The programme's hint, unless the phone number's bonus was already given or takes a purchase: then a text that says so. */
function hintOf(event: ClubEvent, facts: Facts, locale: Locale): string {
  if (event.proof === sms && facts.member && facts.newsletterSms && facts.phoneGiven)
    return textsOf[locale].t("loyalty.phoneGiven");
  if (event.proof === sms && facts.member && !facts.bought) return textsOf[locale].t("loyalty.smsAfterPurchase");
  return event.hint[locale];
}

/** The programme's events, each with where the customer stands. */
export function describeEvents(programme: Pick<Programme, "events">, facts: Facts | null, moment: Moment) {
  if (!facts) throw new Refusal("not_signed_in");
  return programme.events.map((event) => describe(event, facts, moment));
}

/** Credits an event whose proof the server itself has checked; the caller's word does not count. */
export async function obtainEvent(
  queries: Queries,
  customerId: number,
  programme: Programme,
  eventId: number,
  context: ClubContext,
) {
  const event = programme.events.find(({ id }) => id === eventId);
  if (!event) throw new Refusal("not_found");
  const { now } = context;
  const facts = await readById(queries, eventFactsRead, { customerId, now, values: { programmeId: programme.id } });
  if (!facts) throw new Refusal("not_signed_in");
  if (!facts.member) throw new Refusal("not_a_member");
  const cause = causeOf(event, facts.today);
  const { State } = describe(event, facts, context);
  if (State === "obtained") throw new Refusal("already_obtained");
  if (event.proof === sms && facts.newsletterSms && facts.phoneGiven) throw new Refusal("already_obtained");
  if (State === "locked") throw new Refusal("event_locked");
  if (event.proof === sms) await claimPhone(queries, customerId, context.now);
  const { moved, balance } = await earn(
    queries,
    programme.id,
    { customerId, points: event.points, kind: "event", cause, label: { event: event.id } },
    context,
  );
  // A concurrent request credited the same cause between our read and the ledger's lock.
  if (!moved) throw new Refusal("already_obtained");
  facts.obtained[cause] = now.toISOString();
  return { Event: describe(event, facts, context), Points: { Available: balance } };
}

/**
 * Records that the bonus of the customer's phone number is given, under the number's keyed hash
 * (db/functions/loyalty_person.sql). Of two customers with the same number the second waits here for the first, and is
 * refused; a refusal later in the transaction rolls this back.
 */
async function claimPhone(queries: Queries, customerId: number, now: Date): Promise<void> {
  const claimed = await queries
    .insert(smsBonuses)
    .select(
      queries
        .select({
          phone: sql<Buffer>`loyalty_person(${customers.mobilePhone})`.as("phone"),
          givenAt: sql<Date>`${now.toISOString()}::timestamptz`.as("given_at"),
        })
        .from(customers)
        .where(and(eq(customers.id, customerId), isNotNull(customers.mobilePhone))),
    )
    .onConflictDoNothing()
    .returning({ givenAt: smsBonuses.givenAt });
  if (claimed.length === 0) throw new Refusal("already_obtained");
}

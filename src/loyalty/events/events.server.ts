import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { textsOf } from "#i18n/texts.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { ClubContext } from "#loyalty/club-context.ts";
import { accounts, smsBonuses } from "#loyalty/ledger/account.tables.server.ts";
import { earn } from "#loyalty/ledger/earning.server.ts";
import { entries } from "#loyalty/ledger/ledger.tables.server.ts";
import { type ClubEvent, describeEvent, findProgramme } from "#loyalty/programme/programme.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";

/** A birthday that was changed must be this old before it brings points. */
const birthdayUnchangedDays = 30;

/** What the server knows of the customer and an event's proof may need. */
interface Facts {
  member: boolean;
  emailVerifiedAt: Date | null;
  mobilePhone: string | null;
  birthday: string | null;
  birthdayChangedAt: Date | null;
  newsletter: boolean;
  newsletterSms: boolean;
  /** Whether the SMS bonus of this phone number was given, to this customer or to another. */
  phoneGiven: boolean;
  now: Date;
  /** The day in Paris, `YYYY-MM-DD` (db/functions/club_day.sql). */
  today: string;
}

/** How the server checks that an event happened. A proof that is not listed here is never met. */
const proofs: Record<string, (facts: Facts) => boolean> = {
  email_confirmed: (facts) => facts.emailVerifiedAt !== null,
  profile_complete: (facts) => facts.mobilePhone !== null && facts.birthday !== null,
  newsletter: (facts) => facts.newsletter,
  sms: (facts) => facts.newsletterSms && facts.mobilePhone !== null && !facts.phoneGiven,
  birthday: ({ birthday, birthdayChangedAt, now, today }) =>
    // Only months are compared, so a birthday on 29 February counts every year.
    birthday !== null &&
    birthday.slice(5, 7) === today.slice(5, 7) &&
    (birthdayChangedAt === null || now.getTime() - birthdayChangedAt.getTime() >= birthdayUnchangedDays * 86_400_000),
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

/** The phone number is compared by its keyed hash (db/functions/loyalty_person.sql). */
async function readFacts(queries: Queries, customerId: number, now: Date): Promise<Facts> {
  const [facts] = await queries
    .select({
      emailVerifiedAt: customers.emailVerifiedAt,
      mobilePhone: customers.mobilePhone,
      birthday: customers.birthday,
      birthdayChangedAt: customers.birthdayChangedAt,
      newsletter: customers.newsletter,
      newsletterSms: customers.newsletterSms,
      phoneGiven: sql<boolean>`exists (select from ${smsBonuses} where phone = loyalty_person(${customers.mobilePhone}))`,
      member: sql<boolean>`coalesce(${accounts.state} = 'active', false)`,
      today: sql<string>`club_day(${now.toISOString()}::timestamptz)`,
    })
    .from(customers)
    .leftJoin(accounts, eq(accounts.customerId, customers.id))
    .where(eq(customers.id, customerId))
    .prepare("loyalty_event_facts")
    .execute();
  if (!facts) throw new Refusal("not_signed_in");
  return { ...facts, now };
}

async function readObtained(queries: Queries, customerId: number, causes: string[]): Promise<Map<string, Date>> {
  const rows = await queries
    .select({ cause: entries.cause, at: entries.at })
    .from(entries)
    .where(and(eq(entries.customerId, customerId), inArray(entries.cause, causes)));
  return new Map(rows.map((row) => [row.cause, row.at]));
}

function describe(event: ClubEvent, facts: Facts, obtainedAt: Date | undefined, locale: Locale) {
  // Every member has had the gift: with this account, or with one that was erased.
  const obtained = obtainedAt !== undefined || (event.proof === welcome && facts.member);
  const available = facts.member && (proofs[event.proof]?.(facts) ?? false);
  const state = obtained ? ("obtained" as const) : available ? ("available" as const) : ("locked" as const);
  return {
    ...describeEvent(event, locale),
    State: state,
    Hint: state === "locked" ? hintOf(event, facts, locale) : null,
    ObtainedAt: obtainedAt?.toISOString() ?? null,
  };
}

/** The programme's hint, unless the phone number's bonus was already given: then a text that says so. */
function hintOf(event: ClubEvent, facts: Facts, locale: Locale): string {
  if (event.proof === sms && facts.member && facts.newsletterSms && facts.phoneGiven)
    return textsOf[locale].t("loyalty.phoneGiven");
  return event.hint[locale];
}

export async function listEvents(queries: Queries, customerId: number, programmeId: number, context: ClubContext) {
  const programme = await findProgramme(queries, programmeId);
  const facts = await readFacts(queries, customerId, context.now);
  const causes = programme.events.map((event) => causeOf(event, facts.today));
  const obtained = await readObtained(queries, customerId, causes);
  return programme.events.map((event) =>
    describe(event, facts, obtained.get(causeOf(event, facts.today)), context.locale),
  );
}

/** Credits an event whose proof the server itself has checked; the caller's word does not count. */
export async function obtainEvent(
  queries: Queries,
  customerId: number,
  programmeId: number,
  eventId: number,
  context: ClubContext,
) {
  const programme = await findProgramme(queries, programmeId);
  const event = programme.events.find(({ id }) => id === eventId);
  if (!event) throw new Refusal("not_found");
  const facts = await readFacts(queries, customerId, context.now);
  if (!facts.member) throw new Refusal("not_a_member");
  const cause = causeOf(event, facts.today);
  const obtained = await readObtained(queries, customerId, [cause]);
  const { State } = describe(event, facts, obtained.get(cause), context.locale);
  if (State === "obtained") throw new Refusal("already_obtained");
  if (event.proof === sms && facts.newsletterSms && facts.phoneGiven) throw new Refusal("already_obtained");
  if (State === "locked") throw new Refusal("event_locked");
  if (event.proof === sms) await claimPhone(queries, customerId, context.now);
  const { moved, balance } = await earn(
    queries,
    programmeId,
    { customerId, points: event.points, kind: "event", cause, label: { event: event.id } },
    context,
  );
  // A concurrent request credited the same cause between our read and the ledger's lock.
  if (!moved) throw new Refusal("already_obtained");
  return { Event: describe(event, facts, context.now, context.locale), Points: { Available: balance } };
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

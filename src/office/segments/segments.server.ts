import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { defaultProgrammeId, type FindProgramme } from "#loyalty/programme/programme.server.ts";
import { membersWhere } from "#loyalty/segments/compile-segment.server.ts";
import { segments, segmentVersions } from "#loyalty/segments/segment.tables.server.ts";
import type { Segment } from "#loyalty/segments/segment.ts";
import { type ActionContext, entryOf } from "#office/audit.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal, refuseField } from "#platform/refusal.ts";
import { shops } from "#shop/keys/shops.tables.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { staff } from "#staff/staff.tables.server.ts";

/** Above so many the numbers are estimates, by one member in so many. */
const mostCounted = 100_000;
const sampledPart = 10;
const mostSeconds = 10;

export async function listSegments(
  { database, findProgramme }: { database: Database; findProgramme: FindProgramme },
  now: Date,
  locale: Locale,
) {
  const { tiers, lineCodes } = await findProgramme(defaultProgrammeId, now);
  const rows = await database
    .select({
      IdSegment: segments.id,
      Name: segments.name,
      Version: segments.version,
      Definition: segmentVersions.definition,
      Sends: segments.sends,
      SavedBy: sql<string>`${staff.firstname} || ' ' || ${staff.lastname}`,
      savedAt: segmentVersions.savedAt,
    })
    .from(segments)
    .innerJoin(segmentVersions, ofVersion)
    .innerJoin(staff, eq(staff.id, segmentVersions.savedBy))
    .where(isNull(segments.archivedAt))
    .orderBy(asc(segments.name));
  return {
    Segments: rows.map(({ savedAt, ...row }) => ({ ...row, SavedAt: savedAt.toISOString() })),
    Tiers: tiers.map(({ id, name }) => ({ IdLoyaltyTier: id, Name: name[locale] })),
    Shops: await database.select({ IdShop: shops.id, Name: shops.name }).from(shops).orderBy(asc(shops.name)),
    Codes: lineCodes.map(({ code, name }) => ({ Code: code, Name: name[locale] })),
  };
}

const ofVersion = and(eq(segmentVersions.segmentId, segments.id), eq(segmentVersions.version, segments.version));

/** Runs a statement about a segment, which is stopped and refused when it takes too long. */
export async function askSegment<Row extends Record<string, unknown>>(
  database: Database,
  statement: SQL,
): Promise<Row[]> {
  try {
    return await database.transaction(async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = ${mostSeconds * 1_000}`));
      const { rows } = await tx.execute(statement);
      return rows as Row[];
    });
  } catch (error) {
    // PostgreSQL's code for a statement that was cancelled.
    const { code } = ((error as { cause?: unknown }).cause ?? error) as { code?: string };
    if (code === "57014") throw new Refusal("segment_too_slow");
    throw error;
  }
}

/** Who of a segment may be written to by email and by text message. */
export const reachable = {
  email: sql`c.newsletter and c.email_verified_at is not null and c.blocked_at is null`,
  sms: sql`c.newsletter_sms and c.mobile_phone is not null and c.blocked_at is null`,
};

type Counts = Record<
  | ("members" | "email" | "emailNoConsent" | "emailUnconfirmed" | "emailBlocked")
  | ("sms" | "smsNoConsent" | "smsNoPhone" | "smsBlocked"),
  number
>;

/** Counted up to a number; beyond it, one member in so many, chosen by a hash, whose numbers stand for all. */
export async function countSegment(database: Database, segment: Segment, now: Date, most = mostCounted) {
  const members = membersWhere(segment, now);
  const found = await count(database, sql`select c.* from ${members} limit ${most + 1}`);
  const estimated = found.members > most;
  const sampled = sql`mod(hashint8(a.customer_id), ${sampledPart}) = 0`;
  const counts = estimated ? await count(database, sql`select c.* from ${members} and ${sampled}`) : found;
  const of = (name: keyof Counts) => counts[name] * (estimated ? sampledPart : 1);
  return {
    Members: estimated ? Math.max(found.members, of("members")) : of("members"),
    Estimated: estimated,
    Email: {
      ...{ Reachable: of("email"), NoConsent: of("emailNoConsent") },
      ...{ Unconfirmed: of("emailUnconfirmed"), Blocked: of("emailBlocked") },
    },
    Sms: {
      ...{ Reachable: of("sms"), NoConsent: of("smsNoConsent") },
      ...{ NoPhone: of("smsNoPhone"), Blocked: of("smsBlocked") },
    },
  };
}

/** Who of some customers may be written to, and why the others may not. */
async function count(database: Database, customers: SQL): Promise<Counts> {
  const [found] = await askSegment<Counts>(
    database,
    sql`select count(*)::integer as members,
      count(*) filter (where ${reachable.email})::integer as email,
      count(*) filter (where not c.newsletter)::integer as "emailNoConsent",
      count(*) filter (where c.newsletter and c.email_verified_at is null)::integer as "emailUnconfirmed",
      count(*) filter (where c.newsletter and c.email_verified_at is not null and c.blocked_at is not null)::integer as "emailBlocked",
      count(*) filter (where ${reachable.sms})::integer as sms,
      count(*) filter (where not c.newsletter_sms)::integer as "smsNoConsent",
      count(*) filter (where c.newsletter_sms and c.mobile_phone is null)::integer as "smsNoPhone",
      count(*) filter (where c.newsletter_sms and c.mobile_phone is not null and c.blocked_at is not null)::integer as "smsBlocked"
    from (${customers}) c`,
  );
  if (!found) throw new Error("The segment was not counted.");
  return found;
}

/** Ten of them, the newest members first. */
export async function readExamples(database: Database, segment: Segment, { caller, now, requestId }: ActionContext) {
  const rows = await askSegment<{ id: string; firstname: string; lastname: string; balance: number }>(
    database,
    sql`select a.customer_id as id, c.firstname, c.lastname, a.balance from ${membersWhere(segment, now)}
      order by a.customer_id desc limit 10`,
  );
  const after = { rows: rows.length, segment: "examples" };
  await writeAudit(database, entryOf(caller, { action: "customers_viewed", after, requestId, at: now }));
  return {
    Customers: rows.map(({ id, firstname: Firstname, lastname: Lastname, balance: Points }) => ({
      ...{ IdCustomer: Number(id), Firstname, Lastname, Points },
    })),
  };
}

interface Saved {
  IdSegment?: number | undefined;
  Version?: number | undefined;
  Name: string;
  definition: Segment;
  Sends: boolean;
}

export async function saveSegment(database: Database, saved: Saved, { caller, now, requestId }: ActionContext) {
  const { IdSegment, Version, Name: name, definition, Sends: sends } = saved;
  return database.transaction(async (tx) => {
    const known = IdSegment === undefined ? undefined : await lockSegment(tx, IdSegment);
    if (known && known.version !== Version) throw new Refusal("draft_changed");
    const { rowCount } = await tx.execute(sql`
      select from segment where lower(name) = lower(${name}) and archived_at is null and id <> ${IdSegment ?? 0}`);
    if (rowCount) refuseField("Name", "twice");
    const version = (known?.version ?? 0) + 1;
    const [row] = known
      ? await tx.update(segments).set({ name, sends, version }).where(eq(segments.id, known.id)).returning()
      : await tx.insert(segments).values({ name, sends }).returning();
    if (!row) throw new Error("The segment was not written.");
    const by = { savedBy: caller.staffId, savedAt: now };
    await tx.insert(segmentVersions).values({ segmentId: row.id, version, definition, ...by });
    // Who is told no longer is told nothing: the next time that it is marked, everybody in it joins.
    if (known?.sends && !sends) await forgetMembers(tx, row.id);
    const after = { segment: name, version, sends, definition };
    await writeAudit(tx, entryOf(caller, { action: "segment_saved", after, requestId, at: now }));
    return { IdSegment: row.id, Version: version };
  });
}

export async function archiveSegment(database: Database, id: number, { caller, now, requestId }: ActionContext) {
  await database.transaction(async (tx) => {
    const { name } = await lockSegment(tx, id);
    await tx.update(segments).set({ archivedAt: now, sends: false }).where(eq(segments.id, id));
    await forgetMembers(tx, id);
    const entry = { action: "segment_archived" as const, after: { segment: name }, requestId, at: now };
    await writeAudit(tx, entryOf(caller, entry));
  });
}

const forgetMembers = (tx: Queries, id: number) => tx.execute(sql`delete from segment_member where segment_id = ${id}`);

async function lockSegment(tx: Queries, id: number) {
  const [found] = await tx
    .select()
    .from(segments)
    .where(and(eq(segments.id, id), isNull(segments.archivedAt)))
    .for("update");
  if (!found) throw new Refusal("not_found");
  return found;
}

/** The definition in force. */
export async function readSegment(queries: Queries, id: number) {
  const [found] = await queries
    .select({ name: segments.name, version: segments.version, definition: segmentVersions.definition })
    .from(segments)
    .innerJoin(segmentVersions, ofVersion)
    .where(and(eq(segments.id, id), isNull(segments.archivedAt)));
  if (!found) throw new Refusal("not_found");
  return found;
}

import { and, eq, isNull, or, sql } from "drizzle-orm";
import { shortName } from "#identity/customer/names.server.ts";
import { createToken, hashToken } from "#identity/session/tokens.server.ts";
import type { TillCaller } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import { writePin } from "#staff/staff.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { pinAttempts, tillSessions } from "#till/till.tables.server.ts";

/** Wrong PINs of one person on one device, then they are locked out there. */
export const maxFailedAttempts = 5;

interface Tried extends Record<string, unknown> {
  firstname: string;
  lastname: string;
  pin_hash: string;
  /** Null: there were too many before. */
  failed_attempts: number | null;
}

/**
 * The person whose PIN it is, or a refusal. The attempt is counted before the PIN is looked at: a hundred at once have five
 * tries too. The count starts again only with `forgetAttempts`.
 */
export async function checkPin(
  deps: { database: Database; pins: Pins },
  caller: TillCaller,
  { staffId, pin }: { staffId: number; pin: string },
  { now, requestId }: { now: Date; requestId: string },
) {
  const { database } = deps;
  const person = await countAttempt(database, caller, staffId);
  if (person?.failed_attempts === null) throw new Refusal("pin_locked");
  const own = and(eq(pinAttempts.keyPrefix, caller.prefix), eq(pinAttempts.staffId, staffId));
  const right = await deps.pins.matches(pin, person?.pin_hash).catch(async (error: unknown) => {
    // No attempt was made: too many people are signing in at once.
    await database
      .update(pinAttempts)
      .set({ failedAttempts: sql`${pinAttempts.failedAttempts} - 1` })
      .where(own);
    throw error;
  });
  const entry = {
    madeBy: "staff",
    staffId,
    shopId: caller.shopId,
    keyPrefix: caller.prefix,
    requestId,
    at: now,
  } as const;
  if (!person || !right) {
    await database
      .update(pinAttempts)
      .set({ wrongAttempts: sql`${pinAttempts.wrongAttempts} + 1` })
      .where(own);
    if (person?.failed_attempts === maxFailedAttempts - 1) throw new Refusal("pin_last_try");
    if (person?.failed_attempts !== maxFailedAttempts) throw new Refusal("wrong_pin");
    await writeAudit(database, { ...entry, action: "pin_locked" });
    throw new Refusal("pin_locked");
  }
  const forgetAttempts = (tx: Queries) => tx.delete(pinAttempts).where(or(own, ofFormerTills(staffId, caller.shopId)));
  return { person, entry, forgetAttempts };
}

/** Signs a person in on a till. */
export async function signIn(
  deps: { database: Database; pins: Pins },
  caller: TillCaller,
  asked: { staffId: number; pin: string },
  context: { now: Date; requestId: string },
) {
  const { staffId } = asked;
  const { now } = context;
  const { person, entry, forgetAttempts } = await checkPin(deps, caller, asked, context);
  const token = createToken();
  const session = { tokenHash: hashToken(token), staffId, openedAt: now, seenAt: now };
  await deps.database.transaction(async (tx) => {
    // The PIN may have been replaced, or the person ended, while it was checked: their sessions ended before this one began.
    const [still] = await tx
      .select({ id: staff.id })
      .from(staff)
      .where(and(eq(staff.id, staffId), eq(staff.pinHash, person.pin_hash), isNull(staff.endedAt)))
      .for("share");
    if (!still) throw new Refusal("wrong_pin");
    await forgetAttempts(tx);
    await tx
      .insert(tillSessions)
      .values({ keyPrefix: caller.prefix, ...session })
      .onConflictDoUpdate({ target: tillSessions.keyPrefix, set: session });
    await writeAudit(tx, { ...entry, action: "sign_in" });
  });
  return { token, answer: { IdStaff: staffId, Name: shortName(person.firstname, person.lastname) } };
}

/** The person, if they may sign in here, and the number of this attempt; in one round trip for everybody. */
async function countAttempt(database: Database, { prefix, shopId }: TillCaller, staffId: number) {
  const { rows } = await database.execute<Tried>(sql`
    with person as (
      select id, firstname, lastname, pin_hash from staff
      where id = ${staffId} and pin_hash is not null and ended_at is null and (shop_id is null or shop_id = ${shopId})
    ), tried as (
      insert into till_pin_attempt as m (key_prefix, staff_id, failed_attempts)
      select ${prefix}, id, 1 from person
      on conflict (key_prefix, staff_id) do update set failed_attempts = m.failed_attempts + 1 where m.failed_attempts < ${maxFailedAttempts}
      returning failed_attempts
    )
    select firstname, lastname, pin_hash, (select failed_attempts from tried) as failed_attempts from person`);
  return rows[0];
}

/** Signs out the person who is signed in on this till. */
export async function lockTill(
  database: Database,
  { prefix, shopId }: TillCaller,
  { now, requestId }: { now: Date; requestId: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    const [ended] = await tx.delete(tillSessions).where(eq(tillSessions.keyPrefix, prefix)).returning();
    if (!ended) return;
    const { staffId } = ended;
    await writeAudit(tx, { madeBy: "staff", staffId, action: "lock", shopId, keyPrefix: prefix, requestId, at: now });
  });
}

/** Anyone who was locked out after too many wrong PINs may try again, on every till or on those of a shop. */
export async function clearPinAttempts(queries: Queries, staffId: number, shopId: number | null = null): Promise<void> {
  const ofShop = sql`${pinAttempts.keyPrefix} in (select prefix from shop_key where shop_id = ${shopId})`;
  await queries.delete(pinAttempts).where(and(eq(pinAttempts.staffId, staffId), shopId === null ? undefined : ofShop));
}

/** Wrong PINs of a person at tills of the shop that are no more: no one can try there any longer. */
const ofFormerTills = (staffId: number, shopId: number) =>
  and(
    eq(pinAttempts.staffId, staffId),
    sql`${pinAttempts.keyPrefix} in (select prefix from shop_key where shop_id = ${shopId} and revoked_at is not null)`,
  );

/**
 * A new till begins with the wrong PINs of the shop's other tills, those that are no more included: otherwise pairing again
 * would bring five more tries. What is being checked there at the moment may be right: counted as wrong, five tills paired at
 * once would lock a person out of the sixth.
 */
export async function inheritPinAttempts(tx: Queries, prefix: string, shopId: number): Promise<void> {
  await tx.execute(sql`
    insert into till_pin_attempt (key_prefix, staff_id, failed_attempts, wrong_attempts)
    select ${prefix}, m.staff_id, max(m.wrong_attempts), max(m.wrong_attempts)
    from till_pin_attempt m join shop_key k on k.prefix = m.key_prefix
    where k.shop_id = ${shopId} and m.wrong_attempts > 0 group by m.staff_id`);
}

/** Signs a person out of every till. */
export async function endSessionsOf(queries: Queries, staffId: number): Promise<void> {
  await queries.delete(tillSessions).where(eq(tillSessions.staffId, staffId));
}

/** A new PIN, or none: anyone who is signed in with the old one is signed out, and wrong tries are forgotten. */
export async function replacePin(tx: Queries, staffId: number, pinHash: string | null): Promise<void> {
  await writePin(tx, staffId, pinHash);
  await endSessionsOf(tx, staffId);
  await clearPinAttempts(tx, staffId);
}

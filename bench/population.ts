import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { hashToken } from "#identity/session/tokens.server.ts";
import { cardNumberOf } from "#loyalty/card/card-number.ts";
import { countViolations, invariants } from "#loyalty/ledger/invariants/invariants.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { copyInto } from "./copy.ts";
import { startSteps } from "./measures.ts";

/** A member's history: the welcome gift, purchases over two years, and half-way the gift spent on a reward. */
export const entriesEach = 20;
const gift = 250;
const rewardAt = 10;
const daysApart = 35;

type Row = readonly (string | number | null)[];

export const emailOf = (customer: number) => `client-${customer}@exemple.fr`;
/** Tokens are derived from the customer's number, so none need be stored. */
export const tokenOf = (customer: number) => createHash("sha256").update(`bench ${customer}`).digest("base64url");
/** Spread like random numbers, so that neighbours in the card index are unrelated customers. */
export const cardOf = (customer: number) => cardNumberOf((customer * 7_654_321) % 999_999_937);
const codeOf = (customer: number) => `BENCH${String(customer).padStart(7, "0")}`;
const bytes = (hash: Buffer) => `\\\\x${hash.toString("hex")}`;

/** The points of an entry; they repeat from one customer to the ninetieth after. */
function pointsOf(customer: number, n: number): number {
  if (n === rewardAt) return -gift;
  return n === 0 ? gift : 10 + ((customer * 7 + n * 13) % 90);
}
const sums = Array.from({ length: 90 }, (_, customer) => {
  const points = Array.from({ length: entriesEach }, (_, n) => pointsOf(customer, n));
  const sum = (of: number[]) => of.reduce((total, one) => total + one, 0);
  return points.map((_, n) => {
    const before = points.slice(0, n + 1);
    return { balance: sum(before), earned: sum(before.filter((one) => one > 0)) };
  });
});
const sumsOf = (customer: number, n: number) => sums[customer % 90]?.[n] ?? { balance: 0, earned: 0 };

/**
 * The entries of one customer are as far apart on disk as in real use: first everybody's first entry, then everybody's
 * second. The ids of one customer still rise with time, as history needs.
 */
export const entryId = (size: number, customer: number, n: number) => n * size + customer;

function* people(size: number, row: (customer: number) => Row) {
  for (let customer = 1; customer <= size; customer += 1) yield row(customer);
}

function* earnings(size: number, row: (customer: number, n: number) => Row) {
  for (let n = 0; n < entriesEach; n += 1) if (n !== rewardAt) yield* people(size, (customer) => row(customer, n));
}

/** The days of those histories, with the dates on which the SQL functions let points and vouchers of that day expire. */
async function readCalendar(database: Database) {
  const { rows } = await database.execute<{ day: string; lapses: string; ends: string }>(sql`
    select day::date::text as day, club_day_end((day + interval '24 months')::date)::text as lapses,
      club_day_end(day::date + valid_days)::text as ends
    from generate_series(club_day(now()) - ${entriesEach * daysApart}::integer, club_day(now()), interval '1 day') day,
      loyalty_reward where programme_id = ${defaultProgrammeId} and id = 1 order by 1`);
  return (customer: number, n: number) => {
    const { day = "", lapses = "", ends = "" } = rows[n * daysApart + (customer % daysApart)] ?? {};
    // Noon, give or take: the same day in Paris as in UTC.
    return { day, lapses, ends, at: `${day} 12:${String(customer % 60).padStart(2, "0")}:00+00` };
  };
}

type Calendar = Awaited<ReturnType<typeof readCalendar>>;

function entryRow(size: number, when: Calendar) {
  return (c: number, n: number): Row => {
    const { at, lapses } = when(c, n);
    const row = (kind: string, cause: string, label: string, lapse: string | null) =>
      [c, entryId(size, c, n), at, kind, pointsOf(c, n), sumsOf(c, n).balance, cause, label, lapse, at] as const;
    if (n === 0) return row("welcome", "welcome", '{"event": 1}', lapses);
    if (n === rewardAt) return row("reward", `voucher:${codeOf(c)}`, '{"reward": 1}', null);
    return row("grant", `grant:bench:${n}`, '{"text": "Achat"}', lapses);
  };
}

/** Every table with its columns and its rows, in the order in which the product writes them. */
function* tables(size: number, when: Calendar, passwordHash: string): Generator<[string, string, Iterable<Row>]> {
  const all = (row: (customer: number) => Row) => people(size, row);
  const joined = (c: number) => when(c, 0).at;
  const entry = entryRow(size, when);
  const voucher = (c: number) => ({ id: entryId(size, c, rewardAt), ...when(c, rewardAt) });
  yield [
    "customer",
    "id, email, firstname, lastname, civility, birthday, password_hash, email_verified_at, created_at",
    all((c) => [c, emailOf(c), "Ada", `Mesure ${c}`, "Mme", "1990-05-17", passwordHash, joined(c), joined(c)]),
  ];
  yield ["customer_email", "email, customer_id", all((c) => [emailOf(c), c])];
  yield ["session", "customer_id, id, expires_at", all((c) => [c, c, "2099-01-01"])];
  yield ["session_token", "token_hash, customer_id, session_id", all((c) => [bytes(hashToken(tokenOf(c))), c, c])];
  yield [
    "consent",
    "customer_id, id, subject, given, text_version, source, at",
    all((c) => [c, c, "loyalty", "t", "fr-bench", "registration", joined(c)]),
  ];
  yield [
    "loyalty_account",
    "customer_id, programme_id, state, member_since, card_number, balance",
    all((c) => [c, 4, "active", joined(c), cardOf(c), sumsOf(c, entriesEach - 1).balance]),
  ];
  yield ["loyalty_card", "number, customer_id", all((c) => [cardOf(c), c])];
  for (let n = 0; n < entriesEach; n += 1)
    yield [
      "loyalty_entry",
      "customer_id, id, at, kind, points, balance, cause, label, expires_at, recorded_at",
      all((c) => entry(c, n)),
    ];
  yield [
    "loyalty_lot",
    "customer_id, entry_id, expires_at, remaining",
    // The gift expires first, so it paid for the reward.
    earnings(size, (c, n) => [c, entryId(size, c, n), when(c, n).lapses, n === 0 ? 0 : pointsOf(c, n)]),
  ];
  yield [
    "loyalty_lot_use",
    "customer_id, entry_id, lot_id, points",
    all((c) => [c, voucher(c).id, entryId(size, c, 0), gift]),
  ];
  yield [
    "loyalty_earned_day",
    "customer_id, day, points, through",
    earnings(size, (c, n) => [c, when(c, n).day, pointsOf(c, n), sumsOf(c, n).earned]),
  ];
  yield ["loyalty_voucher_code", "code, customer_id", all((c) => [codeOf(c), c])];
  yield [
    "loyalty_voucher",
    "customer_id, id, programme_id, reward_id, code, points, amount_cents, obtained_at, expires_at",
    all((c) => [c, voucher(c).id, 4, 1, codeOf(c), gift, 1_000, voucher(c).at, voucher(c).ends]),
  ];
  yield [
    "mail",
    "id, cause, customer_id, locale, queued_at, sent_at",
    all((c) => [c, `voucher:${c}:${voucher(c).id}`, c, "fr", voucher(c).at, voucher(c).at]),
  ];
}

interface Structure {
  drop: string;
  create: string;
}

/** What is checked or kept up to date with every row costs a fraction when it is built after loading. */
const builtAfterwards = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create,
    array_position('{p,u,x,f}', contype::text) as place
  from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'x', 'f')
  union all
  select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid), 3
  from pg_index i join pg_class t on t.oid = i.indrelid
  where t.relnamespace = 'public'::regnamespace
    and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))
  order by place`;

/** What the ledger's books are made of, with the tables that these refer to. */
const ledgerTables = /^(customer|loyalty_(?!earned_day).*)$/;

/**
 * Members as the product would have written them, one by one. Triggers are off meanwhile, so the invariants are
 * checked afterwards. With `ledgerOnly` sessions, emails, days and metrics are left out: a third of the time, of use to no
 * book of the ledger, and without them no invariant holds.
 */
export async function populate(
  database: Database,
  size: number,
  { passwordHash = "", ledgerOnly = false } = {},
): Promise<void> {
  const when = await readCalendar(database);
  const client = await database.$client.connect();
  try {
    await client.query("set session_replication_role = replica; set statement_timeout = 0");
    await client.query("set maintenance_work_mem = '512MB'");
    const { rows: structures } = await client.query<Structure>(builtAfterwards);
    for (const { drop } of structures.toReversed()) await client.query(drop);
    const step = startSteps();
    for (const [table, columns, rows] of tables(size, when, passwordHash)) {
      if (ledgerOnly && !ledgerTables.test(table)) continue;
      await copyInto(client, table, columns, rows);
      step(`${table} loaded`);
    }
    for (const { create } of structures) {
      await client.query(create);
      step(create);
    }
    // By the SQL function: only the database has the key of the hash.
    await client.query("insert into loyalty_welcome select loyalty_person(email), created_at from customer");
    for (const table of ["customer", "session", "consent", "loyalty_entry", "mail"])
      await client.query(
        `select setval(pg_get_serial_sequence($1, 'id'), (select coalesce(max(id), 1) from ${table}))`,
        [table],
      );
    // Loaded without triggers, these members have no metrics and no webhook events.
    if (!ledgerOnly) await client.query("select metric_rebuild()");
    step("metrics built");
    await client.query("update webhook_since set at = now()");
    await client.query("vacuum analyze");
    step("vacuumed and analysed");
  } finally {
    // Its session settings are for loading alone.
    client.release(true);
  }
}

/** The violated invariants, each with its number of rows. */
export async function brokenInvariants(database: Database): Promise<Record<string, number>> {
  const broken: Record<string, number> = {};
  await database.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`set local work_mem = '256MB'`);
    for (const invariant of invariants) {
      const rows = await countViolations(tx, invariant);
      if (rows > 0) broken[invariant.name] = rows;
    }
  });
  return broken;
}

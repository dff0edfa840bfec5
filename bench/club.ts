import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { eq, sql } from "drizzle-orm";
import { Hono } from "hono";
import { customers } from "#identity/customer.tables.server.ts";
import { loyaltyRoom } from "#loyalty/handlers.server.ts";
import { countViolations, invariants } from "#loyalty/invariants.server.ts";
import { join } from "#loyalty/membership.server.ts";
import { seedProgramme } from "#loyalty/programme.server.ts";
import { createApi } from "#platform/api.server.ts";
import { type Database, openDatabase } from "#platform/database.server.ts";
import { createLog } from "#platform/log.server.ts";
import { migrate } from "#platform/migrate.server.ts";
import { startPostgres } from "#platform/postgres.server.ts";
import { asProblem, type RequestEnv, withRequest } from "#platform/requests.server.ts";
import { measureCustomer } from "./customer.ts";
import { compare } from "./measures.ts";
import { type Api, measureObtaining } from "./obtaining.ts";

/**
 * `npm run bench`: what the club promises about speed, each as a ratio taken in one run on one machine,
 * so that it says the same on a fast machine and on a slow one. A broken floor fails the run.
 */
const workers = 8;
const publicUrl = "http://localhost:3000";
const occasion = { now: new Date(), locale: "fr" as const, publicUrl };

function openApi(database: Database): Api {
  const authenticate = async (request: Request) => {
    const customerId = Number(request.headers.get("authorization")?.replace("Bearer ", ""));
    // Stands for the look-up of a session: one prepared query.
    await database
      .select({ id: customers.id })
      .from(customers)
      .where(eq(customers.id, customerId))
      .prepare("bench_session")
      .execute();
    return { customerId, guest: false, sessionId: 1, byCookie: false };
  };
  const app = new Hono<RequestEnv>();
  const log = createLog("silent");
  app.use(withRequest({ log, secure: false, trustProxy: false, development: false }));
  app.onError(asProblem(log));
  const rooms = [loyaltyRoom({ publicUrl, now: () => new Date() })];
  app.route("/api", createApi({ rooms, database, authenticate, publicOrigin: publicUrl }));
  return async (customerId: number, path: string, fields?: Record<string, string>) => {
    const response = await app.fetch(
      new Request(`${publicUrl}/api/loyalty/${path}`, {
        headers: { authorization: `Bearer ${customerId}` },
        ...(fields && { method: "POST", body: new URLSearchParams(fields) }),
      }),
    );
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

async function addMember(database: Database, name: string): Promise<number> {
  const [customer] = await database
    .insert(customers)
    .values({ email: `${name}@exemple.fr`, firstname: name, lastname: "Bench" })
    .returning({ id: customers.id });
  if (!customer) throw new Error("The customer was not written.");
  await database.transaction((tx) => join(tx, customer.id, 4, occasion));
  return customer.id;
}

/** A long history, written in bulk as the ledger would have written it entry by entry. */
async function addHistory(database: Database, customerId: number, entries: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`delete from loyalty_earned_day where customer_id = ${customerId}`);
    await tx.execute(sql`
    with written as (
      insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, expires_at)
      select ${customerId}, at, 'grant', 10, 250 + n * 10, 'grant:bench:' || n, '{"text": "Achat"}',
        club_day_end((club_day(at) + interval '24 months')::date)
      from (select n, now() - interval '700 days' * (1 - n::numeric / ${entries}) as at
            from generate_series(1, ${entries}) n) days order by n
      returning id, at, points, expires_at
    ), lots as (
      insert into loyalty_lot (customer_id, entry_id, expires_at, remaining)
      select ${customerId}, id, expires_at, points from written
    )
    insert into loyalty_earned_day (customer_id, day, points, through)
    select ${customerId}, club_day(at), sum(points), sum(sum(points)) over (order by club_day(at))
    from (select at, points from written union all
          select at, points from loyalty_entry where customer_id = ${customerId}) both_of_them group by 2`);
    await tx.execute(sql`update loyalty_account set balance = balance + ${entries * 10}
      where customer_id = ${customerId}`);
  });
}

async function measure(database: Database, url: string) {
  const api = openApi(database);
  const short = await addMember(database, "short");
  const long = await addMember(database, "long");
  await addHistory(database, short, 10);
  await addHistory(database, long, 100_000);
  await database.execute(sql`vacuum analyze`);
  for (const invariant of invariants.filter(({ number }) => [1, 2, 9, 10].includes(number)))
    if (await countViolations(database, invariant)) throw new Error(`The bench's own history breaks ${invariant.name}`);

  const firstPage = await compare(
    () => api(short, "history?Limit=10"),
    () => api(long, "history?Limit=10"),
  );
  const [middle] = (
    await database.execute<{ id: string }>(
      sql`select id from loyalty_entry where customer_id = ${long} order by id offset 50000 limit 1`,
    )
  ).rows;
  const cursor = Buffer.from(String(middle?.id)).toString("base64url");
  const deepPage = await compare(
    () => api(short, "history?Limit=10"),
    () => api(long, `history?Limit=10&Cursor=${cursor}`),
  );
  const balance = await compare(
    () => api(short, "customer"),
    () => api(long, "customer"),
  );
  const members = [];
  for (let n = 0; n < workers; n++) members.push(await addMember(database, `obtain-${n}`));
  const obtaining = await measureObtaining(database, url, api, members);
  const customer = await measureCustomer(database, url);
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  const perSecond = (value: number) => `${Math.round(value)}/s`;
  return [
    {
      what: "history, first page: 100 000 entries to 10",
      figures: `${ms(firstPage.other)} to ${ms(firstPage.one)}`,
      ratio: firstPage.other / firstPage.one,
      most: 1.5,
    },
    {
      what: "history, deep page: 100 000 entries to 10",
      figures: `${ms(deepPage.other)} to ${ms(deepPage.one)}`,
      ratio: deepPage.other / deepPage.one,
      most: 1.5,
    },
    {
      what: "card and balance: 100 000 entries to 10",
      figures: `${ms(balance.other)} to ${ms(balance.one)}`,
      ratio: balance.other / balance.one,
      most: 1.2,
    },
    {
      what: `obtaining a reward, ${workers} at once: API to bare SQL`,
      figures: `${perSecond(obtaining.ours)} to ${perSecond(obtaining.bare)}`,
      ratio: obtaining.ours / obtaining.bare,
      least: 0.4,
    },
    {
      what: `obtaining a reward, ${workers} at once: API to one bare call`,
      figures: `${perSecond(obtaining.ours)} to ${perSecond(obtaining.call)}`,
      ratio: obtaining.ours / obtaining.call,
    },
    {
      what: "GET customer: API to a bare handler with the same SELECTs",
      figures: `${perSecond(customer.reading.one)} to ${perSecond(customer.reading.other)}`,
      ratio: customer.reading.one / customer.reading.other,
      least: 0.7,
    },
    {
      what: "GET customer: with logs and figures to without",
      figures: `${perSecond(customer.observing.one)} to ${perSecond(customer.observing.other)}`,
      ratio: customer.observing.one / customer.observing.other,
      least: 0.9,
    },
    {
      what: "sign-in: API to bare argon2id",
      figures: `${perSecond(customer.signIn)} to ${perSecond(customer.bareHash)}`,
      ratio: customer.signIn / customer.bareHash,
      least: 0.8,
    },
    {
      what: "GET customer, p99 beside hashing: API to bare handler",
      figures: `${ms(customer.p99.ours)} to ${ms(customer.p99.bare)}`,
      ratio: customer.p99.ours / customer.p99.bare,
      most: 2,
    },
    {
      what: "heap after 20 000 requests to after 1 000",
      figures: `${customer.heap.late.toFixed(1)} to ${customer.heap.early.toFixed(1)} MiB`,
      ratio: customer.heap.late / customer.heap.early,
      most: 1.15,
    },
  ];
}

const dataDir = mkdtempSync(joinPath(tmpdir(), "cercle-bench-"));
const postgres = await startPostgres({ dataDir });
try {
  await migrate(postgres.url);
  const database = openDatabase(postgres.url);
  await seedProgramme(database);
  const results = await measure(database, postgres.url);
  for (const { what, figures, ratio, most, least } of results) {
    const kept = (most === undefined || ratio <= most) && (least === undefined || ratio >= least);
    const floor = most ? `at most ${most}` : least ? `at least ${least}` : "for comparison";
    console.log(
      `${kept ? "kept  " : "BROKEN"}  ${what.padEnd(54)} ${figures.padEnd(24)} ${ratio.toFixed(2)} (${floor})`,
    );
    if (!kept) process.exitCode = 1;
  }
  await database.$client.end();
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

import { createServer, type Server } from "node:http";
import { type SQL, sql } from "drizzle-orm";
import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import { lastChecks } from "#loyalty/ledger/invariants/invariant-checks.server.ts";
import { logoutJob } from "#oidc/back-channel-logout.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { jobMetrics } from "#platform/jobs/jobs.server.ts";
import type { Metrics } from "#platform/metrics.server.ts";
import { pointsWait } from "#shop/sales/review/conflicts.server.ts";

/** Registers the gauges that are read when metrics are collected: connections, hashing, jobs, emails, shops, webhooks, invariants. */
export function registerMetrics(
  metrics: Metrics,
  deps: { database: Database; passwords: PasswordHashes; release?: string | undefined; now: () => Date },
): void {
  const { database, passwords, release, now } = deps;
  const countByKey = async (rowsOf: SQL) => {
    const { rows } = await database.execute<{ key_prefix: string; count: number }>(sql`
      select key_prefix, count(*)::integer as count from ${rowsOf}
        and at > ${now().toISOString()}::timestamptz - interval '24 hours'
      group by key_prefix`);
    return Object.fromEntries(rows.map(({ key_prefix, count }) => [key_prefix, count]));
  };
  const pool = database.$client;
  metrics.read(
    "cercle_database_connections",
    "Connections of the pool, and requests that wait for one.",
    "state",
    "process",
    () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  );
  metrics.read("cercle_password_hashes", "Passwords being hashed now, and waiting for it.", "state", "process", () => ({
    ...passwords.load(),
  }));
  metrics.read("cercle_jobs", "Jobs due, failing and given up.", "state", "database", async () => ({
    ...(await jobMetrics(database)),
  }));
  metrics.read("cercle_mail_oldest_seconds", "Age of the oldest email that waits.", "state", "database", async () => {
    const { rows } = await database.execute<{ age: number }>(sql`
      select coalesce(extract(epoch from now() - min(queued_at)), 0)::float8 as age
      from mail where sent_at is null and refused_at is null`);
    return { waiting: rows[0]?.age ?? 0 };
  });
  metrics.read(
    "cercle_shop",
    "Vouchers held at tills now, and what needs a decision.",
    "state",
    "database",
    async () => {
      const { rows } = await database.execute<Record<string, number>>(sql`
      select
        (select count(*) from loyalty_voucher_hold where until > now())::integer as vouchers_held,
        (select count(*) from shop_sale s where ${pointsWait})::integer as points_waiting,
        (select count(*) from shop_return where state = 'waiting')::integer as returns_waiting,
        (select count(*) from shop_return r where state = 'conflict' and not exists (
          select from shop_decision d where d.shop_id = r.shop_id and d.number = r.number and d.subject = r.kind)
        )::integer as return_conflicts`);
      return rows[0] ?? {};
    },
  );
  metrics.read(
    "cercle_welcome_gifts",
    "Welcome gifts of the last hour to the network that had most of them.",
    "state",
    "database",
    async () => {
      const { rows } = await database.execute<{ gifts: number }>(sql`
      select coalesce(max(gifts), 0)::integer as gifts from (
        select count(*) as gifts from loyalty_welcome_network where given_at > now() - interval '1 hour' group by network) n`);
      return { busiest_network: rows[0]?.gifts ?? 0 };
    },
  );
  metrics.read(
    "cercle_look_ups_by_contact",
    "Members found by address, phone or name in the last 24 hours, by the key or till that looked.",
    "key",
    "database",
    () => countByKey(sql`shop_look_up where found_by in ('email', 'phone', 'name')`),
  );
  for (const [name, help, action] of [
    ["cercle_returns_other_shop", "Returns of other shops' receipts", "return_other_shop"],
    ["cercle_sales_dated_back", "Sales that arrived after their points would be available", "sale_dated_back"],
  ] as const)
    metrics.read(name, `${help} in the last 24 hours, by the key or till that sent them.`, "key", "database", () =>
      countByKey(sql`audit_log where action = ${action}`),
    );
  metrics.read(
    "cercle_webhooks",
    "Age in seconds of the oldest delivery that waits, and how many were given up.",
    "state",
    "database",
    async () => {
      const { rows } = await database.execute<Record<string, number>>(sql`
      select
        (select coalesce(extract(epoch from now() - min(e.at)), 0)::float8 from webhook_delivery d
         join webhook_event e on e.id = d.event_id
         join webhook_endpoint to_endpoint on to_endpoint.id = d.endpoint_id and to_endpoint.paused_at is null
         where d.state = 'waiting') as oldest_waiting_seconds,
        (select count(*)::integer from webhook_delivery where state = 'dead') as dead`);
      return rows[0] ?? {};
    },
  );
  metrics.read(
    "cercle_back_channel_logouts",
    "Logouts that web shops have not accepted yet, and those that were given up.",
    "state",
    "database",
    async () => {
      const { rows } = await database.execute<Record<string, number>>(sql`
        select count(*) filter (where attempts < max_attempts)::integer as failing,
          count(*) filter (where attempts >= max_attempts)::integer as given_up
        from graphile_worker.jobs where task_identifier = ${logoutJob} and last_error is not null`);
      return rows[0] ?? {};
    },
  );
  metrics.read(
    "cercle_emergency_sign_ins",
    "Sign-ins to the back office without the company's account in the last 24 hours, while it is required.",
    "state",
    "database",
    async () => {
      const { rows } = await database.execute<{ count: number }>(sql`
        select count(*)::integer as count from audit_log where action = 'emergency_sign_in'
          and at > ${now().toISOString()}::timestamptz - interval '24 hours'`);
      return { used: rows[0]?.count ?? 0 };
    },
  );
  metrics.read(
    "cercle_invariant_violations",
    "Rows that break an invariant of npm run verify; anything but 0 is an incident.",
    "invariant",
    "database",
    async () => Object.fromEntries((await lastChecks(database)).map(({ number, violations }) => [number, violations])),
  );
  metrics.read(
    "cercle_invariant_age_seconds",
    "Since the invariants were last checked.",
    "state",
    "database",
    async (): Promise<Record<string, number>> => {
      const ages = (await lastChecks(database)).map(({ checkedAt }) => (Date.now() - checkedAt.getTime()) / 1_000);
      return ages.length > 0 ? { oldest: Math.max(...ages) } : {};
    },
  );
  if (release)
    metrics.read(
      "cercle_release",
      "The release that runs; two of them during an upgrade.",
      "release",
      "database",
      () => ({
        [release]: 1,
      }),
    );
}

/** The metrics on a port of their own, which customers cannot reach. */
export function createMetricsListener(text: () => Promise<string>): Server {
  return createServer((request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") return response.writeHead(404).end();
    text().then(
      (body) => response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(body),
      () => response.writeHead(503).end(),
    );
  });
}

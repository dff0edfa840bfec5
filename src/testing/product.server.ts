import { randomBytes } from "node:crypto";
import { asc, eq, sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { createServer, type ServerDependencies } from "#app/server.ts";
import { readSettings } from "#app/settings.server.ts";
import { type Brand, defaultBrand, installedBrand } from "#brand/brand.server.ts";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { type Call, createCall } from "#platform/api/client/client.ts";
import { closeDatabase, openDatabase } from "#platform/database/database.server.ts";
import { forInstallation } from "#platform/database/migrations/installation.server.ts";
import { productSchema } from "#platform/database/migrations/migrate.server.ts";
import { runDueJobs } from "#platform/jobs/jobs.server.ts";
import { createLog } from "#platform/log.server.ts";
import { mails } from "#platform/mail/mail.tables.server.ts";
import { templateDatabase } from "./cluster.server.ts";

/** argon2id at its lowest cost: at the product's, hashing takes two fifths of the tests' processor time. */
const lowestCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** The whole product on a database of its own, called in process. For tests. */
export async function openTestProduct(
  environment: Record<string, string> = {},
  deps: Partial<
    Pick<ServerDependencies, "log" | "club" | "now" | "metrics" | "clientDir" | "passwords" | "release" | "replica">
  > = {},
) {
  const clusterUrl = inject("clusterUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  // Half the time of the default strategy, which writes the copy to the log too.
  await onCluster(clusterUrl, `create database ${name} template ${templateDatabase} strategy file_copy`);
  const databaseUrl = clusterUrl.replace(templateDatabase, name);
  await installIn(databaseUrl);
  const settings = readSettings({ LOG_LEVEL: "silent", RATE_LIMITS: "off", ...environment });
  const database = openDatabase(databaseUrl, {
    traced: settings.otlpEndpoint !== undefined,
    // A machine busy with other work is slow, not wrong.
    limits: { connectSeconds: 60, statementSeconds: 60, idleSeconds: 60 },
  });
  // A connection is slow with each statement that it has not run before: one that is open stays.
  database.$client.options.idleTimeoutMillis = 0;
  const log = createLog(settings.logLevel);
  const product = createServer({
    settings,
    database,
    log,
    assetsOf: () => ({ script: "/browser.js", styles: [], preload: [], fonts: [] }),
    passwords: createPasswordHashes({ cost: lowestCost }),
    ...deps,
  });
  afterAll(async () => {
    await closeDatabase(database);
    await onCluster(clusterUrl, `drop database ${name} with (force)`);
  });

  const fetch = async (path: string, init?: RequestInit) =>
    product.fetch(new Request(new URL(path, settings.publicUrl), init), { address: "192.0.2.1" });

  /** The product's typed client, signed in by `token` or not signed in. */
  const as = (token?: string, headers: Record<string, string> = {}): Call =>
    createCall((path, init) => {
      const all = new Headers(init.headers);
      if (token) all.set("authorization", `Bearer ${token}`);
      for (const [header, value] of Object.entries(headers)) all.set(header, value);
      return fetch(path, { ...init, headers: all });
    });

  /**
   * Runs every job that is due, and those they queue. A job that fails fails the test, unless it `mayFail`; `retries`
   * also runs those that wait for a retry.
   */
  async function runJobs(options: { mayFail?: boolean; retries?: boolean } = {}) {
    if (options.retries)
      await database.execute(sql`
        select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
        where attempts > 0 having count(*) > 0`);
    const failed = await runDueJobs({ database, jobs: product.jobs, log });
    if (failed.length > 0 && !options.mayFail) throw new Error(`Jobs failed: ${JSON.stringify(failed)}`);
    return failed;
  }

  /** The emails written to an address, oldest first, sent or not, with the addresses they link to. */
  async function emails(to: string) {
    const rows = await database.select().from(mails).where(eq(mails.recipient, to)).orderBy(asc(mails.id));
    return rows.map((row) => ({ ...row, links: (row.plainText ?? "").match(/https?:\/\/\S+/g) ?? [] }));
  }

  return { fetch, as, call: as(), database, databaseUrl, settings, product, log, runJobs, emails };
}

/** Read once for all products: its pictures and fonts are read too. */
let template: Brand | undefined;

/** The template is an installation of the default brand; a test may have installed another. */
async function installIn(databaseUrl: string): Promise<void> {
  const { Currency, TimeZone } = installedBrand();
  template ??= defaultBrand();
  if (Currency === template.Currency && TimeZone === template.TimeZone) return;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("update installation set currency = $1, time_zone = $2", [Currency, TimeZone]);
  for (const text of productSchema.functions) {
    const { statements } = forInstallation(text, installedBrand());
    if (statements !== text.statements) await client.query(statements);
  }
  await client.end();
}

async function onCluster(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace(templateDatabase, "postgres") });
  await client.connect();
  await client.query(statement);
  await client.end();
}

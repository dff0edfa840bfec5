import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { type Call, createCall } from "#platform/client.ts";
import { openDatabase } from "#platform/database.server.ts";
import { createLog } from "#platform/log.server.ts";
import { readSettings } from "#platform/settings.server.ts";
import { createServer, type ServerParts } from "./server.ts";
import { templateDatabase } from "./test-cluster.server.ts";

/** The whole product on a database of its own, reached through its one function. For tests. */
export async function openTestProduct(
  environment: Record<string, string> = {},
  parts: Pick<ServerParts, "now" | "authenticate"> = {},
) {
  const clusterUrl = inject("clusterUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await onCluster(clusterUrl, `create database ${name} template ${templateDatabase}`);
  const databaseUrl = clusterUrl.replace(templateDatabase, name);
  const settings = readSettings({ LOG_LEVEL: "silent", RATE_LIMITS: "off", ...environment });
  const database = openDatabase(databaseUrl);
  const product = createServer({
    ...parts,
    settings,
    database,
    log: createLog(settings.logLevel),
    assetsOf: () => ({ script: "/browser.js", styles: [], preload: [], fonts: [] }),
  });
  afterAll(async () => {
    await database.$client.end();
    await onCluster(clusterUrl, `drop database ${name} with (force)`);
  });

  const fetch = async (path: string, init?: RequestInit) =>
    product.fetch(new Request(new URL(path, settings.publicUrl), init), { address: "192.0.2.1" });

  /** The product's own typed client, as the owner of `token` or as a stranger. */
  const as = (token?: string, headers: Record<string, string> = {}): Call =>
    createCall((path, init) => {
      const all = new Headers(init.headers);
      if (token) all.set("authorization", `Bearer ${token}`);
      for (const [header, value] of Object.entries(headers)) all.set(header, value);
      return fetch(path, { ...init, headers: all });
    });

  return { fetch, as, call: as(), database, databaseUrl, settings, product };
}

async function onCluster(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace(templateDatabase, "postgres") });
  await client.connect();
  await client.query(statement);
  await client.end();
}

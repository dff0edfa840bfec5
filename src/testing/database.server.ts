import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { templateDatabase } from "./cluster.server.ts";

/** An empty database for as long as the work takes, with a way to ask it. For tests of what comes before the schema. */
export async function withEmptyDatabase(
  work: (deps: { url: string; connect: () => Promise<pg.Client> }) => Promise<void>,
): Promise<void> {
  const clusterUrl = inject("clusterUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const url = clusterUrl.replace(templateDatabase, name);
  const opened: pg.Client[] = [];
  async function connect(connectionString = url) {
    const client = new pg.Client({ connectionString });
    // Dropping the database ends what is still open.
    client.on("error", () => {});
    await client.connect();
    opened.push(client);
    return client;
  }
  const admin = await connect(clusterUrl.replace(templateDatabase, "postgres"));
  try {
    await admin.query(`create database ${name}`);
    await work({ url, connect: () => connect() });
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`);
    for (const client of opened) await client.end().catch(() => {});
  }
}

import { randomUUID } from "node:crypto";
import pg from "pg";

/** A pooler gives each transaction another connection. Its message is for the operator. */
export class SharedConnections extends Error {}

/**
 * Refuses a pooler that shares connections between transactions: locks, listening and settings of a session would end up
 * with another person. What one client sets for its session, a second client reads there, since it gets the connection that
 * the first has just given back.
 */
export async function refuseSharedConnections(url: string): Promise<void> {
  const clients = [1, 2].map(() => new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 }));
  // A lost connection fails the query that is running; without a listener Node would exit.
  for (const client of clients) client.on("error", () => {});
  const [first, second] = clients as [pg.Client, pg.Client];
  const mark = randomUUID();
  try {
    await first.connect();
    await second.connect();
    await first.query("select set_config('cercle.mark', $1, false)", [mark]);
    const { rows } = await second.query<{ read: string }>("select current_setting('cercle.mark', true) as read");
    await first.query("select set_config('cercle.mark', '', false)");
    if (rows[0]?.read === mark)
      throw new SharedConnections(
        "The pooler that DATABASE_URL names shares connections between transactions: set pool_mode = session.",
      );
  } finally {
    for (const client of clients) await client.end().catch(() => {});
  }
}

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Database } from "./database.server.ts";

/** How long a lost connection may go unnoticed: for that long, something old may be shown. */
const checkSeconds = 15;
const retrySeconds = 1;
/** How long a notification may take to come. */
const heardSeconds = 5;
const checkChannel = "cercle_check";

/**
 * Caches of this process that the database clears: it tells by NOTIFY when their rows change, whichever process changed
 * them. Nothing is cached before `start`, nor while the connection that listens is lost.
 */
export interface Changes {
  /** Caches what `load` returns for each key, until the channel tells of a change. */
  cache<Key, Value>(channel: string, load: (key: Key) => Promise<Value>): (key: Key) => Promise<Value>;
  /** Calls `changed` at every change, and whenever one may have been missed. */
  on(channel: string, changed: () => void): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createChanges(database: Database): Changes {
  const listeners = new Map<string, (() => void)[]>();
  let listening: pg.Client | undefined;
  /** The channels of the current connection. */
  let heard = new Set<string>();
  let stopped = true;

  const tell = (channel: string) => {
    for (const changed of listeners.get(channel) ?? []) changed();
  };
  const tellAll = () => {
    for (const channel of listeners.keys()) tell(channel);
  };

  function lose(client: pg.Client): void {
    if (listening !== client) return;
    listening = undefined;
    heard = new Set();
    tellAll();
    client.end().catch(() => {});
    void reconnect();
  }

  async function reconnect(): Promise<void> {
    while (!stopped && !listening) {
      await connect().catch(() => sleep(retrySeconds * 1_000, undefined, { ref: false }));
    }
  }

  async function connect(): Promise<void> {
    const { connectionString } = database.$client.options;
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: 3_000,
      query_timeout: 5_000,
      application_name: "cercle changes",
    });
    client.on("error", () => lose(client));
    client.on("end", () => lose(client));
    client.on("notification", ({ channel }) => tell(channel));
    const channels = [...listeners.keys()];
    try {
      await client.connect();
      const all = [checkChannel, ...channels].map((channel) => `listen ${client.escapeIdentifier(channel)}`);
      await client.query(all.join("; "));
      if (!(await hears(client))) throw new Error("Notifications do not arrive.");
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    if (stopped) return client.end();
    listening = client;
    heard = new Set(channels);
    // What changed before is not told.
    tellAll();
    void check(client);
  }

  /** A connection cut by the network ends without a word. */
  async function check(client: pg.Client): Promise<void> {
    while (listening === client) {
      await sleep(checkSeconds * 1_000, undefined, { ref: false });
      if (listening === client && !(await hears(client).catch(() => false))) lose(client);
    }
  }

  /** Whether what another connection notifies arrives; through a pooler that shares connections it does not. */
  async function hears(client: pg.Client): Promise<boolean> {
    const id = randomUUID();
    const arrived = new Promise<boolean>((resolve) => {
      const onNotification = ({ payload }: pg.Notification) => {
        if (payload !== id) return;
        client.off("notification", onNotification);
        resolve(true);
      };
      client.on("notification", onNotification);
    });
    await database.$client.query("select pg_notify($1, $2)", [checkChannel, id]);
    return Promise.race([arrived, sleep(heardSeconds * 1_000, false, { ref: false })]);
  }

  return {
    cache(channel, load) {
      const cached = new Map<unknown, ReturnType<typeof load>>();
      this.on(channel, () => cached.clear());
      return (key) => {
        const known = cached.get(key);
        if (known) return known;
        const loaded = load(key);
        if (!heard.has(channel)) return loaded;
        cached.set(key, loaded);
        loaded.catch(() => cached.delete(key));
        return loaded;
      };
    },
    on(channel, changed) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), changed]);
    },
    async start() {
      stopped = false;
      await connect().catch(() => void reconnect());
    },
    async stop() {
      stopped = true;
      const client = listening;
      listening = undefined;
      heard = new Set();
      tellAll();
      await client?.end().catch(() => {});
    },
  };
}

import pg from "pg";

/** A named statement; its rows come as arrays or as objects. */
interface PipelinedStatement {
  name: string;
  text: string;
  values: unknown[];
  rowMode?: "array";
}

/**
 * Runs short statements, each a transaction of its own, that may share a connection: those of one turn of the event loop
 * leave in one write, and none waits for the response to another. Decision 0125.
 */
export interface Pipeline {
  query<Row extends pg.QueryResultRow | unknown[]>(statement: PipelinedStatement): Promise<{ rows: Row[] }>;
  end(): Promise<void>;
}

/** Two, so that a process is not idle while PostgreSQL runs what it sent. */
const lanes = 2;
/** Responses come in order: behind a statement that takes longer than this no other is sent. */
const slowMs = 25;
/** How long a connection that could not be opened is not tried again. */
const retryMs = 1_000;

interface Lane {
  client: pg.Client;
  ready: boolean;
  /** When each statement that has no response yet was sent, the oldest first. */
  sentAt: number[];
  corked: boolean;
}

/** While a connection is being opened, is lost or is busy with a slow statement, the pool runs what is asked. */
export function openPipeline(
  pool: pg.Pool,
  options: { config: pg.ClientConfig; onConnect: (client: pg.Client) => Promise<unknown> },
): Pipeline {
  const open: (Lane | undefined)[] = Array.from({ length: lanes });
  let ended = false;

  async function connect(index: number): Promise<void> {
    const client = new pg.Client({ ...options.config, pipeline: true });
    const lane: Lane = { client, ready: false, sentAt: [], corked: false };
    open[index] = lane;
    // One that is lost, or that cannot read what it was sent, fails what is waiting on it, and is closed.
    client.on("error", () => {
      lane.ready = false;
      void client.end();
    });
    try {
      await client.connect();
      await options.onConnect(client);
    } catch {
      // The pool meets the same fault, and reports it.
      void client.end();
      setTimeout(() => delete open[index], retryMs).unref();
      return;
    }
    client.on("end", () => {
      lane.ready = false;
      delete open[index];
    });
    // Who traces or counts the statements of the pool's connections hears of this one too.
    pool.emit("connect", client as pg.PoolClient);
    lane.ready = true;
    if (ended) await client.end();
  }

  /** The connection with the fewest statements, none of them slow. Another one is opened once none is idle. */
  function freeLane(now: number): Lane | undefined {
    let free: Lane | undefined;
    let unopened: number | undefined;
    for (let index = 0; index < lanes; index += 1) {
      const lane = open[index];
      if (!lane) unopened ??= index;
      else if (lane.ready && now - (lane.sentAt[0] ?? now) <= slowMs)
        if (!free || lane.sentAt.length < free.sentAt.length) free = lane;
    }
    if (unopened !== undefined && free?.sentAt.length !== 0) void connect(unopened);
    return free;
  }

  return {
    async query(statement) {
      const now = performance.now();
      const lane = ended ? undefined : freeLane(now);
      if (!lane) return pool.query(statement) as never;
      holdWrites(lane);
      lane.sentAt.push(now);
      try {
        return (await lane.client.query(statement)) as never;
      } catch (error) {
        // It was sent behind the first one of its name, which could not be prepared: no fault of its own.
        if ((error as { code?: unknown }).code === invalidStatementName) return pool.query(statement) as never;
        throw error;
      } finally {
        lane.sentAt.shift();
      }
    },
    async end() {
      ended = true;
      await Promise.all(open.map((lane) => lane?.ready && lane.client.end()));
    },
  };
}

const invalidStatementName = "26000";

/** Until this turn's requests have been read: their statements leave in one write. */
function holdWrites(lane: Lane): void {
  if (lane.corked) return;
  const { stream } = (lane.client as unknown as { connection: pg.Connection }).connection;
  stream.cork();
  lane.corked = true;
  setImmediate(() => {
    lane.corked = false;
    stream.uncork();
  });
}

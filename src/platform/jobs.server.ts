import type { Database } from "./database.server.ts";

/** Background work by name. */
export type Jobs = Record<string, (payload: unknown, database: Database) => Promise<void>>;

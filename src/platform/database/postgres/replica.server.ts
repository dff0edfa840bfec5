import { type Database, unavailableRefusal } from "#platform/database/database.server.ts";

/** Reads what may be some seconds old. Whatever decides about points, or shows what was just done, reads the primary. */
export type ReadReplica = <Value>(read: (database: Database) => Promise<Value>) => Promise<Value>;

/** Reads from the replica where there is one, and from the primary while it is away. */
export function createReadReplica(primary: Database, replica: Database | undefined): ReadReplica {
  return async (read) => {
    if (!replica) return read(primary);
    try {
      return await read(replica);
    } catch (error) {
      if (!unavailableRefusal(error)) throw error;
      return read(primary);
    }
  };
}

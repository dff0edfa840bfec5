import pino, { type Logger } from "pino";

export type Log = Logger;

/** Lines of a tenth of a second are written together: one system call for each took an eighth of a request's processor time. */
const together = { sync: false, minLength: 8_192, periodicFlush: 100 };

/** JSON lines. Callers log ids, codes and durations: never bodies, addresses, tokens or error messages of queries. */
export function createLog(level: string, file?: string, release?: string): Log {
  const options = {
    level,
    // In every line, so that a log of several machines tells which release wrote it.
    base: release === undefined ? undefined : { release },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  // A log that writes nothing would go on to write nothing ten times a second.
  return pino(options, pino.destination({ dest: file ?? 1, ...(level !== "silent" && together) }));
}

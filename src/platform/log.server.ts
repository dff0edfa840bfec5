import pino, { type Logger } from "pino";

export type Log = Logger;

/** JSON lines. Callers log ids, codes and durations: never bodies, addresses, tokens or error messages of queries. */
export function createLog(level: string, file?: string, release?: string): Log {
  const options = {
    level,
    // In every line, so that a log of several machines tells which release wrote it.
    base: release === undefined ? undefined : { release },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return file ? pino(options, pino.destination(file)) : pino(options);
}

import pino, { type Logger } from "pino";

export type Log = Logger;

/** JSON lines. Callers log ids, codes and durations: never bodies, addresses, tokens or error messages of queries. */
export function createLog(level: string, file?: string): Log {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return file ? pino(options, pino.destination(file)) : pino(options);
}

import { existsSync } from "node:fs";

let given: Record<string, string | undefined> | undefined;

/**
 * The environment as the operator gave it, with the file `.env`. Read before `start` and `demo` make production the
 * default of NODE_ENV: only an operator's own NODE_ENV=production says that customers use this process.
 */
export function operatorEnvironment(): Record<string, string | undefined> {
  if (!given) {
    if (existsSync(".env")) process.loadEnvFile(".env");
    given = { ...process.env };
  }
  return given;
}

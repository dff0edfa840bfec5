import { execFileSync } from "node:child_process";

/** The last line of an operator's command about shops: the id or the key that it made. */
export function operator(...words: string[]): string {
  const env = { ...process.env, DATA_DIR: process.env["E2E_DATA_DIR"] };
  const printed = execFileSync(process.execPath, ["dist/server/shop.js", ...words], { env, encoding: "utf8" });
  return printed.trim().split("\n").at(-1) ?? "";
}

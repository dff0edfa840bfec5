import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { operatorEnvironment } from "#app/environment.server.ts";

/** `npm run demo`: the product with its demo customers, in a data folder of its own, apart from that of `npm start`. */
const { brand } = parseArgs({ options: { brand: { type: "string" } } }).values;
if (brand) process.env["BRAND_DIR"] = brand;
// Currency and time zone of a database cannot change: each brand has its own.
process.env["DATA_DIR"] ??= brand ? join("var", `demo-${basename(brand)}`) : "./var/demo";
process.env["LOG_LEVEL"] ??= "warn";
operatorEnvironment();
process.env["NODE_ENV"] ??= "production";
await import("./seed.ts");
// When the seed failed, the product does not start either.
if (!process.exitCode) {
  const { serve } = await import("#app/process/serve.ts");
  await serve(join(dirname(fileURLToPath(import.meta.url)), "../client"));
}

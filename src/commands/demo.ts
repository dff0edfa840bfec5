import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { operatorEnvironment } from "#app/environment.server.ts";

/** `npm run demo`: the product with its demonstration people, in a folder of their own beside whatever `npm start` keeps. */
process.env["DATA_DIR"] ??= "./var/demo";
process.env["LOG_LEVEL"] ??= "warn";
operatorEnvironment();
process.env["NODE_ENV"] ??= "production";
await import("./seed.ts");
// Whatever kept the people out also keeps the product closed.
if (!process.exitCode) {
  const { serve } = await import("#app/serve.ts");
  await serve(join(dirname(fileURLToPath(import.meta.url)), "../client"));
}

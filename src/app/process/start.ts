import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { operatorEnvironment } from "#app/environment.server.ts";

operatorEnvironment();
// React reads NODE_ENV when it is loaded, so it is set before anything is imported.
process.env["NODE_ENV"] ??= "production";
const { serve } = await import("./serve.ts");
await serve(join(dirname(fileURLToPath(import.meta.url)), "../client"));

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { operatorEnvironment } from "./environment.server.ts";

operatorEnvironment();
// React asks when it is loaded which half of it is wanted, so nothing is loaded before.
process.env["NODE_ENV"] ??= "production";
const { serve } = await import("./serve.ts");
await serve(join(dirname(fileURLToPath(import.meta.url)), "../client"));

import { createServer } from "node:http";
import { hash, verify } from "@node-rs/argon2";
import { toNodeHandler } from "better-auth/node";
import pg from "pg";
import { open } from "./open.mjs";

// In a process of its own, on better-auth's own handler for Node.
const [connectionString, baseURL, more = "{}"] = process.argv.slice(2);
/** What the product hashes with: argon2id, 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19 * 1_024, timeCost: 2, parallelism: 1 };
const password = {
  hash: (word) => hash(word, cost),
  verify: (given) => verify(given.hash, given.password),
};
const pool = new pg.Pool({ connectionString, max: 10 });
const handler = await open({ pool, baseURL, password, ...JSON.parse(more) });
const server = createServer(toNodeHandler(handler));
server.listen(0, "127.0.0.1", () => process.send?.({ port: server.address().port }));
process.on("message", () => process.send?.({ cpu: process.cpuUsage() }));
process.on("disconnect", () => process.exit());

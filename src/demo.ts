import process from "node:process";

/** `npm run demo`: the product with its demonstration people, in a folder of their own beside whatever `npm start` keeps. */
process.env["DATA_DIR"] ??= "./var/demo";
process.env["LOG_LEVEL"] ??= "warn";
await import("./seed.ts");
// Whatever kept the people out also keeps the product closed.
if (!process.exitCode) await import("./start.ts");

/**
 * `npm run bench`: what the product promises about speed, each as a ratio taken in one run on one machine,
 * so that it says the same on a fast machine and on a slow one. A broken floor fails the run.
 * Names of parts restrict it to them; `keep` writes what was measured to docs/bench.md.
 */
// As deployed. React and better-auth read NODE_ENV when they load, so it is set before any import.
process.env["NODE_ENV"] = "production";
const { runParts } = await import("./parts.ts");
if (!(await runParts(process.argv.slice(2)))) process.exitCode = 1;

// Makes this file a module, for top-level await.
export {};

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startJobs } from "#platform/jobs.server.ts";
import { DataInUse } from "#platform/postgres.server.ts";
import { BadSetting } from "#platform/settings.server.ts";
import { builtAssets } from "./assets.server.ts";
import { createListener } from "./listener.server.ts";
import { open } from "./open.server.ts";
import { createServer } from "./server.ts";

/** How long a stop waits for the last answers. */
const drainSeconds = 20;

async function start() {
  const { settings, database, log, movedTo, stop } = await open(process.env);
  const clientDir = join(dirname(fileURLToPath(import.meta.url)), "../client");
  const product = createServer({ settings, database, log, clientDir, assetsOf: builtAssets(clientDir) });
  const server = createListener(product.fetch);

  let jobs: Awaited<ReturnType<typeof startJobs>> | undefined;
  let stopping = false;
  async function leave() {
    if (stopping) return;
    stopping = true;
    product.drain();
    setTimeout(() => server.closeAllConnections(), drainSeconds * 1_000).unref();
    const answered = new Promise((resolve) => {
      server.close(resolve);
      server.closeIdleConnections();
    });
    await Promise.all([answered, jobs?.stop()]);
    await stop();
    process.exit(0);
  }
  process.on("SIGTERM", () => void leave());
  process.on("SIGINT", () => void leave());

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, settings.host, resolve);
  }).catch(async (error: NodeJS.ErrnoException) => {
    await stop();
    throw error.code === "EADDRINUSE"
      ? new BadSetting(`The setting PORT cannot be used: ${settings.port} is taken on ${settings.host}.`)
      : error;
  });
  jobs = await startJobs({ database, jobs: product.jobs, cron: product.cron, log });
  // A signal may have come while the jobs were starting.
  if (stopping) await jobs.stop();
  console.log(`Cercle is open: ${settings.publicUrl.origin}${movedTo ? ` (data in ${movedTo})` : ""}`);
}

start().catch((error) => {
  console.error(error instanceof BadSetting || error instanceof DataInUse ? error.message : error);
  process.exit(1);
});

import cluster from "node:cluster";
import { builtAssets } from "#pages/assets.server.ts";
import { ChangedMigration } from "#platform/database/migrate.server.ts";
import { DataInUse } from "#platform/database/postgres.server.ts";
import { startJobs } from "#platform/jobs/jobs.server.ts";
import { BadSetting } from "#platform/settings.server.ts";
import { operatorEnvironment } from "./environment.server.ts";
import { closeGracefully, createListener } from "./listener.server.ts";
import { createMetricsListener } from "./metrics.server.ts";
import { open } from "./open.server.ts";
import { createServer } from "./server.ts";
import { runWorkers } from "./workers.server.ts";

async function run(clientDir: string) {
  const { settings, database, log, movedTo, stop } = await open(operatorEnvironment());
  const notes = [
    ...(movedTo ? [`data in ${movedTo}`] : []),
    // Whoever can reach the sandbox's mailbox can enter every account: the operator must see that it is on.
    ...(settings.sandbox ? ["sandbox on"] : []),
  ];
  const address = [settings.publicUrl.origin, ...notes.map((note) => `(${note})`)].join(" ");
  const { host, metricsPort } = settings;
  if (settings.workers > 1 && cluster.isPrimary) {
    // The schema is up to date; from here on only the workers use the database.
    await stop();
    const metrics = metricsPort === undefined ? undefined : { port: metricsPort, host };
    const onOpen = () => console.log(`Cercle is open: ${address} (${settings.workers} workers)`);
    process.exit(await runWorkers({ count: settings.workers, log, metrics, onOpen }));
  }

  const metrics = metricsPort === undefined ? undefined : (await import("#platform/metrics.server.ts")).createMetrics();
  const product = createServer({
    settings,
    database,
    log,
    metrics,
    clientDir,
    assetsOf: builtAssets(clientDir),
    tillAssets: builtAssets(clientDir, "src/till/screen/till.tsx")([]),
    officeAssets: builtAssets(clientDir, "src/office/screen/office.tsx", "office")([]),
  });
  const server = createListener(product.fetch);
  const metricsListener = metrics && cluster.isPrimary ? createMetricsListener(metrics.text) : undefined;

  let jobs: Awaited<ReturnType<typeof startJobs>> | undefined;
  let stopping = false;
  async function shutDown(signal: NodeJS.Signals) {
    if (stopping) return;
    stopping = true;
    product.drain();
    // After Ctrl-C nobody sends requests any more, so there is no notice to give.
    const closed = closeGracefully(server, { otherWorkersListen: cluster.isWorker, giveNotice: signal === "SIGTERM" });
    await Promise.all([closed, jobs?.stop(), product.changes.stop()]);
    metricsListener?.close();
    await stop();
    process.exit(0);
  }
  process.on("SIGTERM", (signal) => void shutDown(signal));
  // In a terminal Ctrl-C reaches the workers too; they wait for the primary's SIGTERM.
  process.on("SIGINT", (signal) => void (cluster.isPrimary && shutDown(signal)));

  const listen = (listener: typeof server, port: number, setting: string) =>
    new Promise<void>((resolve, reject) => {
      listener.once("error", reject);
      listener.listen(port, host, resolve);
    }).catch(async (error: NodeJS.ErrnoException) => {
      await stop();
      throw error.code === "EADDRINUSE"
        ? new BadSetting(`The setting ${setting} cannot be used: ${port} is taken on ${host}.`)
        : error;
    });
  await product.changes.start();
  if (metricsListener && metricsPort !== undefined) await listen(metricsListener, metricsPort, "METRICS_PORT");
  await listen(server, settings.port, "PORT");
  jobs = await startJobs({ database, jobs: product.jobs, cron: product.cron, log });
  // A signal may have come while the jobs were starting.
  if (stopping) await jobs.stop();
  if (cluster.isPrimary) console.log(`Cercle is open: ${address}`);
}

/** Runs the product until a signal stops it; `clientDir` holds the browser's files. */
export async function serve(clientDir: string): Promise<void> {
  await run(clientDir).catch((error) => {
    const forOperator = [BadSetting, DataInUse, ChangedMigration].some((kind) => error instanceof kind);
    console.error(forOperator ? error.message : error);
    process.exit(1);
  });
}

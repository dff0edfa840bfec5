import cluster from "node:cluster";
import { setFlagsFromString } from "node:v8";
import { operatorEnvironment } from "#app/environment.server.ts";
import { createMetricsListener } from "#app/metrics.server.ts";
import { createServer } from "#app/server.ts";
import { installedBrand } from "#brand/brand.server.ts";
import { builtAssets } from "#pages/assets.server.ts";
import { offlineWorkers } from "#pages/offline/offline-workers.server.ts";
import { startJobs } from "#platform/jobs/jobs.server.ts";
import { closeGracefully, createListener, listen } from "./listener.server.ts";
import { open } from "./open.server.ts";
import { operatorLine } from "./operator-line.server.ts";
import { readRelease, releaseName } from "./release.server.ts";
import { answerMetrics, sendMetrics } from "./worker-metrics.server.ts";
import { runWorkers } from "./workers.server.ts";

async function run(clientDir: string) {
  const release = releaseName(readRelease(clientDir));
  // Without a listener a reload would end the process at once, and leave the embedded database behind.
  process.on("SIGHUP", () => {});
  const { settings, database, replica, log, movedTo, stop } = await open(operatorEnvironment(), release);
  const notes = [
    ...(movedTo ? [`data in ${movedTo}`] : []),
    // Anyone who can reach the sandbox's mailbox can enter every account: the operator must see that it is on.
    ...(settings.sandbox ? ["sandbox on"] : []),
    release,
  ];
  const address = [settings.publicUrl.origin, ...notes.map((note) => `(${note})`)].join(" ");
  const { host, port, metricsHost, metricsPort } = settings;
  if (settings.workers > 1 && cluster.isPrimary) {
    // The schema is up to date; from here on only the workers use the database.
    await stop();
    const metrics = metricsPort === undefined ? undefined : { port: metricsPort, host: metricsHost };
    const onOpen = () => console.log(`${installedBrand().Name} is open: ${address} (${settings.workers} workers)`);
    process.exit(await runWorkers({ count: settings.workers, log, metrics, onOpen }));
  }

  const metrics = metricsPort === undefined ? undefined : (await import("#platform/metrics.server.ts")).createMetrics();
  const tracing =
    settings.otlpEndpoint === undefined
      ? undefined
      : (await import("#platform/tracing-sdk.server.ts")).startTracing({ endpoint: settings.otlpEndpoint, release });
  const product = createServer({
    settings,
    database,
    replica,
    log,
    metrics,
    release,
    clientDir,
    assetsOf: builtAssets(clientDir),
    workers: offlineWorkers(clientDir),
    tillAssets: builtAssets(clientDir, "src/till/screen/till.tsx", "till"),
    officeAssets: builtAssets(clientDir, "src/office/screen/office.tsx", "office"),
  });
  const server = createListener(product.fetch, { secure: settings.secureCookies });
  const metricsListener = metrics && cluster.isPrimary ? createMetricsListener(metrics.text) : undefined;

  let jobs: Awaited<ReturnType<typeof startJobs>> | undefined;
  let stopping = false;
  async function shutDown(signal: NodeJS.Signals) {
    if (stopping) return;
    stopping = true;
    product.drain();
    // After Ctrl-C no one sends requests any more, so there is no notice to give.
    const closed = closeGracefully(server, { otherWorkersListen: cluster.isWorker, giveNotice: signal === "SIGTERM" });
    await Promise.all([closed, jobs?.stop(), product.changes.stop()]);
    metricsListener?.close();
    if (metrics && cluster.isWorker) await sendMetrics(metrics);
    await tracing?.stop();
    await stop();
    process.exit(0);
  }
  process.on("SIGTERM", (signal) => void shutDown(signal));
  // In a terminal Ctrl-C reaches the workers too; they wait for the primary's SIGTERM.
  process.on("SIGINT", (signal) => void (cluster.isPrimary && shutDown(signal)));

  // A terminal that closes ends what runs in it; from an operator the signal asks for a reload.
  process.on("SIGHUP", () => {
    if (cluster.isWorker) return;
    if (process.stdout.isTTY) void shutDown("SIGHUP");
    else log.warn("A reload replaces workers, and WORKERS is 1: restart instead.");
  });
  if (metrics && cluster.isWorker) answerMetrics(metrics);

  await product.changes.start();
  try {
    if (metricsListener && metricsPort !== undefined)
      await listen(metricsListener, { port: metricsPort, host: metricsHost, setting: "METRICS_PORT" });
    await listen(server, { port, host, setting: "PORT" });
  } catch (error) {
    await stop();
    throw error;
  }
  jobs = await startJobs({ database, jobs: product.jobs, cron: product.cron, log });
  // A signal may have come while the jobs were starting.
  if (stopping) await jobs.stop();
  if (cluster.isPrimary) console.log(`${installedBrand().Name} is open: ${address}`);
}

/** The heap grows by half of what is in use before V8 collects the garbage of all of it (decision 0133). */
export const heapGrowth = "--heap-growing-percent=50";

/** Runs the product until a signal stops it; `clientDir` holds the browser's files. */
export async function serve(clientDir: string): Promise<void> {
  setFlagsFromString(heapGrowth);
  await run(clientDir).catch((error) => {
    console.error(operatorLine(error) ?? error);
    process.exit(1);
  });
}

import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createMetricsListener } from "#app/metrics.server.ts";
import type { Log } from "#platform/log.server.ts";
import { listen } from "./listener.server.ts";
import { createWorkerMetrics } from "./worker-metrics.server.ts";

/** A worker that ran this long had started well: its replacement starts without backoff. */
const steadySeconds = 60;
const maxBackoffMs = 30_000;

/**
 * Several processes on one port. A worker that dies is replaced, with a growing backoff if it keeps dying; SIGHUP replaces
 * them one after the other; SIGTERM shuts all of them down gracefully. Ends when the last one has.
 */
export async function runWorkers(options: {
  count: number;
  log: Log;
  metrics: { port: number; host: string } | undefined;
  onOpen: () => void;
}): Promise<number> {
  const { count, log } = options;
  let stopping = false;
  let everOpen = false;
  let failures = 0;
  let end = (_code: number) => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });

  function launch(): Worker {
    const worker = cluster.fork();
    metrics?.watch(worker);
    const startedAt = Date.now();
    worker.once("listening", () => everOpen && log.warn({ worker: worker.id }, "worker took its place"));
    worker.once("exit", async (code, signal) => {
      if (stopping || !everOpen) return void (living().length === 0 && end(everOpen ? 0 : 1));
      // One that ended without error was asked to: it is replaced at once.
      failures = code === 0 || Date.now() - startedAt > steadySeconds * 1_000 ? 0 : failures + 1;
      const waitMs = failures === 0 ? 0 : Math.min(100 * 2 ** (failures - 1), maxBackoffMs);
      log.warn({ worker: worker.id, code, signal, waitMs }, "worker ended; replacing it");
      await sleep(waitMs);
      if (!stopping && living().length < count) launch();
    });
    return worker;
  }

  const living = () =>
    Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && !worker.isDead()) as Worker[];

  async function replaceAll(): Promise<void> {
    for (const old of living()) {
      if (stopping) return;
      const next = launch();
      await Promise.race([once(next, "listening"), once(next, "exit")]);
      // A replacement that did not start must not cost a worker that works.
      if (next.isDead()) return;
      old.process.kill("SIGTERM");
      await once(old, "exit");
    }
  }

  function stop(): void {
    stopping = true;
    for (const worker of living()) worker.process.kill("SIGTERM");
  }

  let replacing = Promise.resolve();
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.on("SIGHUP", () => {
    replacing = replacing.then(replaceAll);
  });

  const metrics = options.metrics && (await createWorkerMetrics(living));
  if (options.metrics && metrics)
    await listen(createMetricsListener(metrics.text), { ...options.metrics, setting: "METRICS_PORT" });
  const first = Array.from({ length: count }, launch);
  const opened = await Promise.race([
    Promise.all(first.map((worker) => once(worker, "listening"))).then(() => true),
    ...first.map((worker) => once(worker, "exit").then(() => false)),
  ]);
  if (opened) {
    everOpen = true;
    options.onOpen();
  } else stop();
  return ended;
}

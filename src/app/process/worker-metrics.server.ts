import type { Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { MetricObject } from "prom-client";
import type { Metrics } from "#platform/metrics.server.ts";

type Values = MetricObject[];
/** What primary and workers say to each other. `last`: the worker is about to end. */
type Message = { metrics: "ask" } | { metrics: "values"; values: Values; last: boolean };

/** How long a scrape waits for a worker; of one that does not answer, the values before are taken. */
const waitMs = 3_000;

/** In a worker: answers whenever the primary asks. */
export function answerMetrics(metrics: Metrics): void {
  process.on("message", (message: Partial<Message>) => {
    if (message?.metrics === "ask") void send(metrics, false);
  });
}

/** In a worker that ends: hands over what it has counted, so that no counter falls. */
export const sendMetrics = (metrics: Metrics): Promise<void> => send(metrics, true);

async function send(metrics: Metrics, last: boolean): Promise<void> {
  const values = await metrics.json();
  const message: Message = { metrics: "values", values, last };
  // A primary that is gone needs no values.
  await new Promise<void>((resolve) => process.send?.(message, undefined, undefined, () => resolve()) ?? resolve());
}

/** In the primary: the metrics of all workers together, those that have ended included. */
export async function createWorkerMetrics(workers: () => Worker[]) {
  const { AggregatorRegistry } = await import("prom-client");
  const add = (all: Values[]): Promise<Values> =>
    AggregatorRegistry.aggregate(all).getMetricsAsJSON() as Promise<Values>;
  const latest = new Map<number, Values>();
  let ended: Promise<Values> = Promise.resolve([]);

  return {
    /** To be called for every worker when it is started. */
    watch(worker: Worker): void {
      worker.on("message", (message: Partial<Message>) => {
        if (message?.metrics === "values") latest.set(worker.id, message.values ?? []);
      });
      worker.once("exit", () => {
        const values = latest.get(worker.id);
        latest.delete(worker.id);
        if (!values) return;
        // What it held is gone with it; what it counted has happened.
        const counted = values.filter(({ type }) => ["counter", "histogram"].includes(String(type)));
        ended = ended.then((before) => add([before, counted]));
      });
    },
    async text(): Promise<string> {
      await Promise.race([Promise.all(workers().map(answered)), sleep(waitMs, undefined, { ref: false })]);
      return AggregatorRegistry.aggregate([await ended, ...latest.values()]).metrics();
    },
  };

  function answered(worker: Worker): Promise<void> {
    return new Promise((resolve) => {
      const onMessage = (message: Partial<Message>) => {
        if (message?.metrics !== "values") return;
        worker.off("message", onMessage);
        resolve();
      };
      worker.on("message", onMessage);
      // One that is just ending cannot be asked any more.
      worker.send({ metrics: "ask" } satisfies Message, (error) => error && resolve());
    });
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { Counter, collectDefaultMetrics, Gauge, Histogram, type MetricObject, Registry } from "prom-client";

/** One request. The route is the pattern that matched, never the path: clients could make up any number of paths. */
export interface RequestMetrics {
  method: string;
  route: string | undefined;
  status: number;
  seconds: number;
}

/** How long a scrape waits for a value. */
const readLimitMs = 2_000;
const methods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);

/** What an operator watches. Off unless METRICS_PORT is set; then served on that port alone. */
export function createMetrics() {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: "cercle_request_seconds",
    help: "Answered requests and how long they took, by route and status.",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const refused = new Counter({
    name: "cercle_refusals_total",
    help: "Refused requests, by the code of the refusal and the route.",
    labelNames: ["code", "route"],
    registers,
  });
  const refusals = new Counter({
    name: "cercle_limit_refusals_total",
    help: "Attempts refused because there were too many, by limit.",
    labelNames: ["limit"],
    registers,
  });

  const clientErrors = new Counter({
    name: "cercle_client_errors_total",
    help: "Errors in browsers that no code has caught, by what was open: the pages, the till, the back office; other: code of others.",
    labelNames: ["page"],
    registers,
  });

  return {
    observeRequest({ method, route = "other", status, seconds }: RequestMetrics): void {
      requests.observe({ method: methods.has(method) ? method : "OTHER", route, status }, seconds);
    },
    refused(code: string, route = "other"): void {
      refused.inc({ code, route });
    },
    clientError(page: string): void {
      clientErrors.inc({ page });
    },
    refusedByLimit(limit: string): void {
      refusals.inc({ limit });
    },
    /**
     * A gauge read when the metrics are scraped, one number per label. Every process reads the same value from the
     * database, so the aggregate is the maximum; values of the process itself are summed.
     */
    read(
      name: string,
      help: string,
      label: string,
      of: "process" | "database",
      values: () => Promise<Record<string, number>> | Record<string, number>,
    ): void {
      // One at a time: scrapes must not pile up behind a query that hangs.
      let running: Promise<Record<string, number>> | undefined;
      new Gauge({
        name,
        help,
        labelNames: [label],
        aggregator: of === "database" ? "max" : "sum",
        registers,
        async collect() {
          // Without its database, or while a query hangs, a process still reports the other metrics.
          running ??= Promise.resolve()
            .then(values)
            .catch(() => ({}))
            .finally(() => {
              running = undefined;
            });
          const read = await Promise.race([running, sleep(readLimitMs, {}, { ref: false })]);
          this.reset();
          for (const [key, value] of Object.entries(read)) this.set({ [label]: key }, value);
        },
      });
    },
    text: () => register.metrics(),
    /** The same as data, which the primary process adds up over all workers. */
    json: (): Promise<MetricObject[]> => register.getMetricsAsJSON() as Promise<MetricObject[]>,
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

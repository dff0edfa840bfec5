import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram } from "prom-client";

/** One answered request. The route is the pattern that matched, never the path: a path is the client's invention. */
export interface Answered {
  method: string;
  route: string | undefined;
  status: number;
  seconds: number;
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);

/** What an operator watches. Off unless METRICS_PORT is set; then served on that port alone. */
export function createMetrics() {
  // Of this kind so that a worker of several answers the process that serves the metrics of all.
  const register = new AggregatorRegistry();
  const registers = [register];
  AggregatorRegistry.setRegistries(registers);
  collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: "cercle_request_seconds",
    help: "Answered requests and how long they took, by route and status.",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const refusals = new Counter({
    name: "cercle_limit_refusals_total",
    help: "Attempts refused because there were too many, by limit.",
    labelNames: ["limit"],
    registers,
  });

  return {
    answered({ method, route = "other", status, seconds }: Answered): void {
      requests.observe({ method: methods.has(method) ? method : "OTHER", route, status }, seconds);
    },
    refusedByLimit(limit: string): void {
      refusals.inc({ limit });
    },
    /**
     * A metric read when somebody asks, one number per label. What every process reads alike from the database is
     * told once (`max`), what each has of its own is added up.
     */
    read(
      name: string,
      help: string,
      label: string,
      of: "process" | "database",
      values: () => Promise<Record<string, number>> | Record<string, number>,
    ): void {
      new Gauge({
        name,
        help,
        labelNames: [label],
        aggregator: of === "database" ? "max" : "sum",
        registers,
        async collect() {
          // With its database away a process still tells the rest.
          const read = await Promise.resolve()
            .then(values)
            .catch(() => ({}));
          this.reset();
          for (const [key, value] of Object.entries(read)) this.set({ [label]: key }, value);
        },
      });
    },
    text: () => register.metrics(),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

import { expect, test } from "vitest";
import { tracer } from "./tracing.server.ts";
import { startTracing } from "./tracing-sdk.server.ts";

test("a collector that is away delays neither spans nor the stop, and is no error", async () => {
  const tracing = startTracing({ endpoint: "http://127.0.0.1:1", release: "1.0.0+abc" });
  for (let n = 0; n < 5_000; n += 1) tracer().startSpan("request").end();
  const startedAt = performance.now();
  await tracing.stop();
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});

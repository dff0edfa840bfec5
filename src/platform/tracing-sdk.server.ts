import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from "@opentelemetry/semantic-conventions";

const timeoutMs = 5_000;
/** While the collector is away, later spans are dropped: they must not fill the memory. */
const maxWaiting = 4_096;
/** The longest statements are cut: a batch of spans is to stay small. */
const maxAttributeLength = 2_048;

/** Registers the SDK: from now on spans are sent to the collector, in batches. */
export function startTracing({ endpoint, release }: { endpoint: string; release: string }) {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: timeoutMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ [ATTR_SERVICE_NAME]: "cercle", [ATTR_SERVICE_VERSION]: release }),
    spanLimits: { attributeValueLengthLimit: maxAttributeLength },
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: maxWaiting, exportTimeoutMillis: timeoutMs })],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return {
    /** Sends what waits. A collector that is away is no error. */
    flush: () => provider.forceFlush({ timeoutMillis: timeoutMs }).catch(() => {}),
    async stop() {
      trace.disable();
      context.disable();
      await provider.shutdown().catch(() => {});
    },
  };
}

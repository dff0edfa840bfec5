import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createAdaptorServer } from "@hono/node-server";
import type { RequestEnv } from "#platform/requests.server.ts";

/** How long a whole request may take to arrive, headers and body. */
const requestSeconds = 15;
/** How long whoever stands in front has to notice, and clients to learn with their next answer that their connection ends. */
const farewellMs = 1_500;
/** How long a stop waits for the last answers. */
const drainSeconds = 20;

type Fetch = (request: Request, env: RequestEnv["Bindings"]) => Response | Promise<Response>;

/** The product behind a port. A client that sends its request too slowly is answered 408 and let go. */
export function createListener(fetch: Fetch, patience = { requestMs: requestSeconds * 1_000 }): Server {
  const server = createAdaptorServer({
    fetch: (request, env) => fetch(request, { address: env.incoming.socket.remoteAddress }),
    serverOptions: {
      requestTimeout: patience.requestMs,
      headersTimeout: Math.min(10_000, patience.requestMs),
      // By itself Node looks for slow clients twice a minute.
      connectionsCheckingInterval: Math.min(1_000, patience.requestMs / 4),
    },
  });
  // The adaptor makes a server of HTTP/2 only when asked to.
  return server as Server;
}

/**
 * Stops listening without failing anybody: every answer from now on ends its connection. One that stays silent ends when
 * the time is over that its client was promised with the last answer, as always, and no client sends then; cut before, it
 * could be lost in the moment its client sends the next request.
 * A worker of several stops taking new connections at once, since its neighbours take them; a process by itself
 * goes on until then, since whoever stands in front of it has yet to notice.
 */
export async function closeGently(server: Server, options: { hasNeighbours: boolean; farewell: boolean }) {
  server.prependListener("request", (_request, response) => response.setHeader("connection", "close"));
  const stopListening = () =>
    new Promise<void>((resolve) => {
      // The HTTP server's own way of closing would cut idle connections in the same moment.
      NetServer.prototype.close.call(server, () => resolve());
    });
  const closed = options.hasNeighbours ? stopListening() : undefined;
  if (options.farewell) await sleep(farewellMs);
  const last = closed ?? stopListening();
  if (options.farewell) await Promise.race([last, sleep(server.keepAliveTimeout)]);
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), drainSeconds * 1_000).unref();
  // A connection whose answer was under way may fall idle after the cut above.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  await last;
  clearInterval(sweep);
}

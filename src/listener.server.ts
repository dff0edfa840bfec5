import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { RequestEnv } from "#platform/requests.server.ts";

/** How long a whole request may take to arrive, headers and body. */
const requestSeconds = 15;

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

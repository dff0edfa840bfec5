import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import type { RequestEnv } from "#platform/api/requests.server.ts";

/** How long a whole request may take to arrive, headers and body. */
const requestSeconds = 15;
/** How long a connection may stand still while an answer is under way, before it is closed. */
const stalledSeconds = 60;
/** Unanswered requests one connection may have sent ahead (HTTP pipelining). Browsers and proxies send none. */
const mostPipelined = 32;
/** How long the rest of a refused body is read and thrown away. */
const lingerMs = 500;
/** How long whoever stands in front has to notice, and clients to learn with their next answer that their connection ends. */
const farewellMs = 1_500;
/** How long a stop waits for the last answers. */
const drainSeconds = 20;

type Fetch = (request: Request, env: RequestEnv["Bindings"]) => Response | Promise<Response>;

/**
 * The product behind a port. A client that sends its request too slowly is answered 408 and let go; one that does not
 * read its answer holds one answer in memory, and is let go too.
 */
export function createListener(
  fetch: Fetch,
  { requestMs = requestSeconds * 1_000, stalledMs = stalledSeconds * 1_000 } = {},
): Server {
  const answer = getRequestListener(async (request, { incoming, outgoing }) => {
    const response = await fetch(request, { address: incoming.socket.remoteAddress });
    // A refusal may be ready before Node has parsed the rest of what it has read.
    if (!incoming.complete) await new Promise(setImmediate);
    // The adaptor's types allow for HTTP/2, which this server does not speak.
    if (!incoming.complete) closeAfterRest(incoming as IncomingMessage, outgoing as ServerResponse);
    return response;
  });
  const server = createServer(
    {
      requestTimeout: requestMs,
      headersTimeout: Math.min(10_000, requestMs),
      // By itself Node looks for slow clients twice a minute.
      connectionsCheckingInterval: Math.min(1_000, requestMs / 4),
    },
    oneAtATime(answer),
  );
  server.timeout = stalledMs;
  return server;
}

/**
 * Starts a connection's next request when the answer before it has been handed to the system. Node by itself starts all
 * the requests it has read and keeps their answers until the client reads them: 64 kB of requests would hold 1 300
 * answers.
 */
function oneAtATime(answer: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();

  function start(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    response.once("close", () => {
      const next = queues.get(socket)?.shift();
      if (next && socket.writable) start(...next);
      else queues.delete(socket);
    });
    answer(request, response);
  }

  return (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket);
    if (!queue) {
      queues.set(socket, []);
      start(request, response);
    } else if (queue.length < mostPipelined) queue.push([request, response]);
    else socket.destroy();
  };
}

/**
 * An answer given before the body has arrived: the connection ends with it, and says so, since the next request would
 * begin somewhere in the rest. The rest is read for a moment (lingering close): a connection closed while its client
 * sends is reset, and the client may lose the answer.
 */
function closeAfterRest(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  response.setHeader("connection", "close");
  const close = socket.destroySoon.bind(socket);
  // Node calls this when the last answer is out.
  socket.destroySoon = () => {
    socket.end();
    request.removeAllListeners("data");
    request.once("end", close).resume();
    setTimeout(close, lingerMs).unref();
  };
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

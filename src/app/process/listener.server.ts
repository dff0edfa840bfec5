import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { defaultLocale, localeOfHeader } from "#i18n/locale.ts";
import { apiHeaders, type RequestEnv } from "#platform/api/requests.server.ts";
import { problemOf } from "#platform/problem.server.ts";
import { takeRandom } from "#platform/random.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { BadSetting } from "#platform/settings.server.ts";

/** How long a whole request may take to arrive, headers and body. */
const requestSeconds = 15;
/** How long a connection may be idle while a response is being sent, before it is closed. */
const stalledSeconds = 60;
/** Requests one connection may have waiting for a response (HTTP pipelining). Browsers and proxies do not pipeline. */
const maxPipelined = 32;
/** How long the rest of a refused body is read and discarded (lingering close). */
const lingerMs = 500;
/** How long a load balancer has to notice a shutdown, and keep-alive clients to be told with their next response. */
const shutdownNoticeMs = 1_500;
const noticeStepMs = 100;
/** How long a shutdown waits for the last responses. */
const drainSeconds = 20;

type Fetch = (request: Request, env: RequestEnv["Bindings"]) => Response | Promise<Response>;

/**
 * The product's HTTP server. A client that sends its request too slowly gets 408 and is disconnected; one that does not
 * read its response holds one response in memory, and is disconnected too.
 */
export function createListener(
  fetch: Fetch,
  { requestMs = requestSeconds * 1_000, stalledMs = stalledSeconds * 1_000, secure = false } = {},
): Server {
  const listener = getRequestListener(async (request, { incoming, outgoing }) => {
    const response = await fetch(request, { address: incoming.socket.remoteAddress });
    // A response may be ready before Node has parsed the rest of the body it has read.
    if (!incoming.complete) await new Promise(setImmediate);
    // The adapter's types allow for HTTP/2, which this server does not use.
    if (!incoming.complete) closeAfterRest(incoming as IncomingMessage, outgoing as ServerResponse);
    return response;
  });
  const server = createServer(
    {
      requestTimeout: requestMs,
      headersTimeout: Math.min(10_000, requestMs),
      // By default Node checks for slow clients twice a minute.
      connectionsCheckingInterval: Math.min(1_000, requestMs / 4),
    },
    oneAtATime(listener),
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const { request, response } = answering.get(socket) ?? {};
    if (socket.writable && !response?.headersSent) socket.write(refusalBytes(error.code, request, secure));
    socket.destroy(error);
  });
  server.timeout = stalledMs;
  return server;
}

/** The request of a connection whose response is being made. */
const answering = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();

const refusedByNode: Record<string, Refusal> = {
  ERR_HTTP_REQUEST_TIMEOUT: new Refusal("too_slow"),
  HPE_HEADER_OVERFLOW: new Refusal("too_large"),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new Refusal("too_large"),
};

/** What Node refuses before it is a whole request, in the form of every other refusal. */
function refusalBytes(code: string | undefined, request: IncomingMessage | undefined, secure: boolean): string {
  const locale = localeOfHeader(request?.headers["accept-language"]) ?? defaultLocale();
  const requestId = takeRandom(9).toString("base64url");
  const problem = problemOf(refusedByNode[code ?? ""] ?? new Refusal("invalid"), locale, requestId);
  const body = JSON.stringify(problem);
  const headers = {
    ...apiHeaders(secure),
    "content-type": "application/problem+json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "content-language": locale,
    "cache-control": "no-store",
    "x-request-id": requestId,
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join("")}\r\n${body}`;
}

/** Listens, or refuses in one line that names the setting with the port. */
export async function listen(server: NetServer, at: { port: number; host: string; setting: string }): Promise<void> {
  const { port, host, setting } = at;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    const reasons: Record<string, string> = {
      EADDRINUSE: `${port} is taken on ${host}`,
      EACCES: `this user may not listen on ${port}`,
      EADDRNOTAVAIL: `${host} is no address of this machine`,
    };
    const reason = reasons[error.code ?? ""];
    throw reason ? new BadSetting(`The setting ${setting} cannot be used: ${reason}.`) : error;
  });
}

/**
 * Starts a connection's next request when the response before it has been handed to the system. By default Node starts all
 * the requests it has read and buffers their responses until the client reads them: 64 kB of requests would hold 1 300
 * responses.
 */
function oneAtATime(listener: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();

  function start(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    answering.set(socket, { request, response });
    response.once("close", () => {
      answering.delete(socket);
      const next = queues.get(socket)?.shift();
      if (next && socket.writable) start(...next);
      else queues.delete(socket);
    });
    listener(request, response);
  }

  return (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket);
    if (!queue) {
      queues.set(socket, []);
      start(request, response);
    } else if (queue.length < maxPipelined) queue.push([request, response]);
    else socket.destroy();
  };
}

/**
 * For a response sent before the body has arrived: it closes the connection, and says so, since the next request would
 * begin somewhere in the rest. The rest is read for a moment (lingering close): a connection closed while its client
 * sends is reset, and the client may lose the response.
 */
function closeAfterRest(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  response.setHeader("connection", "close");
  const close = socket.destroySoon.bind(socket);
  // Node calls this when the last response has been sent.
  socket.destroySoon = () => {
    socket.end();
    request.removeAllListeners("data");
    request.once("end", close).resume();
    setTimeout(close, lingerMs).unref();
  };
}

/**
 * Graceful shutdown: no request fails. Every response from now on closes its connection. An idle keep-alive connection is
 * closed after the keep-alive timeout that its client was told, when no client sends any more; closed earlier, a request in
 * flight could be lost.
 * With other workers on the port, new connections are refused at once, since those take them; a single process accepts
 * them until the load balancer in front has noticed.
 */
export async function closeGracefully(server: Server, options: { otherWorkersListen: boolean; giveNotice: boolean }) {
  server.prependListener("request", (_request, response) => response.setHeader("connection", "close"));
  // The HTTP server's own close() would cut idle connections at once.
  const close = (done?: () => void) => NetServer.prototype.close.call(server, done);
  const stopListening = () =>
    new Promise<void>((resolve) => {
      if (server.listening) return void close(resolve);
      // Closed before it listens, a worker would crash when its primary answers that the port is taken.
      server.once("listening", () => close());
      resolve();
    });
  const closed = options.otherWorkersListen ? stopListening() : undefined;
  // In steps, between which those who ask are answered: on a busy machine one wait may be over before the process is let on.
  for (let given = 0; options.giveNotice && given < shutdownNoticeMs; given += noticeStepMs) await sleep(noticeStepMs);
  const last = closed ?? stopListening();
  if (options.giveNotice) await Promise.race([last, sleep(server.keepAliveTimeout)]);
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), drainSeconds * 1_000).unref();
  // A connection whose response was being sent may become idle after that.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  await last;
  clearInterval(sweep);
}

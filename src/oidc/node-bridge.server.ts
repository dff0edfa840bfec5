import { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { readBytes } from "#platform/api/fields.server.ts";

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Calls a listener of Node's HTTP server, which responds with one `end`, as a fetch handler. Host and protocol are the
 * issuer's, whatever the request says: the listener builds addresses from them.
 */
export async function callNode(
  listener: Listener,
  request: Request,
  options: { issuer: string; address: string },
): Promise<Response> {
  const issuer = new URL(options.issuer);
  const { pathname, search } = new URL(request.url);
  const socket = {
    encrypted: issuer.protocol === "https:",
    remoteAddress: options.address,
    writable: true,
    destroy() {},
  };
  // As much of a socket as the listener reads.
  const incoming = new IncomingMessage(socket as unknown as Socket);
  const { bytes } = await readBytes(request);
  const headers: Record<string, string> = { ...Object.fromEntries(request.headers), host: issuer.host };
  if (bytes.length > 0) headers["content-length"] = String(bytes.length);
  Object.assign(incoming, { method: request.method, url: pathname + search, complete: true, headers });
  if (bytes.length > 0) incoming.push(bytes);
  incoming.push(null);
  const outgoing = new ServerResponse(incoming);
  return new Promise((resolve, reject) => {
    outgoing.end = ((chunk?: string | Buffer) => {
      const sent = new Headers();
      for (const [name, value] of Object.entries(outgoing.getHeaders()))
        for (const one of [value ?? []].flat()) sent.append(name, String(one));
      const empty = [204, 304].includes(outgoing.statusCode);
      const body = typeof chunk === "string" || chunk === undefined ? (chunk ?? null) : new Uint8Array(chunk);
      resolve(new Response(empty ? null : body, { status: outgoing.statusCode, headers: sent }));
      return outgoing;
    }) as typeof outgoing.end;
    Promise.resolve(listener(incoming, outgoing)).catch(reject);
  });
}

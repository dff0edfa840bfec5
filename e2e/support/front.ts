import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a load balancer can make of the product. */
export interface Front {
  url: string;
  /** After a deploy every built file has another name, and the old ones are gone. */
  deployed: boolean;
  /** Files that the deploy lost. */
  missing: RegExp | undefined;
  /** `stalled` takes requests and answers none; `away` answers them in the product's stead; `gone` breaks connections. */
  state: "up" | "stalled" | "away" | "gone";
  close(): void;
}

const old = "/assets/";
const renamed = "/assets/next-";

/** Stands in front of the running product, so that a test can deploy it, stall it and take it down. */
export async function openFront(product: string): Promise<Front> {
  const server = createServer(async (request, response) => {
    if (front.state === "stalled") return;
    if (front.state === "gone") return void request.socket.destroy();
    if (front.state === "away") return void response.writeHead(503, { "content-type": "text/plain" }).end("away");
    let path = request.url ?? "/";
    if (front.missing?.test(path)) return void response.writeHead(404).end();
    if (front.deployed && path.startsWith(old)) {
      if (!path.startsWith(renamed)) return void response.writeHead(404).end();
      path = path.replace(renamed, old);
    }
    const body = ["GET", "HEAD"].includes(request.method ?? "") ? undefined : await bodyOf(request);
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    for (const name of ["host", "connection", "content-length"]) headers.delete(name);
    headers.set("accept-encoding", "identity");
    const answer = await fetch(product + path, {
      method: request.method ?? "GET",
      headers,
      redirect: "manual",
      ...(body && { body }),
    });
    await pass(answer, response);
  });
  async function pass(answer: Response, response: ServerResponse) {
    const kind = answer.headers.get("content-type") ?? "";
    const bytes = Buffer.from(await answer.arrayBuffer());
    const rename = front.deployed && /html|javascript|css/.test(kind);
    // Names stand in pages and scripts with and without their leading slash, and beside one another with a dot.
    const text = () =>
      bytes
        .toString()
        .replace(/(["'`(/])(\.\/|assets\/|\/assets\/)(?=[\w.-]+-[\w-]{8}\.)/g, "$1$2next-")
        .replace(/^const build=\{"id":"/, "$&next-");
    for (const [name, value] of answer.headers)
      if (
        !["set-cookie", "content-length", "content-encoding", "connection", "keep-alive", "transfer-encoding"].includes(
          name,
        )
      )
        response.setHeader(name, value);
    response.setHeader("set-cookie", answer.headers.getSetCookie());
    response.writeHead(answer.status).end(rename ? text() : bytes);
  }
  await new Promise<void>((resolve) => {
    server.listen(0, "localhost", resolve);
  });
  const front: Front = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    deployed: false,
    missing: undefined,
    state: "up",
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return front;
}

async function bodyOf(request: AsyncIterable<Buffer>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

import { once } from "node:events";
import { Agent, request as send } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { closeGracefully, createListener } from "./listener.server.ts";

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

/** A listener with a handler of its own, and the server's ends of its connections. */
async function listen(
  handle: (request: Request) => Promise<Response>,
  timeouts: Parameters<typeof createListener>[1] = {},
) {
  const server = createListener(handle, timeouts);
  const served: Socket[] = [];
  server.on("connection", (socket) => served.push(socket));
  const answered = once(server, "request").then(([, response]) => once(response, "close"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push({
    close() {
      server.close();
      server.closeAllConnections();
    },
  });
  return { port: (server.address() as AddressInfo).port, served, answered };
}

function dial(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  opened.push({ close: () => socket.destroy() });
  // The server may close it: that is what these tests are about.
  socket.on("error", () => {});
  return socket;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
const many = (count: number, path = "/") => get(path).repeat(count);
const megabytes = (count: number) => new Uint8Array(count * 1_048_576);

test("pipelined requests are handled one after the other, in their order", async () => {
  let running = 0;
  let most = 0;
  const { port } = await listen(async ({ url }) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return new Response(`<${new URL(url).pathname}>`);
  });
  const client = dial(port);
  const paths = Array.from({ length: 20 }, (_, n) => `/${n}`);
  client.write(paths.map(get).join(""));
  let received = "";
  for await (const chunk of client) {
    received += chunk;
    if (received.includes("</19>")) break;
  }
  expect(received.match(/<\/\d+>/g)).toEqual(paths.map((path) => `<${path}>`));
  expect(most).toBe(1);
});

test("a client that pipelines requests and reads nothing holds one response, and delays nobody else", async () => {
  let started = 0;
  const { port, served } = await listen(async ({ url }) => {
    if (url.endsWith("/small")) return new Response("small");
    started += 1;
    return new Response(megabytes(4));
  });
  const client = dial(port);
  client.pause();
  client.write(many(30));
  await expect.poll(() => served[0]?.writableLength).toBeGreaterThan(0);
  // By the time others have their responses, whatever would be started at once has been.
  for (let n = 0; n < 20; n += 1) expect(await (await fetch(`http://127.0.0.1:${port}/small`)).text()).toBe("small");
  expect(served[0]?.writableLength).toBeLessThan(5 * 1_048_576);
  // The system's own buffers take a few megabytes.
  expect(started).toBeLessThan(10);
});

test("a connection that pipelines 1 300 requests is closed, and at most two of them are started", async () => {
  let started = 0;
  const { port } = await listen(async () => {
    started += 1;
    return new Response(megabytes(1));
  });
  const client = dial(port);
  client.pause();
  client.write(many(1_300));
  client.resume();
  await once(client, "close");
  expect(started).toBeLessThan(3);
});

test("a client that does not read its response is disconnected", async () => {
  const { port, served } = await listen(async () => new Response(megabytes(20)), { stalledMs: 200 });
  const client = dial(port);
  client.pause();
  client.write(get("/"));
  await expect.poll(() => served[0]?.destroyed).toBe(true);
});

const refuse = async () => new Response("too large", { status: 413 });

test("a response sent while the body is still arriving says connection: close", async () => {
  const { port } = await listen(refuse);
  const client = dial(port);
  client.write("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000\r\n\r\nhalf");
  const received = await text(client);
  expect(received).toMatch(/^HTTP\/1\.1 413 /);
  expect(received.toLowerCase()).toContain("\r\nconnection: close\r\n");
});

test("a client that goes on sending a refused body can still read the refusal", async () => {
  const { port, answered } = await listen(refuse);
  const client = dial(port);
  client.pause();
  client.write("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000000\r\n\r\nhalf");
  await answered;
  // On a closed connection the second of these would fail.
  for (let n = 0; n < 5; n += 1)
    await new Promise<void>((done, fail) => client.write(megabytes(1), (error) => (error ? fail(error) : done())));
  expect(await text(client)).toMatch(/^HTTP\/1\.1 413 /);
});

test("a response sent after the body has arrived keeps the connection", async () => {
  const { port } = await listen(refuse);
  const client = dial(port);
  const whole = "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\n\r\nhalf";
  client.write(whole + whole);
  let received = "";
  for await (const chunk of client) {
    received += chunk;
    if (received.split("too large").length === 3) break;
  }
  expect(received.toLowerCase()).not.toContain("connection: close");
});

test("a keep-alive client gets every refusal of a large body, and loses none of the requests between", async () => {
  const { port } = await listen(async (request) => (request.method === "POST" ? refuse() : new Response("here")));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  opened.push({ close: () => agent.destroy() });
  const ask = async (method: string, body?: Uint8Array) => {
    const sent = send({ port, host: "127.0.0.1", agent, method, headers: { "content-length": body?.length ?? 0 } });
    sent.end(body);
    const [response] = await once(sent, "response");
    return `${response.statusCode} ${await text(response)}`;
  };
  for (let n = 0; n < 10; n += 1) {
    expect(await ask("POST", megabytes(3))).toBe("413 too large");
    expect(await ask("GET")).toBe("200 here");
  }
});

test("stopped before it listens, a server stops listening as soon as it does", async () => {
  const server = createListener(async () => new Response());
  opened.push(server);
  await closeGracefully(server, { otherWorkersListen: true, giveNotice: false });
  server.listen(0, "127.0.0.1");
  await Promise.all([once(server, "listening"), once(server, "close")]);
  expect(server.listening).toBe(false);
});

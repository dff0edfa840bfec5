import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { resolve } from "node:path";
import type { Work } from "./measures.ts";

/** A server in a process of its own, as clients meet it. */
export interface Side {
  port: number;
  /** The processor time it has used, in microseconds. */
  cpu(): Promise<number>;
  /** The memory it holds, in bytes. */
  rss(): Promise<number>;
  close(): void;
}

export const openSide = (side: string, databaseUrl: string) =>
  openServer(fork(resolve("dist/server/bench-serve.js"), [side, databaseUrl]));

export async function openServer(child: ChildProcess): Promise<Side> {
  const told = async <T>() => (await once(child, "message"))[0] as T;
  const { port } = await told<{ port: number }>();
  const used = async () => {
    child.send("used");
    return told<{ cpu: NodeJS.CpuUsage; rss: number }>();
  };
  return {
    port,
    async cpu() {
      const { cpu } = await used();
      return cpu.user + cpu.system;
    },
    rss: async () => (await used()).rss,
    close: () => child.disconnect(),
  };
}

export interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * A client that costs as little as it can, so that what is measured is the server: one kept connection for each worker,
 * requests as bytes, responses read only as far as their end. Anything but 200 throws.
 */
export function requests(side: Side, sent: (worker: number) => Sent): Work & { cpu: Side["cpu"] } {
  const connections = new Map<number, Connection>();
  const work = async (worker: number) => {
    let connection = connections.get(worker);
    if (!connection?.isFresh()) connection = createConnection(side.port);
    connections.set(worker, connection);
    const { method = "GET", path, headers = {}, body = "" } = sent(worker);
    const lines = Object.entries({ host: "localhost:3000", connection: "keep-alive", ...headers });
    if (method !== "GET") lines.push(["content-length", String(Buffer.byteLength(body))]);
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    await connection.exchange(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
  };
  return Object.assign(work, { cpu: side.cpu });
}

/** Servers say that they close a connection which was idle for five seconds: one that is as old may be closed just now. */
const idleMs = 4_000;

interface Connection {
  isFresh(): boolean;
  exchange(request: string): Promise<void>;
}

function createConnection(port: number): Connection {
  const socket: Socket = connect(port, "127.0.0.1").setNoDelay();
  let received = "";
  let usedAt = performance.now();
  let done: { resolve: () => void; reject: (error: Error) => void } | undefined;
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    received += chunk;
    const headEnd = received.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1];
    const complete = length
      ? received.length >= headEnd + 4 + Number(length)
      : received.endsWith("0\r\n\r\n") && received.length > headEnd + 4;
    if (!complete) return;
    const ok = received.startsWith("HTTP/1.1 200");
    if (!ok) done?.reject(new Error(received.slice(0, 600)));
    received = "";
    usedAt = performance.now();
    done?.resolve();
  });
  socket.on("error", (error) => done?.reject(error));
  socket.on("end", () => socket.destroy());
  // Unless its response is there already.
  socket.on("close", () => done?.reject(new Error("The connection was closed.")));
  return {
    isFresh: () => !socket.destroyed && performance.now() - usedAt < idleMs,
    exchange: (request) =>
      new Promise((resolve, reject) => {
        done = { resolve, reject };
        socket.write(request);
      }),
  };
}

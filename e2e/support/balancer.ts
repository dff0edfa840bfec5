import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A load balancer as operators have them: it asks each machine whether it is ready, and sends to those that are. */
export async function openBalancer(ports: readonly number[]) {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<number>(ports);
  let turn = 0;

  const server = createServer((asked, answer) => {
    turn += 1;
    const able = ports.filter((port) => ready.has(port));
    const port = able[turn % able.length] ?? ports[0];
    const { method, headers, url: path } = asked;
    const passed = request({ agent, host: "127.0.0.1", port, method, headers, path }, (given) => {
      const { connection: _, ...kept } = given.headers;
      answer.writeHead(given.statusCode ?? 502, kept);
      given.pipe(answer);
    });
    // Nothing is sent twice: a request that a machine lost is lost for its client too.
    passed.on("error", () => answer.writeHead(502).end());
    asked.pipe(passed);
  });
  let open = true;
  /** One answer after the other: a late one from before the shutdown must not overtake the refusal. */
  const ask = async (port: number) => {
    while (open) {
      const ok = await fetch(`http://127.0.0.1:${port}/readyz`).then(
        (answered) => answered.ok,
        () => false,
      );
      if (ok) ready.add(port);
      else ready.delete(port);
      await sleep(100);
    }
  };
  for (const port of ports) void ask(port);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sendsTo: (port: number) => ready.has(port),
    close(): void {
      open = false;
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

import { connect, createServer, type Server, type Socket } from "node:net";

/** A network cable to the product that can be pulled: no driver of WebKit can switch its network off. */
export async function layCable(port: number, product: number) {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const cable = {
    async plug(): Promise<void> {
      server ??= createServer((browser) => {
        const there = connect(product, "127.0.0.1");
        for (const [one, other] of [
          [browser, there],
          [there, browser],
        ] as const) {
          sockets.add(one);
          one.pipe(other);
          one.on("error", () => other.destroy());
          one.on("close", () => {
            sockets.delete(one);
            other.destroy();
          });
        }
      });
      if (!server.listening) await new Promise<void>((resolve) => server?.listen(port, resolve));
    },
    pull(): void {
      server?.close();
      server = undefined;
      for (const socket of sockets) socket.destroy();
    },
  };
  await cable.plug();
  return cable;
}

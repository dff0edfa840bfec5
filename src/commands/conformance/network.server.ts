import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * What lies between a connector and Cercle. `down`: no call arrives. `lossy`: calls arrive, their answers do not. `busy` and
 * `refusing`: an answer that is not about the call.
 */
type NetworkState = "up" | "down" | "lossy" | "busy" | "refusing";

const problems = {
  busy: { status: 503, code: "unavailable" },
  refusing: { status: 401, code: "key_invalid" },
};

/** Hands calls on to Cercle, as its state lets it. */
export async function openNetwork(fetchProduct: (request: Request) => Promise<Response>) {
  const network = { state: "up" as NetworkState, calls: 0, url: "", close: async () => {} };
  const server = createServer(async (incoming, outgoing) => {
    network.calls += 1;
    const { state } = network;
    if (state === "down") return outgoing.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    if (state === "busy" || state === "refusing") {
      const problem = { type: "about:blank", title: "", detail: "", instance: "", ...problems[state] };
      outgoing.writeHead(problem.status, { "content-type": "application/problem+json" });
      return outgoing.end(JSON.stringify(problem));
    }
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
    const body = incoming.method === "GET" ? null : Buffer.concat(chunks);
    const request = new Request(new URL(incoming.url ?? "", network.url), {
      ...{ method: incoming.method ?? "GET", headers, body },
    });
    const response = await fetchProduct(request);
    if (state === "lossy") return outgoing.destroy();
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  network.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  network.close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return network;
}

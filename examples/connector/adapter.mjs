// Lets the conformance suite drive the connector: node adapter.mjs [PORT], then
// npm run conformance -- --connector http://localhost:3495
import { createServer } from "node:http";
import { CercleError, createClient, Refused } from "@cercle/client";
import { createQueue } from "@cercle/client/queue";
import { createConnector } from "./connector.mjs";

/** Each request is one step, named by its path, with JSON. A refusal that the shop's customer would read is 409. */
export function createAdapter(options = {}) {
  let connector;
  let queue;
  const kept = [];
  const store = { read: async () => kept, write: async () => {} };

  async function take(step, fields) {
    if (step === "connect") {
      const cercle = createClient({ url: fields.Url, key: fields.Key, ...options });
      queue = await createQueue(cercle, store);
      connector = createConnector({ cercle, queue, currency: fields.Currency });
      return {};
    }
    if (!(step in connector)) return undefined;
    const answer = await connector[step](fields);
    return step === "send" ? { Waiting: queue.entries().filter(({ state }) => state === "waiting").length } : answer;
  }

  return createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const respond = (status, body) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    try {
      const answer = await take(request.url.slice(1), JSON.parse(Buffer.concat(chunks).toString() || "{}"));
      respond(200, answer ?? {});
    } catch (error) {
      if (!(error instanceof CercleError)) console.error(error);
      respond(error instanceof Refused ? 409 : 503, { Message: error.message });
    }
  });
}

if (process.argv[1]?.endsWith("adapter.mjs")) {
  const server = createAdapter({ attempts: 2 });
  server.listen(Number(process.argv[2] ?? 3495), () => console.log(`Listening on ${server.address().port}`));
}

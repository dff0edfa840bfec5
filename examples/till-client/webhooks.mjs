// Receives webhooks and prints each event once: node webhooks.mjs [PORT]. Secrets come from CERCLE_WEBHOOK_SECRETS,
// separated by spaces: two of them while a secret is changed.
import { createServer } from "node:http";
import { verifyWebhook, WebhookRefused } from "@cercle/client/webhook";

const secrets = (process.env.CERCLE_WEBHOOK_SECRETS ?? "").split(/\s+/).filter(Boolean);
/** A real receiver keeps the ids in its database. */
const knownIds = new Set();

const server = createServer(async (request, response) => {
  // The signature covers the bytes as they arrived: they are parsed afterwards.
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const body = Buffer.concat(chunks).toString("utf8");
    const { id, type, data } = await verifyWebhook({ headers: request.headers, body, secrets });
    response.writeHead(204).end();
    if (!knownIds.has(id)) console.log(`${type} ${JSON.stringify(data)}`);
    knownIds.add(id);
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error;
    response.writeHead(401).end();
  }
});

if (secrets.length === 0) throw new Error("CERCLE_WEBHOOK_SECRETS is missing.");
server.listen(Number(process.argv[2] ?? 3493), () => console.log(`Listening on ${server.address().port}`));

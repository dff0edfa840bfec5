// Receives webhooks and prints each event once: node webhooks.mjs [PORT]. Secrets come from CERCLE_WEBHOOK_SECRETS,
// separated by spaces: two of them while a secret is changed.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secrets = (process.env.CERCLE_WEBHOOK_SECRETS ?? "").split(/\s+/).filter(Boolean);
const port = Number(process.argv[2] ?? 3493);
const toleranceSeconds = 5 * 60;
/** A real receiver keeps the ids in its database. */
const knownIds = new Set();

/** Standard Webhooks: "v1," and the HMAC-SHA256 of id, timestamp and body in base64; the header may hold several. */
function isGenuine(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  if (!id || !(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const expected = Buffer.from(
      `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`,
    );
    return signatures.split(" ").some((signature) => {
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  });
}

const server = createServer(async (request, response) => {
  // The signature covers the bytes as they arrived: parse them afterwards.
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString("utf8");
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  response.writeHead(204).end();
  const id = request.headers["webhook-id"];
  if (knownIds.has(id)) return;
  knownIds.add(id);
  const { type, data } = JSON.parse(body);
  console.log(`${type} ${JSON.stringify(data)}`);
});

if (secrets.length === 0) throw new Error("CERCLE_WEBHOOK_SECRETS is missing.");
server.listen(port, () => console.log(`Listening on ${server.address().port}`));

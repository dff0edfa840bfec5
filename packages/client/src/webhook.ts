import type { EventType } from "./contract.ts";

/** What a webhook tells. A `webhook-id` that you know is the same event again. */
export interface WebhookEvent {
  /** The header webhook-id: remember it. */
  id: string;
  type: EventType | "webhook.test";
  timestamp: string;
  data: Record<string, string | number | boolean | null>;
}

/** The signature or the time is wrong: answer 401. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused";
}

const toleranceMs = 5 * 60_000;

/**
 * Checks a webhook by the rules of Standard Webhooks, on the body as it arrived: parse it only afterwards. Several secrets
 * while one is rotated.
 */
export async function verifyWebhook({
  headers,
  body,
  secrets,
  now = new Date(),
}: {
  headers: Headers | Record<string, string | string[] | undefined>;
  body: string;
  secrets: readonly string[];
  now?: Date;
}): Promise<WebhookEvent> {
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? "");
  const [id, timestamp] = [header("webhook-id"), header("webhook-timestamp")];
  if (id === "") throw new WebhookRefused("The webhook has no id.");
  if (!(Math.abs(now.getTime() - Number(timestamp) * 1_000) <= toleranceMs))
    throw new WebhookRefused("The webhook is too old, or of the future.");
  const signatures = header("webhook-signature")
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .map((one) => bytesOf(one.slice(3)));
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const secret of secrets) {
    const raw = bytesOf(secret.replace(/^whsec_/, ""));
    const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    // Compares in constant time.
    for (const signature of signatures)
      if (await crypto.subtle.verify("HMAC", key, signature, content)) return { ...JSON.parse(body), id };
  }
  throw new WebhookRefused("No signature of the webhook fits.");
}

/** Empty for what is no base64: no signature is that short. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}

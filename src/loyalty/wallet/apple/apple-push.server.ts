import { type ClientHttp2Session, connect, constants } from "node:http2";
import type { AppleSigner } from "./apple-signer.server.ts";

/** Notifies phones that a pass has changed; returns the push tokens that are no longer valid. */
export type ApplePush = (pushTokens: string[]) => Promise<string[]>;

const timeoutMs = 8_000;

/**
 * Apple's push service over HTTP/2, authenticated by the pass's certificate. The message is empty: the phone then asks
 * our web service for changes. Without a certificate that Apple trusts nothing is sent.
 */
export function createApplePush(
  signer: () => Promise<AppleSigner | undefined>,
  service: { url: string; ca?: string; checkHost?: boolean } = { url: "https://api.push.apple.com" },
): ApplePush {
  return async (pushTokens) => {
    const identity = await signer();
    if (!identity?.trusted || pushTokens.length === 0) return [];
    const session = connect(service.url, {
      cert: identity.certificate,
      key: identity.key,
      ...(service.ca && { ca: service.ca }),
      ...(service.checkHost === false && { checkServerIdentity: () => undefined }),
    });
    try {
      const failed = new Promise<never>((_, reject) => {
        session.once("error", () => reject(new Error("The push service cannot be reached")));
        session.setTimeout(timeoutMs, () => reject(new Error("The push service does not answer")));
      });
      const statuses = Promise.all(pushTokens.map((token) => send(session, token, identity.passTypeId)));
      const results = await Promise.race([statuses, failed]);
      const refused = results.find((status) => status !== 200 && status !== 410 && status !== 400);
      if (refused) throw new Error(`The push service refused: ${refused}`);
      // 410: the pass was deleted on that phone; 400: not a push token.
      return pushTokens.filter((_, index) => results[index] !== 200);
    } finally {
      session.destroy();
    }
  };
}

function send(session: ClientHttp2Session, token: string, topic: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = session.request({
      [constants.HTTP2_HEADER_METHOD]: "POST",
      [constants.HTTP2_HEADER_PATH]: `/3/device/${encodeURIComponent(token)}`,
      "apns-topic": topic,
    });
    request.once("response", (headers) => resolve(Number(headers[constants.HTTP2_HEADER_STATUS])));
    request.once("error", reject);
    request.end("{}");
    // Only the status matters; the body must be read for the stream to end.
    request.resume();
  });
}

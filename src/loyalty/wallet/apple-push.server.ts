import { type ClientHttp2Session, connect, constants } from "node:http2";
import type { AppleSigner } from "./apple-signer.server.ts";

/** Tells phones that a pass has changed; returns the tokens that no phone answers to any more. */
export type ApplePush = (pushTokens: string[]) => Promise<string[]>;

const timeoutMs = 8_000;

/**
 * Apple's push service over HTTP/2, known by the pass's own certificate. The message is empty: the phone then asks
 * our web service what is new. Without trusted certificates there is no phone that would listen.
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
      const answers = await Promise.race([statuses, failed]);
      const refused = answers.find((status) => status !== 200 && status !== 410 && status !== 400);
      if (refused) throw new Error(`The push service refused: ${refused}`);
      // 410: the pass was deleted there; 400: not a token at all.
      return pushTokens.filter((_, place) => answers[place] !== 200);
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
    // Only the status matters; the rest must be read for the stream to end.
    request.resume();
  });
}

import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { errorCode } from "#platform/database/database.server.ts";
import { type AddressRules, addressRefused, createLookup, refusesUrl } from "./addresses.server.ts";

const limitMs = 15_000;
const keptBytes = 1_024;

/** What a receiver answered, or why there was no answer. */
export interface Answer {
  status: number | null;
  error: string | null;
  retryAfter: string | undefined;
  /** The first kilobyte. */
  text: string | null;
  milliseconds: number;
}

/**
 * Posts once, on a connection of its own. Redirects are not followed, the body is read up to a kilobyte, and after the limit
 * the connection is cut. The status counts as soon as it is there. Never throws: every outcome is an answer.
 */
export function post(
  url: URL,
  message: { headers: Record<string, string>; body: string },
  options: AddressRules & { limitMs?: number },
): Promise<Answer> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let response: IncomingMessage | undefined;
    let text = Buffer.alloc(0);
    const end = (error: string | null) => {
      clearTimeout(timer);
      request?.destroy();
      const status = response?.statusCode ?? null;
      resolve({
        status,
        error: status === null ? error : null,
        retryAfter: response?.headers["retry-after"],
        // PostgreSQL's text cannot hold a NUL.
        text: status === null ? null : text.subarray(0, keptBytes).toString("utf8").replaceAll("\0", "\ufffd"),
        milliseconds: Math.round(performance.now() - startedAt),
      });
    };
    const timer = setTimeout(() => end("TIMEOUT"), options.limitMs ?? limitMs);
    // A host that is an address is not looked up, so it is checked here.
    const request = refusesUrl(url, options)
      ? undefined
      : (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
          method: "POST",
          headers: { ...message.headers, "content-length": String(Buffer.byteLength(message.body)) },
          agent: false,
          lookup: createLookup(options),
        });
    if (!request) return end(addressRefused);
    request.on("error", (error) => end(errorCode(error) ?? "UNKNOWN"));
    request.on("response", (incoming) => {
      response = incoming;
      incoming.on("data", (chunk: Buffer) => {
        text = Buffer.concat([text, chunk]);
        if (text.length >= keptBytes) end(null);
      });
      // Also when the receiver breaks off: the status is there.
      incoming.on("error", () => end(null));
      incoming.on("close", () => end(null));
    });
    request.end(message.body);
  });
}

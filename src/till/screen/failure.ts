import { CallFailed } from "#platform/api/client.ts";
import type { RefusalCode } from "#platform/refusal.ts";

/** Why a call did not succeed: the network is gone, or the server said no. */
export interface Failure {
  offline: boolean;
  code: RefusalCode | undefined;
  /** In the language of the screen. */
  detail: string | undefined;
  waitSeconds: number | undefined;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CallFailed) {
    const { problem, status } = error;
    // A proxy without a server behind it is as good as no network; the sale's number makes trying again safe.
    const offline = status >= 502 && status <= 504;
    return { offline, code: problem?.code, detail: problem?.detail, waitSeconds: problem?.retryAfter };
  }
  // A fetch without a response throws a TypeError, an aborted one an AbortError; any other error is a fault.
  if (error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError"))
    return { offline: true, code: undefined, detail: undefined, waitSeconds: undefined };
  throw error;
}

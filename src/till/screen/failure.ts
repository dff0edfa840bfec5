import type { Texts } from "#i18n/texts.ts";
import { CallFailed } from "#platform/api/client/client.ts";
import type { RefusalCode } from "#platform/refusal.ts";
import { StorageFailed } from "#till/queue/database.ts";

/** Why a call did not succeed: the network is gone, or the server said no. */
export interface Failure {
  offline: boolean;
  /** The server, or what stands before it, is broken: nothing was said about the request itself. */
  fault: boolean;
  code: RefusalCode | undefined;
  /** In the language of the screen. */
  detail: string | undefined;
  waitSeconds: number | undefined;
  /** This device could not store it. */
  notStored?: boolean;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CallFailed) {
    const { problem, status } = error;
    // A proxy without a server behind it is as good as no network; the sale's number makes trying again safe.
    const offline = status >= 502 && status <= 504;
    const fault = !offline && status >= 500;
    return { offline, fault, code: problem?.code, detail: problem?.detail, waitSeconds: problem?.retryAfter };
  }
  if (error instanceof StorageFailed)
    return {
      offline: false,
      fault: false,
      code: undefined,
      detail: undefined,
      waitSeconds: undefined,
      notStored: true,
    };
  // A fetch without a response throws a TypeError, an aborted one an AbortError; any other error is a fault.
  // A 200 that is no JSON is the page of another person's network, which wants a sign-in first.
  const unreachable = error instanceof TypeError || error instanceof SyntaxError;
  if (unreachable || (error instanceof DOMException && error.name === "TimeoutError"))
    return { offline: true, fault: false, code: undefined, detail: undefined, waitSeconds: undefined };
  throw error;
}

/** What to say where the server itself has said nothing. */
export function failureText({ detail, fault, notStored }: Failure, t: Texts["t"]): string {
  if (notStored) return t("till.refused.notStoredText");
  return detail ?? t(fault ? "till.serverFault" : "till.network");
}

/** Without a response for so long, the network counts as gone. */
const timeoutMs = 10_000;

export function withTimeout<T>(call: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new DOMException("No response", "TimeoutError")), timeoutMs),
  );
  return Promise.race([call, late]);
}

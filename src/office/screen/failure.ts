import { CallFailed } from "#platform/api/client.ts";
import type { RefusalCode } from "#platform/refusal.ts";

/** Why a call did not succeed, for a form: what the server said, and about which fields. */
export interface Failure {
  code: RefusalCode | undefined;
  /** In the language of the screen; absent when there was no response. */
  detail: string | undefined;
  fields: Record<string, string>;
}

/** Any other error is a fault and is thrown on. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CallFailed) {
    const fields = Object.fromEntries((error.problem?.errors ?? []).map(({ field, message }) => [field, message]));
    return { code: error.problem?.code, detail: error.problem?.detail, fields };
  }
  // A fetch without a response throws a TypeError, an aborted one a DOMException.
  if (error instanceof TypeError || error instanceof DOMException)
    return { code: undefined, detail: undefined, fields: {} };
  throw error;
}

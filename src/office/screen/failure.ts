import { CallFailed } from "#platform/api/client/client.ts";
import type { RefusalCode } from "#platform/refusal.ts";
import { fieldsOf } from "#ui/form/form.tsx";

/** Why a call did not succeed, for a form: what the server said, and about which fields. */
export interface Failure {
  code: RefusalCode | undefined;
  /** In the language of the screen; absent when there was no response, or when it stands beside a field. */
  detail: string | undefined;
  fields: Record<string, string>;
}

/** A refusal that is about one field stands beside it, as its error. */
export function beside(failure: Failure | undefined, code: RefusalCode, field: string): Failure | undefined {
  if (failure?.code !== code) return failure;
  return { code, detail: undefined, fields: { [field]: failure.detail ?? "" } };
}

/** What was refused of a form whose values stand in the address, for the loader that reads them. Anything else is thrown on. */
export function refusedFields(error: unknown, names: readonly string[]): Failure["fields"] {
  const { code, fields } = failureOf(error);
  if (code !== "invalid" || !names.some((name) => fields[name])) throw error;
  return fields;
}

/** Any other error is a fault and is thrown on. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CallFailed) {
    return { code: error.problem?.code, detail: error.problem?.detail, fields: fieldsOf(error.problem) };
  }
  // A fetch without a response throws a TypeError, an aborted one a DOMException.
  if (error instanceof TypeError || error instanceof DOMException)
    return { code: undefined, detail: undefined, fields: {} };
  throw error;
}

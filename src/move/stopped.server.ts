import { errorCode, unavailableRefusal } from "#platform/database/database.server.ts";
import { type Failure, sentence } from "./package/failure.server.ts";
import { PackageRefused } from "./package/manifest.server.ts";

/** What stopped a move or an export; none where it is a fault of the product. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof PackageRefused) return error.failure;
  const code = errorCode(error);
  if (code === "ENOSPC") return { id: "disk_full", values: {} };
  if (code === "53100") return { id: "database_full", values: {} };
  if (unavailableRefusal(error)) return { id: "database_gone", values: {} };
  return undefined;
}

/** As one sentence for the operator of a command. */
export function sentenceOf(error: unknown): string | undefined {
  const failure = failureOf(error);
  return failure && sentence("en", failure);
}

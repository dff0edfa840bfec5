import { errorCode, unavailableRefusal } from "#platform/database/database.server.ts";
import { PackageRefused } from "./package/manifest.server.ts";

/** What stopped a move or an export, as one sentence for the operator; none where it is a fault of the product. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof PackageRefused) return error.message;
  const code = errorCode(error);
  if (code === "ENOSPC") return "The disk is full: make room and start again.";
  if (code === "53100") return "The disk of the database is full: make room and start again.";
  if (unavailableRefusal(error))
    return "The database is gone: start again when it is back. What has moved until now is whole and is skipped.";
  return undefined;
}

import { BadBrand } from "#brand/brand-file.server.ts";
import { errorCode } from "#platform/database/database.server.ts";
import { OtherInstallation } from "#platform/database/migrations/installation.server.ts";
import { ChangedMigration, MayNotMigrate, UnknownDatabase } from "#platform/database/migrations/migrate.server.ts";
import { DataInUse } from "#platform/database/postgres/postgres.server.ts";
import { SharedConnections } from "#platform/database/shared-connections.server.ts";
import { BadSetting } from "#platform/settings.server.ts";
import { ExportRefused } from "#warehouse/export.server.ts";

const refusals: Record<string, string> = {
  "28000": "The database does not let this role in (28000): look at DATABASE_URL and at the server's pg_hba.conf.",
  "28P01": "The database refused the password in DATABASE_URL (28P01).",
  "3D000": "The database that DATABASE_URL names does not exist (3D000): create it first.",
  "42501": "The role in DATABASE_URL lacks a right (42501): `migrate ROLE` gives it.",
};
const unwritable = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR"]);

/** What the operator can do something about, in one line; anything else is a fault and is shown whole. */
export function operatorLine(error: unknown): string | undefined {
  const known = [
    ...[BadBrand, BadSetting, DataInUse, ChangedMigration, MayNotMigrate, OtherInstallation, SharedConnections],
    ...[UnknownDatabase, ExportRefused],
  ];
  if (known.some((kind) => error instanceof kind)) return (error as Error).message;
  const code = errorCode(error) ?? "";
  if (refusals[code]) return refusals[code];
  const { path } = error as { path?: string };
  if (path && unwritable.has(code)) return `${path} cannot be written (${code}): look at DATA_DIR and its owner.`;
  // A SQLSTATE; the message of a failed query may hold its values.
  return /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code) ? `The database refused: ${code}` : undefined;
}

import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Queries } from "#platform/database/database.server.ts";
import { findKey, storedKey } from "#platform/database/keys/stored-keys.server.ts";
import { type FileName, fileNames } from "./columns.server.ts";
import { type Failure, sentence } from "./failure.server.ts";
import type { FailureId, FailureValues } from "./failures.ts";

/** The package cannot be read at all: one sentence for the operator, in English for a command. */
export class PackageRefused extends Error {
  readonly failure: Failure;
  constructor(id: FailureId, values: FailureValues = {}) {
    super(sentence("en", { id, values }));
    this.failure = { id, values };
  }
}

const maxManifestBytes = 1 << 20;

const count = z.int().nonnegative();
const amount = z.string().regex(/^\d{1,15}(\.\d{1,4})?$/);

const Manifest = z.strictObject({
  Format: z.literal(1),
  Source: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/),
  TakenAt: z.iso.datetime({ offset: true }).refine((text) => /^(19|20|21)/.test(text)),
  Currency: z.string().regex(/^[A-Z]{3}$/),
  Files: z.record(z.string(), z.strictObject({ Rows: count, Sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
  Totals: z.strictObject({
    Members: count,
    PointsAvailable: count,
    PointsByExpiryMonth: z.record(z.string().regex(/^\d{4}-\d\d$/), count),
    VouchersOpen: count,
    VoucherAmountOpen: amount,
    Newsletter: count,
    NewsletterSms: count,
  }),
  /** What no single hash contains (src/identity/password/old-hashes/read-hash.server.ts). */
  Passwords: z
    .strictObject({
      Layout: z.enum(["salt+password", "password+salt"]).optional(),
      PrestashopKey: z.string().optional(),
      Firebase: z
        .strictObject({ SignerKey: z.string(), SaltSeparator: z.string(), Rounds: z.int(), MemoryCost: z.int() })
        .optional(),
    })
    .optional(),
});
type Manifest = z.output<typeof Manifest>;

export interface OpenPackage {
  folder: string;
  manifest: Manifest;
  /** Of the manifest: it names the package. */
  hash: string;
  /** The name of each file that is there: `members.csv` or `members.csv.gz`. */
  files: Map<FileName, string>;
}

/** Names a package by its manifest, which has the hash of every file. */
const hashOf = (manifest: Buffer | string) => createHash("sha256").update(manifest).digest("hex");

const exportName = (hash: string) => `exported package ${hash}`;

/** The packages that this installation has written. Nothing in a package says so: an export of what was moved is equal to it. */
export const rememberExport = (queries: Queries, manifest: string) =>
  storedKey(queries, exportName(hashOf(manifest)), async () => ({}));
export const wasExportedHere = async (queries: Queries, { hash }: OpenPackage) =>
  (await findKey(queries, exportName(hash))) !== undefined;

/** Opens a folder: reads the manifest, and finds its files. The files' hashes are compared while they are read. */
export async function openPackage(folder: string, currency: string): Promise<OpenPackage> {
  const path = join(folder, "manifest.json");
  const { size } = await stat(path).catch(() => {
    throw new PackageRefused("no_manifest", { folder });
  });
  // It is read at once, unlike the files that it lists.
  if (size > maxManifestBytes) throw new PackageRefused("manifest_json");
  const bytes = await readFile(path);
  const manifest = parseManifest(bytes.toString("utf8"));
  if (manifest.Currency !== currency)
    throw new PackageRefused("currency", { package: manifest.Currency, here: currency });
  const files = new Map<FileName, string>();
  for (const listed of Object.keys(manifest.Files)) {
    const name = fileNames.find((one) => listed === `${one}.csv` || listed === `${one}.csv.gz`);
    if (!name) throw new PackageRefused("listed_unknown", { file: JSON.stringify(listed) });
    if (files.has(name)) throw new PackageRefused("listed_twice", { file: `${name}.csv` });
    files.set(name, listed);
  }
  if (!files.has("members")) throw new PackageRefused("no_members");
  return { folder, manifest, hash: hashOf(bytes), files };
}

function parseManifest(text: string): Manifest {
  try {
    return Manifest.parse(JSON.parse(text));
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    throw issue
      ? new PackageRefused("manifest_value", { path: issue.path.join(".") || "{}" })
      : new PackageRefused("manifest_json");
  }
}

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, vi } from "vitest";
import { checksumFile, checksumOf } from "#brand/brand-files.server.ts";
import type { Database } from "#platform/database/database.server.ts";

type Json = Record<string, unknown>;

/** A copy of the default brand with other files: a function changes a file of JSON, null removes a file or folder, anything else replaces it. */
export function brandWith(files: Record<string, ((content: never) => void) | string | Json | null>): string {
  const directory = mkdtempSync(join(tmpdir(), "brand-"));
  cpSync("brand", directory, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true });
    if (content === null) rmSync(file, { recursive: true });
    else if (typeof content === "string") writeFileSync(file, content);
    else if (typeof content === "object") writeFileSync(file, JSON.stringify(content));
    else {
      const json = JSON.parse(readFileSync(file, "utf8"));
      content(json as never);
      writeFileSync(file, JSON.stringify(json));
    }
  }
  // The images are those of the default brand: a test that is about them changes this file too.
  if (!("derived/checksum.json" in files))
    writeFileSync(join(directory, checksumFile), JSON.stringify({ Sources: checksumOf(directory) }));
  return directory;
}

/** The product with another brand. A process reads its brand once, so every module is loaded anew, and again for the next file. */
export async function openProductOf(directory: string) {
  installFrom(directory);
  const { openTestProduct } = await import("./product.server.ts");
  const product = await openTestProduct();
  await seedItsProgramme(product.database);
  return product;
}

/** The brand of every module that is loaded from now on, until the file ends. */
export function installFrom(directory: string): void {
  vi.resetModules();
  process.env["BRAND_DIR"] = directory;
  afterAll(() => {
    delete process.env["BRAND_DIR"];
    vi.resetModules();
  });
}

/** Test databases are copies of one with the default brand's programme. */
export async function seedItsProgramme(database: Database): Promise<void> {
  const { seedProgramme } = await import("#loyalty/programme/programme.server.ts");
  await database.transaction(async (tx) => {
    // Nothing that was written may be removed, so the triggers that refuse it are off.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`truncate loyalty_programme cascade`);
  });
  await seedProgramme(database);
}

import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { errorCode } from "#platform/database/database.server.ts";
import { fileNames } from "./columns.server.ts";
import { PackageRefused } from "./manifest.server.ts";

/** CSV packs twenty to one; what unpacks to more than this is made to fill the disk. */
const maxRatio = 200;
const known = new Set(["manifest.json", ...fileNames.flatMap((name) => [`${name}.csv`, `${name}.csv.gz`])]);

/** Works with the folder of a package: the one named, or that of a `.tar.gz`, unpacked for as long as the work takes. */
export async function unpacked<T>(path: string, work: (folder: string) => Promise<T>): Promise<T> {
  const found = await stat(path).catch(() => {
    throw new PackageRefused("not_there", { path });
  });
  if (found.isDirectory()) return work(path);
  const folder = await mkdtemp(join(tmpdir(), "move-"));
  try {
    await unpack(path, folder, found.size * maxRatio);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function unpack(path: string, folder: string, maxBytes: number): Promise<void> {
  const archive = extract();
  let bytes = 0;
  const unpacking = pipeline(createReadStream(path), createGunzip(), archive);
  // Awaited below: what it throws meanwhile is not lost.
  unpacking.catch(() => {});
  try {
    for await (const entry of archive) {
      const { name, type, size = 0 } = entry.header;
      const bare = name.replace(/^\.\//, "").replace(/^[^/]+\/(?=[^/]+$)/, "");
      if (type === "directory") {
        entry.resume();
        continue;
      }
      if (type !== "file" || name.includes("..") || name.startsWith("/") || !known.has(bare))
        throw new PackageRefused("archive_unknown", { file: JSON.stringify(name.slice(0, 100)) });
      bytes += size;
      if (bytes > maxBytes) throw new PackageRefused("archive_large", { times: maxRatio });
      await pipeline(entry, createWriteStream(join(folder, bare), { flags: "wx", mode: 0o600 }));
    }
    await unpacking;
  } catch (error) {
    if (error instanceof PackageRefused || errorCode(error) === "ENOSPC") throw error;
    throw new PackageRefused("archive_damaged", { path });
  }
}

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** A release after the given one: another version, and its main script has another name. Returns the archive's name. */
export function nextRelease(archive, folder) {
  execFileSync("tar", ["-xzf", archive, "-C", folder]);
  const name = basename(archive, ".tar.gz");
  const next = "cercle-9.9.9-next";
  renameSync(join(folder, name), join(folder, next));
  const dist = join(folder, next, "dist");
  writeFileSync(join(dist, "release.json"), JSON.stringify({ version: "9.9.9", commit: "next" }));
  const client = join(dist, "client");
  const script = readdirSync(join(client, "assets")).find((file) => /^browser-[\w-]{8}\.js$/.test(file)) ?? "";
  const renamed = "browser-NEXT9999.js";
  for (const entry of readdirSync(client, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // What was compressed names the old script.
    if (/\.(br|gz)$/.test(path)) rmSync(path);
    else if (/\.(js|json|html)$/.test(path))
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(script, renamed));
  }
  renameSync(join(client, "assets", script), join(client, "assets", renamed));
  execFileSync("tar", ["-czf", join(folder, `${next}.tar.gz`), "-C", folder, next]);
  rmSync(join(folder, next), { recursive: true });
  return `${next}.tar.gz`;
}

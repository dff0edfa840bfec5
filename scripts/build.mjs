// Builds the browser's and the server's halves. With --when-stale, only if the sources changed since the last build.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const sources = ["src", "bench", "db", "messages", "public", "package-lock.json", "vite.config.ts"];
const stamp = "dist/stamp";

function filesIn(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function fingerprint() {
  const hash = createHash("sha256");
  for (const file of sources.flatMap(filesIn)) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

const wanted = fingerprint();
const built = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
// A deployment may carry only the built files: without sources there is nothing to be stale against.
const fresh = built === wanted || (built && !existsSync("src"));
if (!(process.argv.includes("--when-stale") && fresh)) {
  console.log("Building Cercle…");
  const { createBuilder } = await import("vite");
  const builder = await createBuilder({ logLevel: "warn" });
  await builder.buildApp();
  await compress("dist/client");
  writeFileSync(stamp, wanted);
}

/** Compressed once, here, instead of on every request. */
async function compress(directory) {
  const worth = filesIn(directory).filter((file) => /\.(js|css|svg|json|webmanifest|txt|xml)$/.test(file));
  await Promise.all(
    worth.map(async (file) => {
      const bytes = readFileSync(file);
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
      writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

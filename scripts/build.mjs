// Builds the browser's and the server's code. With --when-stale, only if the sources changed since the last build.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const sources = ["src", "bench", "faults", "db", "messages", "brand", "package-lock.json", "vite.config.ts"];
const stamp = "dist/stamp";

function filesIn(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return (
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      // Packages that the bench installs, and its results, are no source of the build.
      .filter((file) => !/node_modules|results\.json/.test(file))
      .sort()
  );
}

function fingerprint() {
  const hash = createHash("sha256");
  for (const file of sources.flatMap(filesIn)) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

const wanted = fingerprint();
const built = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
// A deployment may contain only the built files: without sources the build cannot be stale.
const fresh = built === wanted || (built && !existsSync("src"));
if (!(process.argv.includes("--when-stale") && fresh)) {
  console.log("Building Cercle…");
  const { createBuilder } = await import("vite");
  const builder = await createBuilder({ logLevel: "warn" });
  await builder.buildApp();
  // A release holds the default brand, and reads it when it starts.
  cpSync("brand", "dist/brand", { recursive: true });
  await compress("dist/client");
  writeFileSync(stamp, wanted);
}

// Outside the fingerprint: a new commit alone is no reason to build, but the release must name it.
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const release = `${JSON.stringify({ version, commit: commitOf() })}\n`;
// A checkout that is complete may be read-only.
if (!existsSync("dist/release.json") || readFileSync("dist/release.json", "utf8") !== release)
  writeFileSync("dist/release.json", release);

/** The commit that is built, `-dirty` with changes beside it; from COMMIT where there is no repository, as in an image. */
function commitOf() {
  if (process.env.COMMIT) return process.env.COMMIT;
  const described = spawnSync("git", ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"], {
    encoding: "utf8",
  });
  return described.stdout?.trim() || "unknown";
}

/** Compresses once at build time, instead of on every request. */
async function compress(directory) {
  const worth = filesIn(directory).filter((file) => /\.(js|css|svg|json|html)$/.test(file));
  await Promise.all(
    worth.map(async (file) => {
      const bytes = readFileSync(file);
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
      writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

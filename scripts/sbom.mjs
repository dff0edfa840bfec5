// Writes dist/sbom.json, the list of what is shipped. It reads the lock file: the installed packages may be pruned.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const made = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"], {
  maxBuffer: 64 * 2 ** 20,
});
// Written when it is complete: a failure leaves no empty file behind.
writeFileSync("dist/sbom.json", made);

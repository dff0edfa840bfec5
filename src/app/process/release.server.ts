import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Which build this is: the version of package.json and the commit. `scripts/build.mjs` writes it beside the built files. */
export interface Release {
  version: string;
  commit: string;
}

export function readRelease(clientDir: string): Release {
  const file = join(clientDir, "..", "release.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { version: "0", commit: "unknown" };
}

export const releaseName = ({ version, commit }: Release): string => `${version}+${commit}`;

import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What may be built into a product that is not published itself. */
const allowed = new Set(["MIT", "MIT-0", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "Python-2.0"]);

interface Locked {
  dev?: boolean;
  devOptional?: boolean;
  license?: string;
}

/** The licences a package offers; of several joined by OR, one on the list is enough. */
function offered(path: string, { license }: Locked): string[] {
  const file = `${path}/package.json`;
  // Optional packages for other operating systems are in the lock file and not on this disk.
  const declared: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).license : license;
  return typeof declared === "string" ? declared.replace(/[()]/g, "").split(" OR ") : [];
}

test("every package that runs in production, also indirectly, has a licence on the list", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };
  const shipped = Object.entries(packages).filter(([path, { dev, devOptional }]) => path && !dev && !devOptional);
  // Whatever the lock's format: no dependency may escape the check.
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: object };
  const names = Object.keys(dependencies).map((name) => `node_modules/${name}`);
  expect(shipped.map(([path]) => path)).toEqual(expect.arrayContaining(names));
  const others = shipped.filter(([path, locked]) => !offered(path, locked).some((licence) => allowed.has(licence)));
  expect(others.map(([path]) => path)).toEqual([]);
});

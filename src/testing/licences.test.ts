import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What may be built into a product that is not published itself. */
const allowed = new Set(["MIT", "MIT-0", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "Python-2.0"]);

interface Locked {
  dev?: boolean;
  devOptional?: boolean;
  license?: string;
}

/** The licences a package offers; of several joined by OR one is enough. */
function offered(path: string, { license }: Locked): string[] {
  const file = `${path}/package.json`;
  // Programs for other systems are in the lock and not on this disk.
  const told: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).license : license;
  return typeof told === "string" ? told.replace(/[()]/g, "").split(" OR ") : [];
}

test("everything customers' data passes through stands under a licence on the list", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };
  const shipped = Object.entries(packages).filter(([path, { dev, devOptional }]) => path && !dev && !devOptional);
  expect(shipped.length).toBeGreaterThan(100);
  const others = shipped.filter(([path, locked]) => !offered(path, locked).some((licence) => allowed.has(licence)));
  expect(others.map(([path]) => path)).toEqual([]);
});

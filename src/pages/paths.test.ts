import { readdirSync, readFileSync } from "node:fs";
import type { RouteObject } from "react-router";
import { expect, test } from "vitest";
import { pagePaths } from "#identity/paths.ts";
import { pageRoutes, prefixes } from "./routes.ts";

/** The paths of the routes below a prefix, as an address has them. */
function pathsOf(routes: RouteObject[]): string[] {
  return routes.flatMap((route) => [...(route.path ? [`/${route.path}`] : []), ...pathsOf(route.children ?? [])]);
}
const paths = [...new Set(prefixes().flatMap((prefix) => pathsOf(pageRoutes(prefix).children ?? [])))];

/** The string literals of a source text that are, or begin with, the path of a page. */
function pathsWrittenIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
  const literals = [...code.matchAll(/["'`](\/[^"'`\n]*)["'`]/g)].map(([, text = ""]) => text);
  return literals.filter((text) =>
    paths.some((path) => text.startsWith(path) && /^($|[/?#])/.test(text.slice(path.length))),
  );
}

test("the check finds a path that is written out, with and without more behind it, and no other text", () => {
  expect(paths).toContain(pagePaths.memberPage);
  expect(pathsWrittenIn('to={path("/account")} href="/reset?token=x" `/loyalty#till`')).toHaveLength(3);
  expect(pathsWrittenIn('"/api/loyalty" "/accounting" "account" pagePaths.account // not "/account"')).toEqual([]);
});

test("no path of a page is written twice: code takes it from its module's paths.ts", () => {
  const written = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|(^|\/)paths\.ts$/.test(file))
    // The sandbox depends on platform alone and may not import another module's paths.
    .filter((file) => !file.startsWith("sandbox/"))
    .flatMap((file) => pathsWrittenIn(readFileSync(`src/${file}`, "utf8")).map((path) => `${file}: ${path}`));
  expect(written).toEqual([]);
});

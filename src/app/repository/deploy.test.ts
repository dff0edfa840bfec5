import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const nginx = readFileSync("deploy/nginx.conf", "utf8").replace(/^\s*#.*$/gm, "");

test("the shipped nginx configuration logs neither query nor referrer, which may hold tokens", () => {
  const formats = new Map([...nginx.matchAll(/log_format\s+(\w+)([^;]*);/g)].map(([, name, format]) => [name, format]));
  const logs = [...nginx.matchAll(/access_log\s+\S+\s+(\w+);/g)].map(([, name]) => formats.get(name ?? "") ?? "");
  const servers = nginx.match(/\bserver\s*\{/g) ?? [];
  const silent = nginx.match(/access_log\s+off;/g) ?? [];
  expect(logs.length).toBeGreaterThan(0);
  expect(logs.length + silent.length).toBe(servers.length);
  for (const format of logs) {
    expect(format).toContain("$uri");
    expect(format).not.toMatch(/\$(request|request_uri|args|query_string|arg_\w+|http_referer|http_cookie)\b/);
  }
  // At any lower level nginx quotes the whole request line in its error log.
  const levels = [...nginx.matchAll(/error_log\s+\S+\s+(\w+);/g)].map(([, level]) => level);
  expect(new Set(levels)).toEqual(new Set(["crit"]));
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openTestProduct } from "#testing/product.server.ts";

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

test("the shipped nginx configuration lets every call through that takes a large body", async () => {
  const { product } = await openTestProduct();
  const [, own = "0"] = /client_max_body_size (\d+)k;/.exec(nginx) ?? [];
  const larger = [...nginx.matchAll(/location ~ (\S+) \{[^}]*client_max_body_size (\d+)m;/g)];
  const large = product.contracts
    .flatMap((contract) => Object.entries(contract))
    .filter(([, { bodyLimitBytes = 0 }]) => bodyLimitBytes > Number(own) * 1_024);
  expect(large).not.toEqual([]);
  for (const [line, { bodyLimitBytes = 0 }] of large) {
    const path = line.replace(/^\w+ /, "/api/");
    const [, , megabytes = "0"] = larger.find(([, pattern = ""]) => new RegExp(pattern).test(path)) ?? [];
    expect(Number(megabytes) * 1_024 ** 2, line).toBeGreaterThanOrEqual(bodyLimitBytes);
  }
});

import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

const port = Number(process.env["E2E_PORT"] ?? 3240);
const dataDir = join(tmpdir(), `cercle-vendure-shop-${process.getuid?.()}-${port}`);
// For the test.
process.env["SHOP_DATA_DIR"] = dataDir;
process.env["CERCLE_URL"] = `http://localhost:${port}`;

export default defineConfig({
  testDir: "test",
  outputDir: "test-results",
  // A machine busy with other work is slow, not wrong.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    baseURL: `http://127.0.0.1:${port + 1}`,
    locale: "en-GB",
    timezoneId: "Europe/Paris",
    serviceWorkers: "block",
    trace: "retain-on-failure",
    launchOptions: { executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: ["--no-sandbox"] },
  },
  webServer: {
    // Every run starts with an empty shop and the demo customers as they are at first.
    command: `rm -rf "${dataDir}" && exec node start.mjs`,
    url: `http://127.0.0.1:${port + 1}`,
    env: {
      DATA_DIR: dataDir,
      PORT: String(port),
      SHOP_PORT: String(port + 1),
      VENDURE_PORT: String(port + 2),
      RATE_LIMITS: "off",
    },
    // With the installation of its packages.
    timeout: 600_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 30_000 },
  },
});

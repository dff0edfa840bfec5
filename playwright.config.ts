import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

const port = Number(process.env["E2E_PORT"] ?? 3210);
const dataDir = join(tmpdir(), `cercle-e2e-${port}`);
// For the commands that tests run beside the product.
process.env["E2E_DATA_DIR"] = dataDir;
const chromium = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export default defineConfig({
  testDir: "e2e",
  fullyParallel: true,
  workers: 2,
  // A machine busy with other work is slow, not wrong; a test that fails twice is.
  timeout: 120_000,
  retries: 1,
  forbidOnly: Boolean(process.env["CI"]),
  reporter: "list",
  use: {
    baseURL: `http://localhost:${port}`,
    locale: "fr-FR",
    timezoneId: "Europe/Paris",
    launchOptions: {
      executablePath: chromium,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"],
    },
  },
  webServer: {
    // Every run starts with nobody registered.
    command: `rm -rf "${dataDir}" && exec node dist/server/start.js`,
    url: `http://localhost:${port}/readyz`,
    env: {
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: "warn",
      RATE_LIMITS: "off",
    },
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
    stdout: "ignore",
  },
});

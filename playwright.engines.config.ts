import { defineConfig } from "@playwright/test";
import { type EngineOptions, engineNames } from "./e2e/engines/engine.ts";
import { product } from "./playwright.config.ts";

const port = Number(process.env["E2E_PORT"]);
const installed = process.env["ENGINES"]?.split(" ") ?? [];
const server = [product.webServer].flat()[0];
if (!server) throw new Error("playwright.config.ts starts no product.");

/** The walk of `npm run engines`: a project for each engine. The product is behind a cable that the walk can pull. */
export default defineConfig<EngineOptions>({
  testDir: "e2e/engines",
  testIgnore: [],
  outputDir: "test-results/engines",
  workers: 1,
  timeout: 240_000,
  reporter: "list",
  use: { baseURL: `http://localhost:${port + 1}` },
  projects: engineNames
    .filter((engine) => installed.includes(engine))
    .map((engine) => ({ name: engine, use: { engine } })),
  webServer: {
    ...server,
    url: `http://localhost:${port + 1}/readyz`,
    env: { ...server.env, PORT: String(port + 1), PUBLIC_URL: `http://localhost:${port}` },
  },
});

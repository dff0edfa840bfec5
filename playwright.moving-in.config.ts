import { defineConfig } from "@playwright/test";
import { product } from "./playwright.config.ts";

const { webServer: _, ...browsers } = product;

/** `npm run moving-in`: it starts its installations itself. */
export default defineConfig(browsers, {
  testDir: "e2e/moving-in",
  testIgnore: [],
  outputDir: "test-results/moving-in",
  workers: 1,
  timeout: 1_800_000,
  expect: { timeout: 60_000 },
  use: { actionTimeout: 60_000 },
});

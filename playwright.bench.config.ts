import { defineConfig } from "@playwright/test";
import { product } from "./playwright.config.ts";

/** `npm run bench:browser`: what the pages promise about speed. One thing at a time. */
export default defineConfig({
  ...product,
  testDir: "bench/browser",
  testMatch: "*.bench.ts",
  workers: 1,
  retries: 0,
  timeout: 600_000,
});

import { defineConfig } from "@playwright/test";
import { product } from "./playwright.config.ts";

/** `npm run screenshots`: the tests that visit the screens' states, one after the other, so that lists are the same in each run. */
export default defineConfig({ ...product, fullyParallel: false, workers: 1, reporter: "line" });

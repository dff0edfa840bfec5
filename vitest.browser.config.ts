import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import product from "./vite.config.ts";

const { plugins, resolve } = product({ command: "serve", mode: "test" });

/** Component tests in a real browser. A configuration of its own: the unit tests run on a machine without Chromium too. */
export default defineConfig({
  plugins,
  resolve,
  cacheDir: "node_modules/.vite/browser-tests",
  // Vite would find these while the tests run, and load the page again in the middle of one.
  optimizeDeps: {
    include: [
      "react",
      "react-dom",
      "react-dom/client",
      "react/jsx-runtime",
      "react/jsx-dev-runtime",
      "react-router",
      "react-router/dom",
    ],
  },
  test: {
    include: ["src/**/*.browser.test.tsx"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A machine busy with other work is slow, not wrong.
    expect: { poll: { timeout: 20_000 } },
    // The client logs each refusal, which these tests bring about on purpose.
    onConsoleLog: (log) => !log.includes("Unexpected status code"),
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      // A phone of ordinary width; forms are mostly filled in there.
      viewport: { width: 390, height: 844 },
      provider: playwright({
        actionTimeout: 20_000,
        launchOptions: {
          executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
          args: [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-background-networking",
            "--disable-sync",
            "--in-process-gpu",
          ],
        },
        contextOptions: { locale: "fr-FR", timezoneId: "Europe/Paris" },
      }),
      instances: [{ browser: "chromium" }],
    },
  },
});

import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

const port = Number(process.env["E2E_PORT"] ?? 3210);
// Each user's own: what one has left behind, another cannot remove.
const dataDir = join(tmpdir(), `cercle-e2e-${process.getuid?.()}-${port}`);
// For the commands and processes that tests start beside the product.
process.env["E2E_PORT"] = String(port);
process.env["E2E_DATA_DIR"] = dataDir;
const chromium = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Playwright's own list: Chromium reads only the last --disable-features, so ours must repeat it. */
const disabledByPlaywright = [
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay"],
  ...["HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning"],
  ...["AvoidCorsURLLoaderRestartOnRedirect", "TcpPortRandomizationWin", "OptimizationHints", "AimEnabled"],
  ...["NetworkTimeServiceQuerying", "PreconnectToSearch"],
];
/** Every window renders two pages for the suggestions under its address bar: half of what opening a window costs. */
const addressBarPages = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];
/** A process that is started ahead for a page that a test may never open. */
const spareProcess = "SpareRendererForSitePerProcess";
const disabledFeatures = [...disabledByPlaywright, ...addressBarPages, spareProcess].join(",");

/** Walked by commands of their own: `npm run engines`, `npm run moving-in`. */
const otherCommands = ["**/e2e/engines/**", "**/e2e/moving-in/**"];
/** Codes to scan are pictures too. */
const seesPictures = [
  ...["access", "budget", "look", "offline", "pages"].map((name) => `**/pages/${name}.spec.ts`),
  ...["barcode", "card-on-phone", "spending", "store", "wallet"].map((name) => `**/club/${name}.spec.ts`),
  ...["arriving", "emails", "logout", "names"].map((name) => `**/account/${name}.spec.ts`),
];
/** Decoding them takes a seventh of the processor's time of a journey that looks at none. */
const noPictures = "--blink-settings=imagesEnabled=false";

const launch = (...args: string[]) => ({
  executablePath: chromium,
  args: [
    ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"],
    `--disable-features=${disabledFeatures}`,
    // Fewer processes: with the spare one a sixth of the browser's processor time.
    ...["--in-process-gpu", "--renderer-process-limit=1"],
    // A test's page lives for seconds: optimising its code takes longer than it saves.
    "--js-flags=--no-opt --no-maglev",
    ...args,
  ],
});

/** All tests in a browser that shows pictures. */
export const product = defineConfig({
  testDir: "e2e",
  testIgnore: otherCommands,
  fullyParallel: true,
  // One more than the cores of a small machine: tests wait for timers, emails and processes.
  workers: 3,
  // A machine busy with other work is slow, not wrong.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // A test that passes only sometimes is a failure to be understood.
  retries: 0,
  forbidOnly: Boolean(process.env["CI"]),
  reporter: "list",
  use: {
    baseURL: `http://localhost:${port}`,
    locale: "fr-FR",
    timezoneId: "Europe/Paris",
    // Movements take a tenth of the processor's time; the journeys that see them ask for them.
    reducedMotion: "reduce",
    // Installing one costs each new window more than most tests; the tests about it allow it.
    serviceWorkers: "block",
    // In CI, where nobody repeats a failed test with --trace on: its actions, requests and console. Writing down those of
    // every test costs a thirtieth of the processor's time, pictures of every step a quarter.
    trace: process.env["CI"] ? { mode: "retain-on-failure", screenshots: false, snapshots: false } : "off",
    launchOptions: launch(),
  },
  webServer: {
    // Every run starts with no one registered.
    command: `rm -rf "${dataDir}" "${dataDir}-template" "${dataDir}-template-claimed" && exec node dist/server/start.js`,
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

export default defineConfig(product, {
  projects: [
    {
      name: "without pictures",
      testIgnore: [...otherCommands, ...seesPictures],
      use: { launchOptions: launch(noPictures) },
    },
    { name: "pictures", testMatch: seesPictures },
  ],
});

import { fileURLToPath } from "node:url";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import packageFile from "./package.json" with { type: "json" };
import { cutTexts } from "./src/i18n/text-parts.ts";

/** The browsers that package.json names, for script and style sheets alike. */
const target = packageFile.browserslist.map((line) => line.replace("ios_saf", "ios").replace(" >= ", ""));

/**
 * Turns the ICU texts of a catalogue, or of one part of it, into the form Lingui reads, so that no parser reaches the browser.
 * The built server reads whole catalogues from files: texts in its script would stay in memory beside what they became.
 */
function catalogues(): Plugin {
  const files = new Map<string, string>();
  return {
    name: "cercle:catalogues",
    enforce: "pre",
    // One instance for all builds, which run one after the other.
    sharedDuringBuild: true,
    transform: {
      filter: { id: /\/messages\/[a-z]{2}\.json(\?\w+)?$/ },
      handler(source, id) {
        const [, language, part] = /(\w+)\.json(?:\?(\w+))?$/.exec(id) ?? [];
        const texts = Object.entries(JSON.parse(source) as Record<string, string>);
        const parts = cutTexts(texts.map(([text]) => text));
        const compiled = texts
          .filter(([text]) => part === undefined || parts.get(text) === part)
          .map(([text, words]) => [text, compileMessage(words)]);
        const json = JSON.stringify(Object.fromEntries(compiled));
        const { consumer, command } = this.environment.config;
        if (part || consumer !== "server" || command !== "build")
          return { code: `export default JSON.parse(${JSON.stringify(json)})`, moduleType: "js", map: null };
        const file = `texts-${language}.json`;
        files.set(file, json);
        return {
          code: `import { readFileSync } from "node:fs";
            export default JSON.parse(readFileSync(new URL("./${file}", import.meta.url), "utf8"));`,
          moduleType: "js",
          map: null,
        };
      },
    },
    // Beside the script that reads them.
    generateBundle() {
      if (this.environment.config.consumer !== "server") return;
      for (const [file, source] of files) this.emitFile({ type: "asset", fileName: `assets/${file}`, source });
    },
  };
}

/** A `.server` file in the browser's build is a leak: stop the build. */
function serverStaysOnServer(): Plugin {
  return {
    name: "cercle:server-stays-on-server",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.config.consumer === "client",
    load: {
      filter: { id: /\.server\.tsx?(\?|$)/ },
      handler(id) {
        this.error(`${id} belongs to the server and must not reach the browser`);
      },
    },
  };
}

/**
 * React Router's package leads bundlers to its development build, warnings and all; customers get the production one. Its
 * place is undocumented: `src/pages/router/router-internals.test.ts` fails when it moves.
 */
const productionRouter = ["", "/dom"].map((part) => ({
  find: new RegExp(`^react-router${part}$`),
  replacement: fileURLToPath(
    new URL(`./node_modules/react-router/dist/production/${part ? "dom-export" : "index"}.mjs`, import.meta.url),
  ),
}));

const clientSource = (name: string) => fileURLToPath(new URL(`./packages/client/src/${name}.ts`, import.meta.url));

const browserStateTests = "src/{ui,shell,offline}/**/*.test.{ts,tsx}";
const componentTests = "src/**/*.browser.test.tsx";

export default defineConfig(({ command }) => ({
  appType: "custom",
  plugins: [catalogues(), serverStaysOnServer(), react(), tailwindcss()],
  resolve: {
    alias: [
      // The examples name the package of partners as partners do.
      { find: /^@cercle\/client$/, replacement: clientSource("client") },
      { find: /^@cercle\/client\/(\w+)$/, replacement: clientSource("$1") },
      { find: /^#/, replacement: fileURLToPath(new URL("./src/", import.meta.url)) },
      ...(command === "build" ? productionRouter : []),
    ],
  },
  // Fonts and the like stay files: a data: address would dodge both cache and budget.
  // A page names its files in the document and prefetch finds the next page's: lists of them in the script are not needed.
  // How long plugins take is of no use to anyone who starts the product.
  build: {
    ...{ target, assetsInlineLimit: 0, modulePreload: false, rolldownOptions: { checks: { pluginTimings: false } } },
    // In kB. What pages load is measured by tests; a server's files may be large.
    chunkSizeWarningLimit: 2_000,
  },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: "dist/client",
        manifest: true,
        copyPublicDir: true,
        rolldownOptions: {
          input: {
            browser: "src/pages/browser.tsx",
            offline: "src/offline/offline.tsx",
          },
          // Names of calls and paths are written where they are used: shorter than exporting and importing them.
          optimization: { inlineConst: true },
          // What nearly every page needs is one file: it compresses better than many, and changes less often than the pages.
          output: {
            codeSplitting: {
              groups: [
                {
                  name: "base",
                  test: /node_modules\/(?!idb|zxing-wasm)|\/src\/(i18n|platform|ui)\/(?!dialog|empty|form\/(field|select)|language-links|status-message).*\.tsx?$|\/(calls|cookies|current-customer|email-store|paths|ui-store|shop-device|social-context|social-providers)\.tsx?$/,
                },
                { name: "field", test: /\/ui\/form\/field\.tsx$/ },
                { name: "card-face", test: /\/loyalty\/card\/(barcode|card)\.tsx$/ },
                { name: "card", test: /\/(code-link|codes|ends-soon|member-card|status-message)\.tsx?$/ },
                { name: "social", test: /\/identity\/social\/screen\/social-(buttons|flow)\.tsx?$/ },
              ],
            },
          },
        },
      },
    },
    /** In a build of its own: whatever it shares with the pages is inside it, so it is one file without imports. */
    worker: {
      consumer: "client",
      build: {
        outDir: "dist/client",
        emptyOutDir: false,
        copyPublicDir: false,
        rolldownOptions: {
          input: "src/offline/service-worker.ts",
          output: { entryFileNames: "service-worker.js", format: "iife" },
        },
      },
    },
    /** The till's own, so that no customer downloads anything of the till. */
    tillWorker: {
      consumer: "client",
      build: {
        outDir: "dist/client",
        emptyOutDir: false,
        copyPublicDir: false,
        rolldownOptions: {
          input: "src/till/offline/till-worker.ts",
          output: { entryFileNames: "till-worker.js", format: "iife" },
        },
      },
    },
    /** The till, in a build of its own: it loads nothing of the pages, such as their router, and adds nothing to theirs. */
    till: {
      consumer: "client",
      build: {
        outDir: "dist/client",
        emptyOutDir: false,
        copyPublicDir: false,
        manifest: ".vite/till.json",
        rolldownOptions: { input: { till: "src/till/screen/till.tsx" }, optimization: { inlineConst: true } },
      },
    },
    /** The back office, likewise. */
    office: {
      consumer: "client",
      build: {
        outDir: "dist/client",
        emptyOutDir: false,
        copyPublicDir: false,
        manifest: ".vite/office.json",
        rolldownOptions: { input: { office: "src/office/screen/office.tsx" } },
      },
    },
    ssr: {
      // Packages of hundreds of small files: built in, a start takes two thirds of the processor time. Tests load them as they
      // are, since each file would be transformed.
      resolve: {
        noExternal: process.env["VITEST"]
          ? []
          : [
              ...["drizzle-orm", "zod", "hono", "@hono/node-server", "jose", "libphonenumber-js", "nodemailer"],
              /^@opentelemetry\//,
            ],
      },
      build: {
        outDir: "dist/server",
        ssr: true,
        copyPublicDir: false,
        emitAssets: true,
        target: "node20",
        rolldownOptions: {
          input: {
            start: "src/app/process/start.ts",
            "autologin-link": "src/commands/customers/autologin-link.ts",
            verify: "src/commands/database/verify.ts",
            migrate: "src/commands/database/migrate.ts",
            reseal: "src/commands/database/reseal.ts",
            grant: "src/commands/customers/grant.ts",
            move: "src/commands/move/move.ts",
            warehouse: "src/commands/warehouse.ts",
            emails: "src/commands/customers/emails.ts",
            programme: "src/commands/programme.ts",
            brand: "src/commands/brand/brand.ts",
            shop: "src/commands/shops/shop.ts",
            staff: "src/commands/staff.ts",
            till: "src/commands/shops/till.ts",
            client: "src/commands/client.ts",
            webhook: "src/commands/shops/webhook.ts",
            seed: "src/commands/demo/seed.ts",
            demo: "src/commands/demo/demo.ts",
            conformance: "src/commands/conformance/conformance.ts",
            faults: "faults/faults.ts",
            bench: "bench/bench.ts",
            "bench-serve": "bench/serve.ts",
            capacity: "bench/capacity.ts",
          },
        },
      },
    },
  },
  test: {
    // A machine busy with other work is slow, not wrong.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // No test may rely on what an earlier one left behind. One shuffled order for everybody, so that a failure repeats;
    // TEST_SEED tries another.
    sequence: { shuffle: true, seed: Number(process.env["TEST_SEED"] ?? 11) },
    // By itself it leaves a core free, which on two cores is half of them.
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: {
          name: "server",
          include: ["src/**/*.test.{ts,tsx}", "bench/*.test.ts", "packages/**/*.test.ts"],
          // Component tests need a browser: vitest.browser.config.ts.
          exclude: [browserStateTests, componentTests],
          globalSetup: "src/testing/cluster.server.ts",
          // Every file opens a product and a database of its own; loading the code anew for each took longer than the tests.
          isolate: false,
        },
      },
      // These set module state, the client's stores above all: each file loads its modules anew.
      {
        extends: true,
        test: {
          name: "browser state",
          include: [browserStateTests],
          exclude: [componentTests],
          isolate: true,
          // A context for each file, in threads that stay: a thread for each file executes 30 % more instructions, a process more still.
          pool: "vmThreads",
          // After the others: a worker that finds an isolated file next in the queue ends, and all it had loaded is lost.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
}));

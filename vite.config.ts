import { fileURLToPath } from "node:url";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Ids only the server speaks; they would be dead weight on a phone. */
const serverOnlyTexts = /^(mail|refusal|field|loyalty\.history)\./;

/** Turns the ICU texts of a catalogue into the form Lingui reads, so that no parser reaches the browser. */
function catalogues(): Plugin {
  return {
    name: "cercle:catalogues",
    enforce: "pre",
    transform: {
      filter: { id: /\/messages\/[a-z]{2}\.json$/ },
      handler(source) {
        const inBrowser = this.environment.name === "client";
        const texts = Object.entries(JSON.parse(source) as Record<string, string>);
        const compiled = texts
          .filter(([id]) => !(inBrowser && serverOnlyTexts.test(id)))
          .map(([id, text]) => [id, compileMessage(text)]);
        return {
          code: `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(compiled)))})`,
          moduleType: "js",
          map: null,
        };
      },
    },
  };
}

/** A `.server` file in the browser's build is a leak: stop the build. */
function serverStaysOnServer(): Plugin {
  return {
    name: "cercle:server-stays-on-server",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "client",
    load: {
      filter: { id: /\.server\.tsx?(\?|$)/ },
      handler(id) {
        this.error(`${id} belongs to the server and must not reach the browser`);
      },
    },
  };
}

export default defineConfig({
  appType: "custom",
  plugins: [catalogues(), serverStaysOnServer(), react(), tailwindcss()],
  resolve: { alias: [{ find: /^#/, replacement: fileURLToPath(new URL("./src/", import.meta.url)) }] },
  // Fonts and the like stay files: a data: address would dodge both cache and budget.
  build: { assetsInlineLimit: 0 },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: "dist/client",
        manifest: true,
        copyPublicDir: true,
        rolldownOptions: { input: "src/browser.tsx" },
      },
    },
    ssr: {
      build: {
        outDir: "dist/server",
        ssr: true,
        copyPublicDir: false,
        target: "node20",
        rolldownOptions: {
          input: {
            start: "src/start.ts",
            verify: "src/verify.ts",
            grant: "src/grant.ts",
            seed: "src/seed.ts",
            bench: "bench/club.ts",
          },
        },
      },
    },
  },
  test: {
    include: ["src/**/*.test.{ts,tsx}", "db/**/*.test.ts"],
    globalSetup: "src/test-cluster.server.ts",
    testTimeout: 20_000,
  },
});

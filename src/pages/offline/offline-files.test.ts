import { expect, test } from "vitest";
import { customerFiles, tillFiles } from "./offline-files.server.ts";

/** Shaped as the builds' manifests: what the pages share may load parts of other pages. */
const pages = {
  "src/pages/browser.tsx": {
    file: "browser.js",
    imports: ["_base.js"],
    dynamicImports: ["src/shell/home.page.tsx"],
    css: ["browser.css"],
    assets: ["jost.woff2"],
  },
  "src/offline/offline.tsx": {
    file: "offline.js",
    imports: ["_base.js"],
    dynamicImports: ["src/loyalty/card/code-screen.tsx"],
  },
  "src/loyalty/card/code-screen.tsx": { file: "code-screen.js", imports: ["_base.js"] },
  "src/shell/home.page.tsx": { file: "home.js", imports: ["_base.js"] },
  "_base.js": {
    file: "base.js",
    dynamicImports: ["messages/fr.json?base", "messages/fr.json?account", "messages/fr.json?password"],
  },
  "messages/fr.json?base": { file: "fr-base.js" },
  "messages/fr.json?account": { file: "fr-account.js" },
  "messages/fr.json?password": { file: "fr-password.js" },
};
const till = {
  "src/till/screen/till.tsx": {
    file: "till.js",
    dynamicImports: [
      "src/till/scan/camera.tsx",
      "messages/fr.json?base",
      "messages/fr.json?account",
      "messages/fr.json?password",
      "messages/fr.json?till",
      "messages/de.json?till",
    ],
    css: ["till.css"],
    assets: ["jost.woff2"],
  },
  "messages/fr.json?base": { file: "fr-base.js" },
  "messages/fr.json?account": { file: "fr-account.js" },
  "messages/fr.json?password": { file: "fr-password.js" },
  "messages/fr.json?till": { file: "fr-till.js" },
  "messages/de.json?till": { file: "de-till.js" },
  "src/till/scan/camera.tsx": { file: "camera.js", css: ["camera.css"], dynamicImports: ["src/till/scan/zxing.ts"] },
  "src/till/scan/zxing.ts": { file: "zxing.js", assets: ["zxing.wasm"] },
};

test("customers get the offline page with its texts, styles and fonts, no other page", () => {
  expect(customerFiles(pages)).toEqual([
    ...["/base.js", "/browser.css", "/code-screen.js", "/fr-account.js", "/fr-base.js", "/jost.woff2", "/offline.js"],
    "/favicon.svg",
  ]);
});

test("the till gets its screen, camera, styles and fonts and one language's texts, and no barcode reader", () => {
  const { common, texts } = tillFiles(till);
  expect(common).toEqual([...["/camera.css", "/camera.js", "/jost.woff2", "/till.css", "/till.js"], "/favicon.svg"]);
  expect(texts).toMatchObject({ fr: ["/fr-base.js", "/fr-account.js", "/fr-till.js"], de: ["/de-till.js"] });
});

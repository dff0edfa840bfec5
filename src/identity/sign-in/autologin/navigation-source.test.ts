import { expect, test } from "vitest";
import { navigationSource } from "./navigation-source.server.ts";

const site = { publicUrl: "https://account.brand.example", shopUrl: "https://www.brand.example/fr" };

test.each([
  ["typed or from a mail program", { "sec-fetch-site": "none" }, "direct"],
  ["from a page of this site", { "sec-fetch-site": "same-origin", referer: `${site.publicUrl}/account` }, "direct"],
  ["from the shop", { "sec-fetch-site": "same-site", referer: "https://www.brand.example/" }, "shop"],
  [
    "from another host of the brand",
    { "sec-fetch-site": "same-site", referer: "https://blog.brand.example/" },
    "elsewhere",
  ],
  ["from another site", { "sec-fetch-site": "cross-site", referer: "https://evil.example/" }, "elsewhere"],
  ["from another site that hides itself", { "sec-fetch-site": "cross-site" }, "elsewhere"],
  [
    "from a name like the shop's",
    { "sec-fetch-site": "cross-site", referer: "https://www.brand.example.evil.example/" },
    "elsewhere",
  ],
  ["an old browser, from this site", { referer: `${site.publicUrl}/account` }, "direct"],
  ["an old browser, from the shop", { referer: "https://www.brand.example/fr/basket" }, "shop"],
  ["an old browser that tells nothing", {}, "elsewhere"],
  ["a referrer that is no address", { referer: "x" }, "elsewhere"],
] as const)("%s", (_name, headers, source) => {
  expect(navigationSource({ headers: new Headers(headers) }, site)).toBe(source);
});

test("the sandbox's own shop is on this site", () => {
  const headers = new Headers({ "sec-fetch-site": "same-origin", referer: `${site.publicUrl}/sandbox/shop` });
  expect(navigationSource({ headers }, { ...site, shopUrl: "/sandbox/shop" })).toBe("shop");
});

import { expect, test } from "vitest";
import { textsOf } from "#brand/texts.server.ts";
import { officePages } from "./shell.server.tsx";

const assetsOf = (preload: string[]) => ({ script: "/office.js", styles: [], preload, fonts: [] });
const pages = officePages(assetsOf, undefined, undefined);

test("the address of the default language names none; one that does leads to it", async () => {
  const led = await pages.request("/fr/office/customers?Search=Laurent");
  expect([led.status, led.headers.get("location")]).toEqual([302, "/office/customers?Search=Laurent"]);
  for (const path of ["/office/customers", "/de/office", "/en/office/customers"])
    expect((await pages.request(path)).status).toBe(200);
});

test("a browser without a session is told so in its document, which is not stored and loads no page; one that came from another site, or by a mailed link, is not", async () => {
  const documentFor = async (headers: Record<string, string>, path = "/office") => {
    const response = await pages.request(path, { headers });
    const text = await response.text();
    return {
      marked: text.includes("office-visitor"),
      loadsPages: text.includes('href="src/office/screen/routes.tsx"'),
      cached: response.headers.get("cache-control"),
    };
  };
  const marked = { marked: true, loadsPages: false, cached: "no-store" };
  expect(await documentFor({ "sec-fetch-site": "none" })).toEqual(marked);
  const unmarked = { marked: false, loadsPages: true, cached: "no-cache" };
  expect(await documentFor({ "sec-fetch-site": "none", cookie: "staff.token=x" })).toEqual(unmarked);
  expect(await documentFor({ "sec-fetch-site": "cross-site" })).toEqual(unmarked);
  expect(await documentFor({})).toEqual(unmarked);
  expect(await documentFor({ "sec-fetch-site": "none" }, "/en/office/invitation")).toEqual(unmarked);
});

test("the document says that it opens, before its script has run", async () => {
  const text = await (await pages.request("/de/office")).text();
  expect(text).toContain(`<p class="office-opening">${textsOf.de.t("office.loading")}</p>`);
});

test("the document is compressed as the browser accepts it", async () => {
  const response = await pages.request("/office", { headers: { "accept-encoding": "br" } });
  expect([response.headers.get("content-encoding"), response.headers.get("vary")]).toEqual(["br", "accept-encoding"]);
});

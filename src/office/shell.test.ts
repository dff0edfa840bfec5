import { expect, test } from "vitest";
import { officePages } from "./shell.server.tsx";

const assets = { script: "/office.js", styles: [], preload: [], fonts: [] };
const pages = officePages(assets, undefined, undefined);

test("the address of the default language names none; one that does leads to it", async () => {
  const led = await pages.request("/fr/office/customers?Search=Laurent");
  expect([led.status, led.headers.get("location")]).toEqual([302, "/office/customers?Search=Laurent"]);
  for (const path of ["/office/customers", "/de/office", "/en/office/customers"])
    expect((await pages.request(path)).status).toBe(200);
});

test("a browser without a session is told so in its document, which is not stored; one that came from another site is not", async () => {
  const documentFor = async (headers: Record<string, string>) => {
    const response = await pages.request("/office", { headers });
    return {
      marked: (await response.text()).includes("office-visitor"),
      cached: response.headers.get("cache-control"),
    };
  };
  expect(await documentFor({ "sec-fetch-site": "none" })).toEqual({ marked: true, cached: "no-store" });
  const unmarked = { marked: false, cached: "no-cache" };
  expect(await documentFor({ "sec-fetch-site": "none", cookie: "staff.token=x" })).toEqual(unmarked);
  expect(await documentFor({ "sec-fetch-site": "cross-site" })).toEqual(unmarked);
  expect(await documentFor({})).toEqual(unmarked);
});

test("the document is compressed as the browser accepts it", async () => {
  const response = await pages.request("/office", { headers: { "accept-encoding": "br" } });
  expect([response.headers.get("content-encoding"), response.headers.get("vary")]).toEqual(["br", "accept-encoding"]);
});

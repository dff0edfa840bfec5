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

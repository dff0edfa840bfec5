import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { joinAs } from "../../e2e/support/member.ts";
import { settle } from "../../e2e/support/phone.ts";
import { median, report } from "./report.ts";

const rounds = 15;
const limit = 3;

test.use({
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  hasTouch: true,
  isMobile: true,
  serviceWorkers: "allow",
});

/** The baseline: a site of one empty page, cached by a service worker. */
async function openEmptySite() {
  const files: Record<string, [type: string, body: string]> = {
    "/": [
      "text/html",
      "<!doctype html><title>Empty</title><main class=empty>.</main><script src=/register.js></script>",
    ],
    "/register.js": ["text/javascript", "navigator.serviceWorker.register('/worker.js')"],
    "/worker.js": [
      "text/javascript",
      `oninstall = (e) => e.waitUntil(caches.open("shell").then((c) => c.addAll(["/", "/register.js"])).then(() => skipWaiting()));
       onactivate = (e) => e.waitUntil(clients.claim());
       onfetch = (e) => e.respondWith(caches.match(e.request).then((cached) => cached ?? fetch(e.request)));`,
    ],
  };
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ""] ?? ["text/plain", ""];
    response.writeHead(200, { "content-type": type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

/** Records in every page when the barcode, or the empty page's only text, is first painted. */
function watch() {
  const look = () => {
    const box = document.querySelector("#content img[src^='data:'], main.empty")?.getBoundingClientRect();
    if (box && box.width > 0 && box.top < innerHeight)
      requestAnimationFrame(() => Object.assign(window, { seenAt: performance.now() }));
    else requestAnimationFrame(look);
  };
  look();
}

/** From the tap until it is painted; the service worker is stopped before, as on a phone in a pocket. */
async function timeToSee(page: Page, address: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const workers = new Map<string, string>();
  session.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
    for (const { versionId, runningStatus } of versions) workers.set(versionId, runningStatus);
  });
  await session.send("ServiceWorker.enable");
  await expect.poll(() => workers.size).toBeGreaterThan(0);
  await session.send("ServiceWorker.stopAllWorkers");
  // The command returns before the workers have stopped, and a page requested in between is dropped.
  await expect.poll(() => [...new Set(workers.values())]).toEqual(["stopped"]);
  await session.detach();
  // The open page may just be navigating to the offline page when this one is requested.
  await expect(() => page.goto(address, { waitUntil: "commit" })).toPass();
  const seen = await page.waitForFunction(() => (window as { seenAt?: number }).seenAt);
  return (await seen.jsonValue()) ?? 0;
}

test(`without a network the barcode is on the screen in at most ${limit} times what an empty page takes`, async ({
  page,
  context,
}) => {
  const empty = await openEmptySite();
  await joinAs(page, { firstname: "Camille", points: 1_240 });
  await settle(page, "/account/loyalty/subscribe");
  await page.addInitScript(watch);
  await page.goto(empty.url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  const times = { ours: [] as number[], empty: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.ours.push(await timeToSee(page, "/account/loyalty/subscribe"));
    times.empty.push(await timeToSee(page, empty.url));
  }
  empty.close();
  const [ours, floor] = [median(times.ours), median(times.empty)];
  const ratio = ours / floor;
  report(
    "offline, from the tap to the barcode: to an empty page",
    `${ours.toFixed(0)} to ${floor.toFixed(0)} ms`,
    ratio,
    `at most ${limit}`,
  );
  expect(ratio).toBeLessThanOrEqual(limit);
});

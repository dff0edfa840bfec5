import { type Locale, localeOfPath, provideLocales } from "#i18n/locale.ts";
import { navigationResponse } from "#platform/navigation-response.ts";

/** Prepended to this file when the product starts: its hash, and the till's files. */
declare const build: { id: string; common: string[]; texts: Record<string, string[]> };
declare const self: ServiceWorkerGlobalScope;

provideLocales(() => Object.keys(build.texts) as Locale[]);

/**
 * The service worker of the till alone: its scope is the till's own address in one language, so no customer's page is under
 * it. A till that is switched on without a network opens from its cache.
 */
const path = new URL(self.registration.scope).pathname;
const prefix = `cercle-till-${path}-`;
const current = prefix + build.id;
const timeoutMs = 3_000;

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});
self.addEventListener("activate", (event) => {
  event.waitUntil(activate());
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== "GET") return;
  if (request.mode === "navigate") {
    if (pathname === path) event.respondWith(shellResponse(event));
  } else if (pathname.startsWith("/assets/") || build.common.includes(pathname)) event.respondWith(fileResponse(event));
});

/** Caches all files of a build or none: a screen with a file missing would be worse than none. */
async function install(): Promise<void> {
  const cache = await caches.open(current);
  try {
    const files = [...build.common, ...(build.texts[localeOfPath(path)] ?? [])];
    const [shell] = await Promise.all([fetch(path, { cache: "no-cache" }), cache.addAll(files)]);
    // While a release is rolled out, the shell may come from the other build: then this one is tried again later.
    const named = (await shell.clone().text()).match(/\/assets\/[\w./-]+/g) ?? [];
    if (!shell.ok || shell.redirected || !named.every((file) => files.includes(file)))
      throw new Error("The shell is of another build.");
    await cache.put(path, shell);
  } catch (error) {
    // An empty cache would be taken for the build before this one, and the complete one be deleted for it.
    await caches.delete(current);
    throw error;
  }
  await self.skipWaiting();
}

/** The cache of the previous build stays: its screen may be open, and the server no longer has its files. */
async function activate(): Promise<void> {
  const older = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== current);
  await Promise.all(older.slice(0, -1).map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** The shell is network-first; without a network, or with a slow or failing one, it is the cached one, headers included. */
async function shellResponse(event: FetchEvent): Promise<Response> {
  const response = navigationResponse(event);
  const first = await Promise.race([response.catch(() => undefined), timeout()]);
  if (first && first.status < 500) return first;
  return (await (await caches.open(current)).match(path, { ignoreVary: true })) ?? response;
}

function timeout(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), timeoutMs);
  });
}

/** Built files are cache-first: their names hold their hashes. What was not precached, as the barcode reader, is cached now. */
async function fileResponse(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const cache = await caches.open(current);
  const own = await cache.match(request, { ignoreVary: true });
  if (own) return own;
  // An older build may have it, whose cache will be deleted.
  const response = (await caches.match(request, { ignoreVary: true })) ?? (await fetch(request));
  if (response.ok) event.waitUntil(cache.put(request, response.clone()));
  return response;
}

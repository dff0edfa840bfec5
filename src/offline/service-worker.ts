import { barePath, type Locale, localeOfPath, provideLocales } from "#i18n/locale.ts";
import { pagePaths } from "#identity/paths.ts";
import { navigationResponse } from "#platform/navigation-response.ts";
import { deleteCachedCards, hasCachedCard, pageTimeoutMs } from "./card-cache.ts";
import { sessionCalls } from "./session-calls.ts";

/** Prepended to this file when the product starts: its hash, its files, and the offline page per language. */
declare const build: { id: string; files: string[]; shells: Partial<Record<Locale, string>> };
declare const self: ServiceWorkerGlobalScope;

provideLocales(() => Object.keys(build.shells) as Locale[]);

const shellPrefix = "cercle-shell-";
const current = shellPrefix + build.id;
/** The pages that the cached card can stand in for. */
const cardPages: string[] = [pagePaths.account, pagePaths.memberPage];

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});
self.addEventListener("activate", (event) => {
  event.waitUntil(activate());
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (opensSession(request.method, pathname)) event.waitUntil(deleteCachedCards());
  if (request.method !== "GET") return;
  // A link that signs in is loaded by the browser itself: the server must see which site the navigation came from.
  if (request.mode === "navigate" && barePath(pathname) === pagePaths.autologin) return;
  if (request.mode === "navigate" && !/^\/(api|oidc|sandbox)\//.test(pathname))
    event.respondWith(pageResponse(event, pathname));
  else if (pathname.startsWith("/assets/") || build.files.includes(pathname)) event.respondWith(fileResponse(request));
});

/** Caches all files of a build or none: an offline page with a file missing would be worse than none. */
async function install(): Promise<void> {
  const cache = await caches.open(current);
  try {
    await cache.addAll([...build.files, ...Object.values(build.shells)]);
  } catch (error) {
    // What is there has its name, and must be complete.
    await caches.delete(current);
    throw error;
  }
  await self.skipWaiting();
}

/** The offline pages of earlier builds are deleted. */
async function activate(): Promise<void> {
  const shells = (await caches.keys()).filter((name) => name.startsWith(shellPrefix) && name !== current);
  await Promise.all(shells.map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** Before a session is opened, any cached card is deleted: it may be another person's. */
function opensSession(method: string, pathname: string): boolean {
  return sessionCalls.includes(`${method} ${pathname.replace(/^\/api\//, "")}`);
}

/** Pages are network-first; without a network or a response, the offline page is shown. */
async function pageResponse(event: FetchEvent, pathname: string): Promise<Response> {
  const response = navigationResponse(event);
  // After the timeout has won the race, a failure must not be an unhandled rejection.
  response.catch(() => {});
  const showsCard = cardPages.includes(barePath(pathname).replace(/\/$/, "")) && (await hasCachedCard());
  try {
    const first = showsCard ? await Promise.race([response, timeout()]) : await response;
    const unavailable = first === undefined || (showsCard && first.status >= 502 && first.status <= 504);
    return unavailable ? await offlinePage(pathname) : first;
  } catch {
    return offlinePage(pathname);
  }
}

function timeout(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), pageTimeoutMs);
  });
}

async function offlinePage(pathname: string): Promise<Response> {
  const cache = await caches.open(current);
  return (await cache.match(build.shells[localeOfPath(pathname)] ?? "", { ignoreVary: true })) ?? Response.error();
}

/** Built files are cache-first: their names hold their hashes, so a cached file of any build is right. */
async function fileResponse(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

import { barePath, type Locale, localeOfPath } from "#i18n/locale.ts";
import { autologin, register, signInWithEmail, signInWithFacebook, signInWithGoogle } from "#identity/calls.ts";
import { pagePaths } from "#identity/paths.ts";
import { forgetCards, theKeptCard } from "./card-storage.ts";

/** Written in front of this file by the build: its fingerprint, every file of it, and the offline page per language. */
declare const build: { id: string; files: string[]; shells: Record<Locale, string> };
declare const self: ServiceWorkerGlobalScope;

const shellPrefix = "cercle-shell-";
const current = shellPrefix + build.id;
/** At a till nobody waits longer for a page when the card is already in the phone. */
const patienceMs = 3_000;
/** The pages on which the kept card helps. */
const cardPages: string[] = [pagePaths.account, pagePaths.memberPage];
/** The calls that open a session. */
const sessionCalls: string[] = [signInWithEmail, signInWithGoogle, signInWithFacebook, autologin, register];

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});
self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (opensSession(request.method, pathname)) event.waitUntil(forgetCards());
  if (request.method !== "GET") return;
  if (request.mode === "navigate" && !/^\/(api|sandbox)\//.test(pathname)) event.respondWith(page(event, pathname));
  else if (pathname.startsWith("/assets/") || build.files.includes(pathname)) event.respondWith(file(request));
});

/** All of a build or nothing of it: a shell with a hole would be worse than none. */
async function install(): Promise<void> {
  const cache = await caches.open(current);
  await cache.addAll([...build.files, ...Object.values(build.shells)]);
  await self.skipWaiting();
}

/** The build before stays too: pages of it may be open, and the server no longer has their files. */
async function takeOver(): Promise<void> {
  const shells = (await caches.keys()).filter((name) => name.startsWith(shellPrefix) && name !== current);
  await Promise.all(shells.slice(0, -1).map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** Whoever signs in, the card of whoever was here before goes, before anything else can happen. */
function opensSession(method: string, pathname: string): boolean {
  return sessionCalls.includes(`${method} ${pathname.replace(/^\/api\//, "")}`);
}

/** A page comes from the network, always; without one, or without an answer, the offline page stands in for it. */
async function page(event: FetchEvent, pathname: string): Promise<Response> {
  const answer = fetchPage(event);
  // When patience ends first, a later failure is nobody's concern any more.
  answer.catch(() => {});
  const showsCard = cardPages.includes(barePath(pathname).replace(/\/$/, "")) && (await theKeptCard()) !== undefined;
  try {
    const first = showsCard ? await Promise.race([answer, late()]) : await answer;
    const away = first === undefined || (showsCard && first.status >= 502 && first.status <= 504);
    return away ? await shell(pathname) : first;
  } catch {
    return shell(pathname);
  }
}

async function fetchPage(event: FetchEvent): Promise<Response> {
  return ((await event.preloadResponse) as Response | undefined) ?? fetch(event.request);
}

function late(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), patienceMs);
  });
}

async function shell(pathname: string): Promise<Response> {
  const cache = await caches.open(current);
  return (await cache.match(build.shells[localeOfPath(pathname)], { ignoreVary: true })) ?? Response.error();
}

/** A built file never changes under its name: whichever build it is of, what is here is right. */
async function file(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

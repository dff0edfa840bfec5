/** A page is reloaded for a missing chunk at most once in this time; one that is gone for good must not reload for ever. */
const reloadGuardMs = 60_000;
const storageKey = "cercle.reloadedAt";

let failed = false;

/** The router loads a page's chunks once: after a failure, only a new document can load them. */
export function documentIsStale(): boolean {
  return failed;
}

let reloadTarget = () => location.href;

/** During a navigation, a reload opens the page that is navigated to. */
export function setReloadTarget(current: () => string): void {
  reloadTarget = current;
}

/**
 * Loads a page's chunks. After a new release the old ones may be gone: then the document is reloaded, and the promise
 * stays pending meanwhile. A second time within a minute, or without a connection, the error page shows the failure.
 */
export async function loadOrReload<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    failed = typeof document !== "undefined";
    if (!failed || !navigator.onLine || !mayReload()) throw error;
    const target = reloadTarget();
    // Assigning the current address, fragment included, would only scroll.
    if (target === location.href) location.reload();
    else location.assign(target);
    return new Promise(() => {});
  }
}

/**
 * Reloads the document where a request got no response: the server, or without a network the service worker, may still
 * have it. At most once in the same time.
 */
export function reloadOnce(): void {
  if (mayReload()) location.reload();
}

function mayReload(): boolean {
  try {
    const now = Date.now();
    const last = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (now - last < reloadGuardMs) return false;
    sessionStorage.setItem(storageKey, String(now));
    return true;
  } catch {
    // Without storage a second reload could not be prevented.
    return false;
  }
}

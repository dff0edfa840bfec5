/** A page is reloaded for a lost file at most once in this time; a file that is gone for good must not reload for ever. */
const reloadGuardMs = 60_000;
const place = "cercle.reloadedAt";

let lost = false;

/** The router asks for a page's files once: after a failure, only another document can bring them. */
export function documentIsStale(): boolean {
  return lost;
}

let destination = () => location.href;

/** On the way to a page, it is that page which a reload opens. */
export function reloadTowards(current: () => string): void {
  destination = current;
}

/**
 * Brings a page's files. After a new release the old ones may be gone: then the document is loaded afresh,
 * and the page waits for it. A second time within a minute, or without a connection, the failure is the error page's.
 */
export async function orReload<Module>(bring: () => Promise<Module>): Promise<Module> {
  try {
    return await bring();
  } catch (error) {
    lost = typeof document !== "undefined";
    if (!lost || !navigator.onLine || !mayReload()) throw error;
    const target = destination();
    // Assigning the address one is at, fragment and all, would only scroll.
    if (target === location.href) location.reload();
    else location.assign(target);
    return new Promise(() => {});
  }
}

/**
 * Asks for the whole document again where no answer came: the server, or without a network the service worker, may
 * still have it. Under the same guard.
 */
export function reloadOnce(): void {
  if (mayReload()) location.reload();
}

function mayReload(): boolean {
  try {
    const now = Date.now();
    const last = Number(sessionStorage.getItem(place) ?? 0);
    if (now - last < reloadGuardMs) return false;
    sessionStorage.setItem(place, String(now));
    return true;
  } catch {
    // Without storage nobody could stop the second reload.
    return false;
  }
}

const key = "reloadedAt";
const guardMs = 60_000;

/**
 * Asks the server, or without a network the service worker, for the whole page again: after a deploy that took a
 * file away, or where no answer came at all. At most once a minute, so that a lasting fault shows its error page.
 */
export function reloadOnce(): boolean {
  const last = Number(sessionStorage.getItem(key) ?? 0);
  if (Date.now() - last < guardMs) return false;
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
  return true;
}

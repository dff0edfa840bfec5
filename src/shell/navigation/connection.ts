import { messageStore } from "#identity/session/browser/ui-store.ts";
import { createStore } from "#ui/browser/store.ts";
import type { WatchedRouter } from "./watched-router.ts";

/** Whether the browser believes that it is online. */
export const onlineStore = createStore(true);

/** How long the message that the connection is back stays. */
const backOnlineSeconds = 4;

/** Watches the connection, shows its loss and return in the frame, and reloads a page that failed when it is back. */
export function watchConnection(router: { state: Pick<WatchedRouter["state"], "errors"> }): void {
  const goOffline = () => {
    onlineStore.set(false);
    messageStore.set("offline.gone");
  };
  if (!navigator.onLine) goOffline();
  addEventListener("offline", goOffline);
  addEventListener("online", () => {
    onlineStore.set(true);
    messageStore.set("offline.back");
    setTimeout(() => {
      if (messageStore.get() === "offline.back") messageStore.set(undefined);
    }, backOnlineSeconds * 1_000);
    // The router never retries a chunk that failed; a new document does.
    if (router.state.errors) location.reload();
  });
}

/** The Network Information API, which not every browser has and TypeScript does not know. */
interface WithConnection {
  connection?: { saveData?: boolean; effectiveType?: string };
}

/** Not on slow-2g or 2g, not with data saving on, and not offline: there only what was asked for is loaded. */
export function worthPrefetching(): boolean {
  const { connection } = navigator as Navigator & WithConnection;
  return navigator.onLine && !connection?.saveData && !/(^|-)2g$/.test(connection?.effectiveType ?? "");
}

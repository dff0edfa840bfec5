import { messageStore } from "#identity/session/ui-store.ts";
import { createStore } from "#ui/store.ts";
import type { WatchedRouter } from "./watched-router.ts";

/** Whether the browser believes it can reach anything. */
export const onlineStore = createStore(true);

/** How long the word that all is well again stays. */
const backSeconds = 4;

/** Follows the connection, says so in the frame, and tries a page that failed for lack of it once more. */
export function watchConnection(router: { state: Pick<WatchedRouter["state"], "errors"> }): void {
  const gone = () => {
    onlineStore.set(false);
    messageStore.set("offline.gone");
  };
  if (!navigator.onLine) gone();
  addEventListener("offline", gone);
  addEventListener("online", () => {
    onlineStore.set(true);
    messageStore.set("offline.back");
    setTimeout(() => {
      if (messageStore.get() === "offline.back") messageStore.set(undefined);
    }, backSeconds * 1_000);
    // The router remembers a file it could not get as lost for good; a new document asks again.
    if (router.state.errors) location.reload();
  });
}

/** The Network Information API, which not every browser has and TypeScript does not know. */
interface Connected {
  connection?: { saveData?: boolean; effectiveType?: string };
}

/** Not on slow-2g or 2g, not for who saves data: there, only what was asked for is loaded. And not offline. */
export function worthPrefetching(): boolean {
  const { connection } = navigator as Navigator & Connected;
  return navigator.onLine && !connection?.saveData && !/(^|-)2g$/.test(connection?.effectiveType ?? "");
}

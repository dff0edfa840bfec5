import { useEffect } from "react";
import { type Visitor, visitorId } from "./current-customer.ts";
import { openSessionChannel, sessionStore } from "./session-store.ts";

/** On every page: the other tabs of this browser are told who is signed in. Sign-in and sign-out both end on a page. */
export function useBroadcastSession(visitor: Visitor | undefined): void {
  const id = visitorId(visitor);
  useEffect(() => {
    if (id === undefined) return;
    const channel = openSessionChannel();
    channel.postMessage(id);
    channel.close();
  }, [id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has just been loaded is newer than anything learned before.
  useEffect(() => () => sessionStore.set(undefined), [visitor]);
}

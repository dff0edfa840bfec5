import { useEffect } from "react";
import { signedInStore } from "#identity/session/browser/session.ts";
import { useStore } from "#ui/browser/store.ts";
import { later } from "#ui/lazy.tsx";
import { type Visitor, visitorId } from "./current-customer.ts";
import { sessionStore } from "./session-store.ts";

const deleteCachedCards = later(async () => (await import("#offline/card-cache.ts")).deleteCachedCards);

/** On every page: only the card of who is signed in stays stored in this browser. */
export function useDeleteOthersCards(visitor: Visitor | undefined): void {
  const changed = useStore(sessionStore, (state) => state);
  const id = changed === undefined ? visitorId(visitor) : (changed?.IdCustomer ?? null);
  useEffect(() => {
    signedInStore.set(typeof id === "number");
    // Without a network it may not be loaded; nor could another customer have signed in.
    if (id !== undefined) deleteCachedCards(id ?? undefined).catch(() => {});
  }, [id]);
}

import { useEffect } from "react";
import { signedInStore } from "#identity/session/session.ts";
import { deleteCachedCards } from "#offline/card-cache.ts";
import { useStore } from "#ui/store.ts";
import { type Visitor, visitorId } from "./current-customer.ts";
import { sessionStore } from "./session-store.ts";

/** On every page: only the card of who is signed in stays stored in this browser. */
export function useDeleteOthersCards(visitor: Visitor | undefined): void {
  const changed = useStore(sessionStore, (state) => state);
  const id = changed === undefined ? visitorId(visitor) : (changed?.IdCustomer ?? null);
  useEffect(() => {
    signedInStore.set(typeof id === "number");
    if (id !== undefined) void deleteCachedCards(id ?? undefined);
  }, [id]);
}

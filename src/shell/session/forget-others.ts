import { useEffect } from "react";
import { type Customer, signedInStore } from "#identity/session/session.ts";
import { deleteCachedCards } from "#offline/card-cache.ts";
import { useStore } from "#ui/store.ts";
import { openSessionChannel, sessionStore } from "./session-store.ts";

interface Visitor {
  customer: Customer | null;
  signedOut: boolean;
}

/** Null is nobody; undefined is no answer, as without a network. */
const idOf = (visitor: Visitor | undefined) => visitor?.customer?.IdCustomer ?? (visitor?.signedOut ? null : undefined);

/** On every page: the other tabs of this browser hear who is signed in. Sign-in and sign-out lead to a page. */
export function useTellOtherTabs(visitor: Visitor | undefined): void {
  const id = idOf(visitor);
  useEffect(() => {
    if (id === undefined) return;
    const channel = openSessionChannel();
    channel.postMessage(id);
    channel.close();
  }, [id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was loaded anew is newer than any news.
  useEffect(() => () => sessionStore.set(undefined), [visitor]);
}

/** On every page: whose card may stay in this browser is said by who is signed in. */
export function useForgetOthers(visitor: Visitor | undefined): void {
  const news = useStore(sessionStore, (state) => state);
  const id = news === undefined ? idOf(visitor) : (news?.IdCustomer ?? null);
  useEffect(() => {
    signedInStore.set(typeof id === "number");
    if (id !== undefined) void deleteCachedCards(id ?? undefined);
  }, [id]);
}

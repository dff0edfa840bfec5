import { useEffect } from "react";
import { type Customer, signedInStore } from "#identity/session.ts";
import { forgetCards } from "#loyalty/card-storage.ts";

/** On every page: whose card may stay in this browser is said by who is signed in. */
export function useForgetOthers(visitor: { customer: Customer | null; signedOut: boolean } | undefined): void {
  const id = visitor?.customer?.IdCustomer;
  const signedOut = visitor?.signedOut ?? false;
  useEffect(() => {
    signedInStore.set(id !== undefined);
    // No answer about who is signed in, as without a network, is no reason to forget anything.
    if (id !== undefined || signedOut) void forgetCards(id);
  }, [id, signedOut]);
}

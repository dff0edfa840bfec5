import { useEffect } from "react";
import { readCustomer } from "#identity/calls.ts";
import type { Customer } from "#identity/session/browser/session.ts";
import { browserCall, CallFailed } from "#platform/api/client/client.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { openSessionChannel, sessionStore } from "./session-store.ts";

/**
 * Listens for sign-ins and sign-outs in other tabs. A message may be late, so when it differs from what this page shows,
 * the server is asked. `lost`: the page was rendered without its session, so the same customer's return is a change too.
 */
export function useSessionChanges(madeFor: string | undefined, lost: boolean): void {
  useEffect(() => {
    const channel = openSessionChannel();
    channel.onmessage = async ({ data }) => {
      const unchanged = (id: unknown) => !lost && sessionStore.get() === undefined && String(id) === madeFor;
      if (unchanged(data)) return;
      const customer = await signedInCustomer();
      if (!unchanged(customer?.IdCustomer)) setSession(customer);
    };
    return () => channel.close();
  }, [madeFor, lost]);
  useEffect(() => guardRestoredPage(madeFor), [madeFor]);
}

/**
 * A page that the browser has kept whole (bfcache) is hidden as it is left, and shown again to the same customer alone. When
 * the server cannot be reached it is loaded anew: without a network that is the offline page.
 */
function guardRestoredPage(madeFor: string | undefined): () => void {
  const { documentElement } = document;
  const guard = async ({ type, persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    documentElement.hidden = true;
    if (type === "pagehide") return;
    const customer = await signedInCustomer();
    if (customer && String(customer.IdCustomer) === madeFor) documentElement.hidden = false;
    else location.reload();
  };
  addEventListener("pagehide", guard);
  addEventListener("pageshow", guard);
  return () => {
    removeEventListener("pagehide", guard);
    removeEventListener("pageshow", guard);
  };
}

let lastRefusal: Refused | undefined;

/** A form that was refused because of its session shows a change that no other tab has reported. */
export function noteSessionRefusal(refused: Refused): void {
  // Several forms of a page may share the refusal.
  if (refused === lastRefusal) return;
  lastRefusal = refused;
  const code = refused.problem?.code;
  if (code === "not_signed_in") setSession(null);
  if (code === "other_customer") void signedInCustomer().then(setSession);
}

/** Null: no one is signed in. Undefined: the server could not be reached. */
async function signedInCustomer(): Promise<Customer | null | undefined> {
  return browserCall(readCustomer).catch((error: unknown) =>
    error instanceof CallFailed && error.status === 401 ? null : undefined,
  );
}

function setSession(customer: Customer | null | undefined): void {
  if (customer !== undefined) sessionStore.set(customer);
}

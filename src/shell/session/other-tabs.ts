import { useEffect } from "react";
import { readCustomer } from "#identity/calls.ts";
import type { Customer } from "#identity/session/session.ts";
import { browserCall, CallFailed } from "#platform/api/client.ts";
import type { Refused } from "#platform/api/form.ts";
import { openSessionChannel, sessionStore } from "./session-store.ts";

/**
 * Listens to the other tabs. A message may be late, so whenever it differs from what this page shows the server is asked.
 * `lost`: the page was rendered without its session, so the same customer's return is news too.
 */
export function useOtherTabs(madeFor: string | undefined, lost: boolean): void {
  useEffect(() => {
    const channel = openSessionChannel();
    channel.onmessage = async ({ data }) => {
      const unchanged = (id: unknown) => !lost && sessionStore.get() === undefined && String(id) === madeFor;
      if (unchanged(data)) return;
      const now = await whoIsSignedIn();
      if (!unchanged(now?.IdCustomer)) setNews(now);
    };
    return () => channel.close();
  }, [madeFor, lost]);
}

let heard: Refused | undefined;

/** A form that was refused for its session tells this tab what the others did not. */
export function learnFrom(refused: Refused): void {
  // Several forms of a page may share the refusal.
  if (refused === heard) return;
  heard = refused;
  const code = refused.problem?.code;
  if (code === "not_signed_in") setNews(null);
  if (code === "other_customer") void whoIsSignedIn().then(setNews);
}

/** Undefined when there is no answer. */
async function whoIsSignedIn(): Promise<Customer | null | undefined> {
  return browserCall(readCustomer).catch((error: unknown) =>
    error instanceof CallFailed && error.status === 401 ? null : undefined,
  );
}

function setNews(now: Customer | null | undefined): void {
  if (now !== undefined) sessionStore.set(now);
}

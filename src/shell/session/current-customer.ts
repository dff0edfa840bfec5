import type { LoaderFunctionArgs, ShouldRevalidateFunctionArgs } from "react-router";
import { readCustomer } from "#identity/calls.ts";
import { type Customer, maybeSignedIn, signedInStore } from "#identity/session/browser/session.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { CallFailed } from "#platform/api/client/client.ts";
import { actionsBegun, isRefused, revalidatesAfter } from "#platform/api/client/form.ts";

/** Who is signed in, as the page's root loader found it. */
export interface Visitor {
  customer: Customer | null;
  /** The server has said that no one is signed in; a failed request alone does not say so. */
  signedOut: boolean;
}

/** Null: no one is signed in. Undefined: not known, as without a network. */
export const visitorId = (visitor: Visitor | undefined): number | null | undefined =>
  visitor?.customer?.IdCustomer ?? (visitor?.signedOut ? null : undefined);

/** How many actions had begun when the customer that is shown was read, or when one was refused without a change. */
let actionsSeen = 0;
/** The last read. A link that was pressed before the page was shown has aborted it, also when it had been answered. */
let lastRead: { begun: number; request: Request } | undefined;

function mayHaveChanged(): boolean {
  if (lastRead && !lastRead.request.signal.aborted) actionsSeen = lastRead.begun;
  lastRead = undefined;
  return actionsSeen !== actionsBegun();
}

/** Who is signed in, for the navbar and for pages that show a name: the root route's loader. */
export async function loadCurrentCustomer({ request, context }: LoaderFunctionArgs): Promise<Visitor> {
  // Without a session cookie there is nothing to ask. The browser cannot see the cookie: there the API says so.
  if (import.meta.env.SSR && !maybeSignedIn(request)) return { customer: null, signedOut: true };
  if (!import.meta.env.SSR) lastRead = { begun: actionsBegun(), request };
  try {
    const customer = await context.get(callContext)(readCustomer);
    // Before the next page is shown: its guard, at the press of Back, may ask for it before anything is rendered.
    if (!import.meta.env.SSR) signedInStore.set(true);
    return { customer, signedOut: false };
  } catch (error) {
    // Any failure here means that no one is signed in. The API has logged it.
    return { customer: null, signedOut: error instanceof CallFailed && error.status === 401 };
  }
}

/**
 * The customer is fetched again after every action, a sign-in or an edit above all, and not at every navigation. A link
 * that is pressed before that has ended interrupts it: then it is done on the way to the other page.
 */
export function refetchAfterAction(args: ShouldRevalidateFunctionArgs): boolean {
  const { formMethod, actionResult, currentUrl, nextUrl, defaultShouldRevalidate } = args;
  const changed = mayHaveChanged();
  if (isRefused(actionResult)) {
    const refetches = revalidatesAfter(actionResult);
    if (!refetches) actionsSeen = actionsBegun();
    return refetches;
  }
  if (formMethod !== undefined) return formMethod !== "GET";
  if (changed) return true;
  // The default is also true for another query, such as where a sign-in leads to, which says nothing of the customer.
  if (currentUrl.search !== nextUrl.search) return false;
  return defaultShouldRevalidate && currentUrl.pathname !== nextUrl.pathname;
}

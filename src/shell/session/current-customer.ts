import type { LoaderFunctionArgs, ShouldRevalidateFunctionArgs } from "react-router";
import { readCustomer } from "#identity/calls.ts";
import { type Customer, maybeSignedIn, signedInStore } from "#identity/session/session.ts";
import { CallFailed, callContext } from "#platform/api/client.ts";
import { isRefused, revalidatesAfter } from "#platform/api/form.ts";

/** Who is signed in, as the page's root loader found it. */
export interface Visitor {
  customer: Customer | null;
  /** The server has said that nobody is signed in; a failed request alone does not say so. */
  signedOut: boolean;
}

/** Null: nobody is signed in. Undefined: not known, as without a network. */
export const visitorId = (visitor: Visitor | undefined): number | null | undefined =>
  visitor?.customer?.IdCustomer ?? (visitor?.signedOut ? null : undefined);

/** Who is signed in, for the navbar and for pages that show a name: the root route's loader. */
export async function loadCurrentCustomer({ request, context }: LoaderFunctionArgs): Promise<Visitor> {
  // Without a session cookie there is nothing to ask. The browser cannot see the cookie: there the API says so.
  if (import.meta.env.SSR && !maybeSignedIn(request)) return { customer: null, signedOut: true };
  try {
    const customer = await context.get(callContext)(readCustomer);
    // Before the next page is shown: its guard, at the press of Back, may ask for it before anything is rendered.
    if (!import.meta.env.SSR) signedInStore.set(true);
    return { customer, signedOut: false };
  } catch (error) {
    // Any failure here means that nobody is signed in. The API has logged it.
    return { customer: null, signedOut: error instanceof CallFailed && error.status === 401 };
  }
}

/**
 * The customer is fetched again after every action, a sign-in or an edit above all, and not at every navigation. Whoever
 * presses a link before that has ended interrupts it: then the router's default says so, on the way to the other page.
 */
export function refetchAfterAction(args: ShouldRevalidateFunctionArgs): boolean {
  const { formMethod, actionResult, currentUrl, nextUrl, defaultShouldRevalidate } = args;
  if (isRefused(actionResult)) return revalidatesAfter(actionResult);
  if (formMethod !== undefined) return formMethod !== "GET";
  // The default is also true for another query, such as where a sign-in leads to, which says nothing of the customer.
  if (currentUrl.search !== nextUrl.search) return false;
  return defaultShouldRevalidate && currentUrl.pathname !== nextUrl.pathname;
}

import { type RouterContextProvider, useRouteLoaderData } from "react-router";
import type { readCustomer } from "#identity/calls.ts";
import { readCookie, tokenCookieName } from "#identity/session/cookies.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { refusalContext } from "#platform/api/client/form.ts";
import { createStore } from "#ui/browser/store.ts";

export type Customer = ResponseBody<typeof readCustomer>;

/**
 * A form was just submitted whose session had ended. Its page is shown with what was typed, so that it can be submitted
 * again, and without the account's data.
 */
export function sessionEnded(context: Readonly<RouterContextProvider>): boolean {
  return context.get(refusalContext)?.problem?.code === "not_signed_in";
}

/** Whether the document shows a person as signed in: the browser's script cannot see the cookie. */
export const signedInStore = createStore(false);

/** False spares a visitor without a session the call that reads the customer. */
export function maybeSignedIn(request: Request): boolean {
  return import.meta.env.SSR
    ? readCookie(request.headers.get("cookie") ?? "", tokenCookieName) !== undefined
    : signedInStore.get();
}

/** The customer of this page, if a person is signed in. The document's own route loads it. */
export function useCustomer(): Customer | undefined {
  return (useRouteLoaderData("root") as { customer: Customer | null } | undefined)?.customer ?? undefined;
}

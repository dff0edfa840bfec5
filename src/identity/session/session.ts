import { type LoaderFunctionArgs, type RouterContextProvider, redirect, useRouteLoaderData } from "react-router";
import { barePath, localeOfPath, localePath, namesLocale } from "#i18n/locale.ts";
import { readCustomer } from "#identity/calls.ts";
import { pagePaths } from "#identity/paths.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { CallFailed, callContext } from "#platform/api/client.ts";
import { refusalContext } from "#platform/api/form.ts";
import { createStore } from "#ui/store.ts";
import { readCookie, tokenCookieName } from "./cookies.ts";
import { loginGoToParameter, pathAfterSignIn } from "./redirect-after-sign-in.ts";

export type Customer = ResponseBody<typeof readCustomer>;

/**
 * A form was just submitted whose session had ended. Its page is shown with what was typed, so that it can be submitted
 * again, and without the account's data.
 */
export function sessionEnded(context: Readonly<RouterContextProvider>): boolean {
  return context.get(refusalContext)?.problem?.code === "not_signed_in";
}

/** The guard of the account: redirects to the sign-in page, in the same language, and back afterwards. */
export async function requireSignedIn({ request, context }: LoaderFunctionArgs): Promise<null> {
  if (sessionEnded(context)) return null;
  try {
    await context.get(callContext)(readCustomer);
    return null;
  } catch (error) {
    if (!(error instanceof CallFailed && error.status === 401)) throw error;
    const { pathname, search } = new URL(request.url);
    const query = new URLSearchParams({ [loginGoToParameter]: barePath(pathname) + search });
    throw redirect(localePath(localeOfPath(pathname), `${pagePaths.login}?${query}`));
  }
}

/** Whether the document shows somebody as signed in: the browser's script cannot see the cookie. */
export const signedInStore = createStore(false);

/** False spares a visitor without a session the call that reads the customer. */
export function maybeSignedIn(request: Request): boolean {
  return import.meta.env.SSR
    ? readCookie(request.headers.get("cookie") ?? "", tokenCookieName) !== undefined
    : signedInStore.get();
}

/** Sign-in and registration redirect whoever is signed in. A guest may still want an account. */
export async function redirectSignedIn({ request, context }: LoaderFunctionArgs): Promise<null> {
  // A refused form is shown again, even if somebody has signed in in another tab meanwhile.
  if (context.get(refusalContext) || !maybeSignedIn(request)) return null;
  const known = await context
    .get(callContext)(readCustomer)
    // The session has ended, or the call failed: showing the form suits both, and avoids a redirect loop.
    .catch(() => undefined);
  if (!known || known.Guest) return null;
  const { pathname, searchParams } = new URL(request.url);
  const to = pathAfterSignIn(searchParams);
  throw redirect(namesLocale(to) ? to : localePath(localeOfPath(pathname), to));
}

/** The customer of this page, if somebody is signed in. The document's own route loads it. */
export function useCustomer(): Customer | undefined {
  return (useRouteLoaderData("root") as { customer: Customer | null } | undefined)?.customer ?? undefined;
}

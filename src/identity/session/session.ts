import { type LoaderFunctionArgs, type RouterContextProvider, redirect, useRouteLoaderData } from "react-router";
import { barePath, localeOfPath, localePath, namesLocale } from "#i18n/locale.ts";
import { readCustomer } from "#identity/calls.ts";
import { pagePaths } from "#identity/paths.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { CallFailed, callContext } from "#platform/api/client.ts";
import { refusalContext } from "#platform/api/form.ts";
import { createStore } from "#ui/store.ts";
import { cookieNames, readCookie } from "./cookies.ts";
import { afterSignIn, goToParameter } from "./redirect-after-sign-in.ts";

export type Customer = ResponseBody<typeof readCustomer>;

/**
 * A form was just sent whose session had ended. Its page is shown with what was typed, so that it can be sent again,
 * and with nothing of the account.
 */
export function sessionEnded(context: Readonly<RouterContextProvider>): boolean {
  return context.get(refusalContext)?.problem?.code === "not_signed_in";
}

/** The guard of the account: a stranger goes to the sign-in of their language, and comes back afterwards. */
export async function signedIn({ request, context }: LoaderFunctionArgs): Promise<null> {
  if (sessionEnded(context)) return null;
  try {
    await context.get(callContext)(readCustomer);
    return null;
  } catch (error) {
    if (!(error instanceof CallFailed && error.status === 401)) throw error;
    const { pathname, search } = new URL(request.url);
    const goTo = new URLSearchParams({ [goToParameter]: barePath(pathname) + search });
    throw redirect(localePath(localeOfPath(pathname), `${pagePaths.login}?${goTo}`));
  }
}

/** Whether the document shows somebody as signed in: the browser's script cannot see the cookie. */
export const signedInStore = createStore(false);

/** A stranger's page asks nobody who they are. */
export function maybeSignedIn(request: Request): boolean {
  return import.meta.env.SSR
    ? readCookie(request.headers.get("cookie") ?? "", cookieNames.token) !== undefined
    : signedInStore.get();
}

/** Sign-in and registration are for strangers: who is signed in is led on. A guest may still want an account. */
export async function redirectSignedIn({ request, context }: LoaderFunctionArgs): Promise<null> {
  // A refused form is shown again, whoever has signed in next door meanwhile.
  if (context.get(refusalContext) || !maybeSignedIn(request)) return null;
  const known = await context
    .get(callContext)(readCustomer)
    // A session that has ended, or no answer: the form works for both, and leads round in no circle.
    .catch(() => undefined);
  if (!known || known.Guest) return null;
  const { pathname, searchParams } = new URL(request.url);
  const to = afterSignIn(searchParams);
  throw redirect(namesLocale(to) ? to : localePath(localeOfPath(pathname), to));
}

/** The customer of this page, if somebody is signed in. The document's own route loads it. */
export function useCustomer(): Customer | undefined {
  return (useRouteLoaderData("root") as { customer: Customer | null } | undefined)?.customer ?? undefined;
}

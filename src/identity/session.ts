import { type LoaderFunctionArgs, type RouterContextProvider, redirect, useRouteLoaderData } from "react-router";
import { barePath, localeOfPath, localePath } from "#i18n/locale.ts";
import type { Answer } from "#platform/api.ts";
import { CallFailed, callContext } from "#platform/client.ts";
import { refusalContext } from "#platform/form.ts";
import { readCustomer } from "./calls.ts";
import { goToParameter } from "./go-to.ts";

export type Customer = Answer<typeof readCustomer>;

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
    throw redirect(localePath(localeOfPath(pathname), `/authenticate/login?${goTo}`));
  }
}

/** The customer of this page, if somebody is signed in. The document's own route loads it. */
export function useCustomer(): Customer | undefined {
  return (useRouteLoaderData("root") as { customer: Customer | null } | undefined)?.customer ?? undefined;
}

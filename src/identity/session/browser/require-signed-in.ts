import { type LoaderFunctionArgs, redirect } from "react-router";
import { barePath, localeOfPath, localePath } from "#i18n/locale.ts";
import { readCustomer } from "#identity/calls.ts";
import { pagePaths } from "#identity/paths.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { CallFailed } from "#platform/api/client/client.ts";
import { loginGoToParameter } from "./redirect-after-sign-in.ts";
import { sessionEnded } from "./session.ts";

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

import type { LoaderFunctionArgs } from "react-router";
import { localeOfPath } from "#i18n/locale.ts";
import { readCustomer } from "#identity/calls.ts";
import { pathAfterSignIn } from "#identity/session/browser/redirect-after-sign-in.ts";
import { maybeSignedIn } from "#identity/session/browser/session.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { redirectTo, refusalContext } from "#platform/api/client/form.ts";

/** Sign-in and registration redirect the person who is signed in. A guest may still want an account. */
export async function redirectSignedIn({ request, context }: LoaderFunctionArgs): Promise<null> {
  // A refused form is shown again, even if a person has signed in in another tab meanwhile.
  if (context.get(refusalContext) || !maybeSignedIn(request)) return null;
  const known = await context
    .get(callContext)(readCustomer)
    // The session has ended, or the call failed: showing the form suits both, and avoids a redirect loop.
    .catch(() => undefined);
  if (!known || known.Guest) return null;
  const { pathname, searchParams } = new URL(request.url);
  const to = pathAfterSignIn(searchParams);
  throw redirectTo(to, localeOfPath(pathname));
}

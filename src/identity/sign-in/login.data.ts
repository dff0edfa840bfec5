import { signInWithEmail } from "#identity/calls.ts";
import { emailStore } from "#identity/fields/email-store.ts";
import { isFromShop } from "#identity/paths.ts";
import { consumeLoginGoTo, loginGoToParameter, pathAfterSignIn } from "#identity/session/redirect-after-sign-in.ts";
import { redirectSignedIn } from "#identity/sign-in/redirect-signed-in.ts";
import { signInWithProvider } from "#identity/social/social-action.ts";
import type { Submission } from "#platform/api/form.ts";

export const loader = redirectSignedIn;

export async function act(submission: Submission) {
  const { form, call, request, go } = submission;
  if (!(await signInWithProvider(submission))) await call(signInWithEmail, form);
  if (!import.meta.env.SSR) emailStore.set("");
  const { searchParams } = new URL(request.url);
  return go(
    isFromShop(searchParams) ? pathAfterSignIn(searchParams) : consumeLoginGoTo(searchParams.get(loginGoToParameter)),
  );
}

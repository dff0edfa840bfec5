import { sendCode, signInWithCode, signInWithEmail, signInWithPasskey } from "#identity/calls.ts";
import { emailStore } from "#identity/fields/email-store.ts";
import { isJoining } from "#identity/paths.ts";
import {
  consumeLoginGoTo,
  loginGoToParameter,
  pathAfterSignIn,
} from "#identity/session/browser/redirect-after-sign-in.ts";
import { redirectSignedIn } from "#identity/sign-in/redirect-signed-in.ts";
import { signInWithProvider } from "#identity/social/screen/social-action.ts";
import type { Submission } from "#platform/api/client/form.ts";

export const loader = redirectSignedIn;

/** A code was mailed, if the address has an account. */
export interface CodeSent {
  ok: true;
  email: string;
  again: boolean;
}

export async function act(submission: Submission): Promise<Response | CodeSent> {
  const { form, intent, call, request, go } = submission;
  if (intent === "send-code") {
    const email = String(form.get("Email") ?? "");
    // Not the password, which may have been typed already.
    await call(sendCode, { Email: email });
    return { ok: true, email, again: form.has("again") };
  }
  if (intent === "code") await call(signInWithCode, form);
  else if (intent === "passkey") await call(signInWithPasskey, form);
  else if (!(await signInWithProvider(submission))) await call(signInWithEmail, form);
  if (!import.meta.env.SSR) emailStore.set("");
  const { searchParams } = new URL(request.url);
  return go(
    isJoining(searchParams) ? pathAfterSignIn(searchParams) : consumeLoginGoTo(searchParams.get(loginGoToParameter)),
  );
}

import { signInWithFacebook, signInWithGoogle } from "#identity/calls.ts";
import { pagePaths } from "#identity/paths.ts";
import { CallFailed } from "#platform/api/client/client.ts";
import type { Submission } from "#platform/api/client/form.ts";

/** Refusals that the form itself shows, since the customer can do something about them. */
const shownInForm = [409, 429, 503];

/**
 * Signs in with a provider's proof. True when done, false when another form was submitted; an authentication that failed
 * redirects to the error page.
 */
export async function signInWithProvider({ form, intent, call, go }: Submission): Promise<boolean> {
  if (intent !== "google" && intent !== "facebook") return false;
  try {
    await call(intent === "google" ? signInWithGoogle : signInWithFacebook, form);
    return true;
  } catch (error) {
    if (error instanceof CallFailed && !shownInForm.includes(error.status)) throw go(pagePaths.error);
    throw error;
  }
}

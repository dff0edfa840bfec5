import { signInWithFacebook, signInWithGoogle } from "#identity/calls.ts";
import { pagePaths } from "#identity/paths.ts";
import { CallFailed } from "#platform/api/client.ts";
import type { Submission } from "#platform/api/form.ts";

/** A refusal with a way on: it is told where it happened. */
const told = [409, 429, 503];

/**
 * Signs in with the proof a provider gave. True when that is done, false when the form was another one;
 * an authentication that failed leads to the error page.
 */
export async function signInSocially({ form, intent, call, go }: Submission): Promise<boolean> {
  if (intent !== "google" && intent !== "facebook") return false;
  try {
    await call(intent === "google" ? signInWithGoogle : signInWithFacebook, form);
    return true;
  } catch (error) {
    if (error instanceof CallFailed && !told.includes(error.status)) throw go(pagePaths.error);
    throw error;
  }
}

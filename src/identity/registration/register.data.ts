import { register } from "#identity/calls.ts";
import { emailStore } from "#identity/fields/email-store.ts";
import { isoDay } from "#identity/fields/iso-day.ts";
import { isFromShop, isJoining, joinedParameter, pagePaths } from "#identity/paths.ts";
import { pathAfterSignIn } from "#identity/session/browser/redirect-after-sign-in.ts";
import { redirectSignedIn } from "#identity/sign-in/redirect-signed-in.ts";
import { signInWithProvider } from "#identity/social/screen/social-action.ts";
import type { Submission } from "#platform/api/client/form.ts";
import { deleteDraft } from "./registration-draft.ts";

export const loader = redirectSignedIn;

export async function act(submission: Submission) {
  const { form, call, request, locale, go } = submission;
  const { searchParams } = new URL(request.url);
  form.set("Birthday", isoDay(String(form.get("Birthday") ?? "")));
  form.set("LanguageIsoCode", locale);
  form.set("Origin", isFromShop(searchParams) ? "store" : "web");
  const byProvider = await signInWithProvider(submission);
  if (!byProvider) await call(register, form);
  if (!import.meta.env.SSR) {
    deleteDraft();
    emailStore.set("");
  }
  const path = pathAfterSignIn(searchParams);
  if (byProvider) return go(path);
  // Who came to join and then declined is not asked again at once.
  if (form.get("LoyaltySubscribe") !== "true") return go(isJoining(searchParams) ? pagePaths.account : path);
  return go(`${path}${path.includes("?") ? "&" : "?"}${joinedParameter}`);
}

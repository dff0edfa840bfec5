import { type ActionFunctionArgs, redirect } from "react-router";
import { localeOfPath, localePath } from "#i18n/locale.ts";
import { pagePaths, registerInStorePath } from "#identity/paths.ts";

export const logoutCookie = "auth.logout=1; path=/; max-age=2592000; samesite=lax";

/**
 * Without script the home page sets the cookie that the script would have set. The shop's own device does the same before
 * each registration: whoever is still signed in there is logged out first.
 */
export async function logoutAction({ request }: ActionFunctionArgs): Promise<Response> {
  const locale = localeOfPath(new URL(request.url).pathname);
  const device = (await request.formData()).get("device");
  const next = device === "shop" ? `${registerInStorePath}&device=shop` : pagePaths.home;
  return redirect(localePath(locale, next), { headers: { "set-cookie": logoutCookie } });
}

import { type ActionFunctionArgs, redirect } from "react-router";
import { localeOfPath, localePath } from "#i18n/locale.ts";

export const logoutCookie = "auth.logout=1; path=/; max-age=2592000; samesite=lax";

/** Without script the home page sets the cookie that the script would have set. */
export function logoutAction({ request }: ActionFunctionArgs): Response {
  return redirect(localePath(localeOfPath(new URL(request.url).pathname), "/"), {
    headers: { "set-cookie": logoutCookie },
  });
}

import { type ActionFunctionArgs, redirect } from "react-router";
import { logoutCookie } from "#identity/logout-cookie.ts";

/** Without script the home page sets the cookie that the script would have set. */
export function logoutAction({ request }: ActionFunctionArgs): Response {
  return redirect(new URL(request.url).pathname, { headers: { "set-cookie": logoutCookie } });
}

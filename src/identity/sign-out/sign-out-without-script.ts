import { type ActionFunctionArgs, redirect } from "react-router";
import { localeOfPath, localePath } from "#i18n/locale.ts";
import { pagePaths, registerInStorePath } from "#identity/paths.ts";
import { logoutCookie } from "#identity/session/cookies.ts";
import { shopDeviceField } from "#identity/session/device/shop-device.ts";

/**
 * Without script the home page sets the cookie that the script would have set. The shop's own device does the same before
 * each registration: anyone who is still signed in there is logged out first.
 */
export async function logoutAction({ request }: ActionFunctionArgs): Promise<Response> {
  const locale = localeOfPath(new URL(request.url).pathname);
  const device = (await request.formData()).get(shopDeviceField.name);
  const next =
    device === shopDeviceField.value
      ? `${registerInStorePath}&${shopDeviceField.name}=${shopDeviceField.value}`
      : pagePaths.home;
  return redirect(localePath(locale, next), { headers: { "set-cookie": logoutCookie } });
}

import type { ReactNode } from "react";
import { type ActionFunctionArgs, redirect } from "react-router";
import { useLocalePath } from "#i18n/use-texts.tsx";
import { forgetCards } from "#loyalty/card-storage.ts";

const cookie = "auth.logout=1; path=/; max-age=2592000; samesite=lax";

/** Without script the home page sets the cookie that the script would have set. */
export function logoutAction({ request }: ActionFunctionArgs): Response {
  return redirect(new URL(request.url).pathname, { headers: { "set-cookie": cookie } });
}

/**
 * Leaving makes no API call: the next page that carries this cookie ends the session on the server,
 * so it works offline too. Without script the form asks the home page to do the same.
 */
export function LogoutButton({ className, children }: { className?: string; children: ReactNode }) {
  const home = useLocalePath()("/");
  return (
    <form
      method="post"
      // The router's word for "the page at this very address, not the layout around it".
      action={`${home}?index`}
      onSubmit={(event) => {
        event.preventDefault();
        // biome-ignore lint/suspicious/noDocumentCookie: Safari and Firefox have no cookieStore yet.
        document.cookie = cookie;
        // Also without a network: whoever takes up this phone next finds no card on it.
        void forgetCards().finally(() => location.assign(home));
      }}
    >
      <button type="submit" className={className}>
        {children}
      </button>
    </form>
  );
}

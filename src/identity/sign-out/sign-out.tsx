import { type FormEvent, type ReactNode, useRef } from "react";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { logoutCookie, providerCookieName, readCookie } from "#identity/session/cookies.ts";
import { useSocialSettings } from "#identity/social/screen/social-context.tsx";

/** How long a logout waits for the provider's. */
const providerTimeoutMs = 2_000;

/** Deletes the cards stored in this browser, which this module knows nothing of. */
type DeleteCards = () => Promise<void>;

/**
 * Signing out makes no API call: it sets a cookie, and the next request that carries it ends the session on the server
 * (sign-out.server.ts). So it works offline too. Without script the form asks the home page to set the cookie
 * (sign-out-without-script.ts).
 */
export function LogoutButton(props: { className?: string; deleteCards: DeleteCards; children: ReactNode }) {
  const home = useLocalePath()("/");
  const logOut = useLogout(props.deleteCards);

  function submit(event: FormEvent) {
    event.preventDefault();
    void logOut(() => location.assign(home));
  }

  return (
    // "?index" is how React Router addresses the index page itself and not the layout around it.
    <form method="post" action={`${home}?index`} onSubmit={submit}>
      <button type="submit" className={props.className}>
        {props.children}
      </button>
    </form>
  );
}

/** Logs out, once, and then calls `onDone`. */
export function useLogout(deleteCards: DeleteCards): (onDone: () => void) => Promise<void> {
  const logOutAtProvider = useProviderLogout();
  const started = useRef(false);
  return async (onDone) => {
    if (started.current) return;
    started.current = true;
    await logOutAtProvider();
    // biome-ignore lint/suspicious/noDocumentCookie: it must be set before the page is left; cookieStore is asynchronous, and missing over plain http.
    document.cookie = logoutCookie;
    // Also without a network: the next user of this phone must find no card on it.
    void deleteCards().finally(onDone);
  };
}

/** A session that a provider opened is ended there too. Its script is loaded only now, and its errors are ignored. */
function useProviderLogout(): () => Promise<void> {
  const settings = useSocialSettings();
  const { locale } = useTexts();
  return async () => {
    const provider = readCookie(document.cookie, providerCookieName);
    if (!provider) return;
    const done = import("./provider-sign-out.ts").then(({ signOutOfProvider }) =>
      signOutOfProvider(settings, provider, locale),
    );
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, providerTimeoutMs));
    await Promise.race([done, timeout]).catch(() => {});
  };
}

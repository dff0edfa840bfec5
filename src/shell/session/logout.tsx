import { type FormEvent, type ReactNode, useRef } from "react";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { providerCookieName, readCookie } from "#identity/session/cookies.ts";
import { useSocialSettings } from "#identity/social/social-context.tsx";
import { forgetCards } from "#offline/card-storage.ts";
import { logoutCookie } from "./logout-action.ts";

/** How long a provider may keep somebody who wants to leave. */
const providerMs = 2_000;

/**
 * Leaving makes no API call: the next page that carries this cookie ends the session on the server,
 * so it works offline too. Without script the form asks the home page to do the same.
 */
export function LogoutButton(props: { className?: string; formClassName?: string; children: ReactNode }) {
  const home = useLocalePath()("/");
  const leave = useLeave();

  function submit(event: FormEvent) {
    event.preventDefault();
    void leave(() => location.assign(home));
  }

  return (
    // The router's word for "the page at this very address, not the layout around it".
    <form method="post" action={`${home}?index`} className={props.formClassName} onSubmit={submit}>
      <button type="submit" className={props.className}>
        {props.children}
      </button>
    </form>
  );
}

/** Signs out, once, and then goes on. */
export function useLeave(): (goOn: () => void) => Promise<void> {
  const leaveProvider = useLeaveProvider();
  const leaving = useRef(false);
  return async (goOn) => {
    if (leaving.current) return;
    leaving.current = true;
    await leaveProvider();
    // biome-ignore lint/suspicious/noDocumentCookie: it must be there before the page is left; cookieStore writes later, and never over plain http.
    document.cookie = logoutCookie;
    // Also without a network: whoever takes up this phone next finds no card on it.
    void forgetCards().finally(goOn);
  };
}

/** A session that a provider opened is signed out there too. Its script comes only now, and its errors stay its own. */
function useLeaveProvider(): () => Promise<void> {
  const settings = useSocialSettings();
  const { locale } = useTexts();
  return async () => {
    const provider = readCookie(document.cookie, providerCookieName);
    if (!provider) return;
    const left = import("#identity/social/request-proof.ts").then((journey) =>
      journey.signOutOfProvider(settings, provider, locale),
    );
    const longEnough = new Promise<void>((resolve) => setTimeout(resolve, providerMs));
    await Promise.race([left, longEnough]).catch(() => {});
  };
}

import type { ReactNode } from "react";
import { useLocalePath } from "#i18n/use-texts.tsx";

/**
 * Leaving makes no API call: the next page that carries this cookie ends the session on the server,
 * so it works offline too. Without script the form asks the home page to do the same.
 */
export function LogoutButton({ className, children }: { className?: string; children: ReactNode }) {
  const home = useLocalePath()("/");
  return (
    <form
      method="post"
      action={`${home}?logout`}
      onSubmit={(event) => {
        event.preventDefault();
        // biome-ignore lint/suspicious/noDocumentCookie: Safari and Firefox have no cookieStore yet.
        document.cookie = "auth.logout=1; path=/; max-age=2592000; samesite=lax";
        location.assign(home);
      }}
    >
      <button type="submit" className={className}>
        {children}
      </button>
    </form>
  );
}

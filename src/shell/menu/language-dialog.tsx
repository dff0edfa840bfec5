import { type FormEvent, useEffect, useId, useState } from "react";
import { useLocation } from "react-router";
import {
  barePath,
  type Locale,
  localeCookie,
  localeCookieDays,
  localeName,
  localePath,
  offeredLocales,
} from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { Dialog, useDialog } from "#ui/dialog.tsx";
import { Flag } from "#ui/flag.tsx";

/** Opens as it is mounted. */
export function LanguageDialog({ onClose }: { onClose: () => void }) {
  const { t, locale } = useTexts();
  const { pathname, search } = useLocation();
  const dialog = useDialog();
  const [selected, select] = useState<Locale>(locale);
  const group = useId();
  useEffect(() => {
    if (!dialog.ref.current?.open) dialog.ref.current?.showModal();
  }, [dialog.ref]);

  function confirm(event: FormEvent) {
    event.preventDefault();
    dialog.close();
    if (selected === locale) return;
    // "/" redirects by the cookie, so it is set before the page is requested.
    const secure = location.protocol === "https:" ? "; secure" : "";
    // biome-ignore lint/suspicious/noDocumentCookie: it must be set before the page is left; cookieStore is asynchronous, and missing over plain http.
    document.cookie = `${localeCookie}=${selected}; path=/; max-age=${localeCookieDays * 86_400}; samesite=lax${secure}`;
    // Another language is another document: its lang attribute and all its texts.
    location.assign(localePath(selected, barePath(pathname) + search));
  }

  return (
    <Dialog dialog={dialog} title={t("selectLanguage")} onClose={onClose}>
      <form onSubmit={confirm}>
        <fieldset className="mt-6 border-line border-t">
          <legend className="sr-only">{t("selectLanguage")}</legend>
          {offeredLocales().map((code) => (
            <label key={code} className="flex min-h-14 cursor-pointer items-center gap-4 border-line border-b py-2">
              <input
                type="radio"
                name={group}
                value={code}
                checked={selected === code}
                onChange={() => select(code)}
                className="size-5 accent-ink"
              />
              <Flag code={code} />
              <span lang={code}>{localeName(code)}</span>
              <span className="ml-auto text-soft">{code.toUpperCase()}</span>
            </label>
          ))}
        </fieldset>
        <div className="mt-8 flex flex-wrap justify-end gap-3">
          <button type="button" className="button" onClick={dialog.close}>
            {t("shell.cancel")}
          </button>
          <button type="submit" className="button solid">
            {t("shell.confirm")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

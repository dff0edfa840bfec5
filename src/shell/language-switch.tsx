import { type FormEvent, useId, useState } from "react";
import { useLocation } from "react-router";
import { barePath, type Locale, localeCookie, localeCookieDays, localePath, locales } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { Dialog, useDialog } from "#ui/dialog.tsx";
import { Flag } from "#ui/flag.tsx";

/** The name of each language in that language; without one, its code is shown. */
const names: Partial<Record<string, string>> = { fr: "Français", en: "English", de: "Deutsch" };

export function localeName(code: string): string {
  return names[code] ?? code.toUpperCase();
}

/** The current flag and code; a click opens the dialog, where choosing another language loads the page in it. */
export function LanguageSwitch() {
  const { t, locale } = useTexts();
  const { pathname, search } = useLocation();
  const dialog = useDialog();
  const [selected, select] = useState<Locale>(locale);
  const group = useId();

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
    <>
      <button
        type="button"
        className="flex min-h-11 items-center gap-2 px-2"
        aria-haspopup="dialog"
        onClick={() => {
          select(locale);
          dialog.open();
        }}
      >
        <Flag code={locale} />
        <span aria-hidden="true">{locale.toUpperCase()}</span>
        <span className="sr-only">
          {t("shell.language", { name: `${localeName(locale)} (${locale.toUpperCase()})` })}
        </span>
      </button>
      <Dialog dialog={dialog} title={t("selectLanguage")}>
        <form onSubmit={confirm}>
          <fieldset className="mt-6 border-line border-t">
            <legend className="sr-only">{t("selectLanguage")}</legend>
            {locales.map((code) => (
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
            <button type="button" className="button button-outline" onClick={dialog.close}>
              {t("shell.cancel")}
            </button>
            <button type="submit" className="button button-solid">
              {t("shell.confirm")}
            </button>
          </div>
        </form>
      </Dialog>
    </>
  );
}

import { type ReactNode, useEffect } from "react";
import { barePath } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { LanguageLinks } from "#ui/language-links.tsx";

/** The pages before the menu: signing in, an invitation. */
export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTexts();
  useEffect(() => {
    const office = t("office.title");
    document.title = title === office ? `${office} · ${t("brand")}` : `${title} · ${office}`;
  }, [title, t]);
  return (
    <main className="office-entrance">
      <p className="brand">{t("wordmark")}</p>
      <h1>{title}</h1>
      {children}
      <LanguageLinks label={t("office.language")} path={barePath(location.pathname) + location.search} />
    </main>
  );
}

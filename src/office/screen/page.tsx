import { type ReactNode, useEffect } from "react";
import { useTexts } from "#i18n/use-texts.tsx";

/** A page's title, in the page and of the document, with its one or two actions. */
export function PageHead({ title, note, children }: { title: string; note?: ReactNode; children?: ReactNode }) {
  const { t } = useTexts();
  useEffect(() => {
    document.title = `${title} · ${t("office.title")}`;
  }, [title, t]);
  return (
    <header className="office-head">
      <div>
        <h1>{title}</h1>
        {note && <p className="note">{note}</p>}
      </div>
      {children && <div className="actions">{children}</div>}
    </header>
  );
}

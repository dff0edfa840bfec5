import { useState } from "react";
import { localeName } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { Flag } from "#ui/flag.tsx";
import { lazyPart } from "#ui/lazy.tsx";

const LanguageDialog = lazyPart(async () => (await import("./language-dialog.tsx")).LanguageDialog);

/** The current flag and code; a click opens the dialog, where choosing another language loads the page in it. */
export function LanguageSwitch() {
  const { t, locale } = useTexts();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="flex min-h-11 items-center gap-2 px-2"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Flag code={locale} />
        <span aria-hidden="true">{locale.toUpperCase()}</span>
        <span className="sr-only">
          {t("shell.language", { name: `${localeName(locale)} (${locale.toUpperCase()})` })}
        </span>
      </button>
      {open && <LanguageDialog onClose={() => setOpen(false)} />}
    </>
  );
}

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { loadTexts, openTexts } from "#i18n/catalogues.ts";
import { defaultLocale, localeOfCode } from "#i18n/locale.ts";
import type { Catalogue } from "#i18n/texts.ts";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { reportErrors } from "#platform/client-errors/report-errors.ts";
import { TillApp } from "#till/screen/layout/app.tsx";
import { FormContext, staffForms } from "#ui/form/form.tsx";
import "#till/screen/layout/till.css";

/** Not among the parts of the pages' catalogue, whose list every customer loads. */
const tillTexts = import.meta.glob<Catalogue>("/messages/*.json", { query: "?till", import: "default" });

async function show() {
  const locale = localeOfCode(document.documentElement.lang) ?? defaultLocale();
  // The account's part has the names of the months.
  const [texts, own] = await Promise.all([
    openTexts(locale),
    tillTexts[`/messages/${locale}.json`]?.(),
    loadTexts("account"),
  ]);
  if (own) texts.add(own);
  const root = document.getElementById("till");
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <TextsProvider texts={texts}>
        <FormContext value={staffForms}>
          <TillApp />
        </FormContext>
      </TextsProvider>
    </StrictMode>,
  );
}

/** Without a network the till opens all the same. The worker's scope is this page alone. */
if ("serviceWorker" in navigator)
  void navigator.serviceWorker.register("/till-worker.js", { scope: location.pathname }).catch(() => {});

reportErrors();
void show();

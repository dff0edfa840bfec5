import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { loadTexts, openTexts } from "#i18n/catalogues.ts";
import { defaultLocale, localeOfCode } from "#i18n/locale.ts";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { reportErrors } from "#platform/client-errors/report-errors.ts";
import { readCachedCard } from "./cached-card.ts";
import { OfflineScreen, offlineRoot } from "./offline-screen.tsx";
import { offlineTexts } from "./offline-texts.ts";

/** Renders the offline page, under whatever address it is shown. Without a router: there is nowhere to navigate to. */
async function show() {
  const texts = await openTexts(localeOfCode(document.documentElement.lang) ?? defaultLocale());
  const [cached] = await Promise.all([readCachedCard(), ...offlineTexts.map(loadTexts)]);
  const root = document.getElementById(offlineRoot);
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <TextsProvider texts={texts}>
        <OfflineScreen cached={cached} />
      </TextsProvider>
    </StrictMode>,
  );
}

reportErrors();
void show();

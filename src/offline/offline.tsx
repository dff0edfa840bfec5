import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { loadTexts, openTexts } from "#i18n/catalogues.ts";
import { defaultLocale, localeOfCode } from "#i18n/locale.ts";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { readKeptCard } from "./kept-card.ts";
import { OfflineScreen, offlineRoot } from "./offline-screen.tsx";

/** Fills the offline page, under whatever address it is shown. No router: there is nowhere to go. */
async function show() {
  const texts = await openTexts(localeOfCode(document.documentElement.lang) ?? defaultLocale);
  const [kept] = await Promise.all([readKeptCard(), loadTexts("account"), loadTexts("member")]);
  const root = document.getElementById(offlineRoot);
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <TextsProvider texts={texts}>
        <OfflineScreen kept={kept} />
      </TextsProvider>
    </StrictMode>,
  );
}

void show();

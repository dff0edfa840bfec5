import { textModule } from "#i18n/catalogues.ts";
import { offeredLocales } from "#i18n/locale.ts";
import { offlineShell } from "#offline/offline-shell.server.tsx";
import { builtAssets } from "#pages/assets.server.ts";

/** The offline page of each language, written by the build: it links the files of that very build. */
export function offlineShells(clientDir: string): Record<string, string> {
  const assetsOf = builtAssets(clientDir, "src/offline/offline.tsx");
  return Object.fromEntries(
    offeredLocales().map((locale) => [
      locale,
      offlineShell(locale, assetsOf([textModule(locale, "base"), textModule(locale, "account")])),
    ]),
  );
}

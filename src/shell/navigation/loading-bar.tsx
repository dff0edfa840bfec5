import { useTexts } from "#i18n/use-texts.tsx";
import { useStore } from "#ui/browser/store.ts";
import { loadingBarStore } from "./loading-phase.ts";

/** A thin bar across the top while a page is loading. The style sheet animates it. */
export function LoadingBar() {
  const { t } = useTexts();
  const phase = useStore(loadingBarStore, (state) => state);
  if (phase === "hidden") return null;
  return (
    <div
      className="loading-bar"
      data-phase={phase}
      role="progressbar"
      aria-label={t("form.working")}
      aria-valuenow={phase === "running" ? undefined : 100}
    />
  );
}

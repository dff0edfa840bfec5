import { useTexts } from "#i18n/use-texts.tsx";
import { useStore } from "#ui/store.ts";
import { barStore } from "./loading-phase.ts";

/** A hairline across the top while a page is on its way. The style sheet moves it. */
export function LoadingBar() {
  const { t } = useTexts();
  const phase = useStore(barStore, (state) => state);
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

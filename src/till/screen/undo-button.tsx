import { type ReactNode, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { undoMs } from "#shop/sales/undo.ts";
import { countdown, useNow } from "#till/screen/browser/use-now.ts";

/** Undoes what was just recorded, while its time lasts; then `after` takes its place. */
export function UndoButton({ onUndo, after }: { onUndo: () => void; after?: ReactNode }) {
  const { t } = useTexts();
  const [until] = useState(() => Date.now() + undoMs);
  const now = useNow();
  if (now >= until) return after;
  return (
    <button type="button" className="button" onClick={onUndo}>
      {t("till.undo", { time: countdown(until - now) })}
    </button>
  );
}

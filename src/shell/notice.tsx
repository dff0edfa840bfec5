import { useTexts } from "#i18n/use-texts.tsx";
import { messageStore } from "#identity/session/ui-store.ts";
import { useStore } from "#ui/store.ts";

/** The frame's one message, as a thin strip. The region is always there: a screen reader hears only what changes in it. */
export function Notice() {
  const { t } = useTexts();
  const message = useStore(messageStore, (state) => state);
  return (
    <div role="status" className="notice">
      {message && t(message)}
    </div>
  );
}

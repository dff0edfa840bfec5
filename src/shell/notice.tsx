import { useTexts } from "#i18n/use-texts.tsx";
import { messageStore } from "#identity/session/browser/ui-store.ts";
import { useStore } from "#ui/browser/store.ts";

/** The frame's one message. The live region is always rendered: a screen reader announces only changes in it. */
export function Notice() {
  const { t } = useTexts();
  const message = useStore(messageStore, (state) => state);
  return (
    <div role="status" className="notice">
      {message && t(message)}
    </div>
  );
}

import { useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { Panel } from "./panel.tsx";

/** A key, a PIN or a secret, which no one can read again: it stays until its own button closes it. */
export function ShownOnce({
  title,
  note,
  secret,
  onClose,
}: {
  title: string;
  note: string;
  secret: string;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const [message, setMessage] = useState<"once" | "copied" | "byHand">("once");
  const shown = useRef<HTMLParagraphElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setMessage("copied");
    } catch {
      // There is no clipboard over plain http, and a browser may refuse it: anyone who reads it copies it by hand.
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
      setMessage("byHand");
    }
  };
  return (
    <Panel title={title} note={note}>
      <div className="office-form">
        <p ref={shown} className="office-secret">
          {secret}
        </p>
        <p role="status" className="note">
          {t(`office.secret.${message}`)}
        </p>
        <div className="buttons">
          <button type="button" className="button" onClick={copy}>
            {t("office.secret.copy")}
          </button>
          <button type="button" className="button solid" onClick={onClose}>
            {t("office.secret.done")}
          </button>
        </div>
      </div>
    </Panel>
  );
}

import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { Panel } from "./panel.tsx";

/** A key, a PIN or a secret, which nobody can read again: it stays until its own button closes it. */
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
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  return (
    <Panel title={title} note={note}>
      <div className="office-form">
        <p className="office-secret">{secret}</p>
        <p role="status" className="note">
          {t(copied ? "office.secret.copied" : "office.secret.once")}
        </p>
        <div className="buttons">
          <button type="button" className="office-button" onClick={copy}>
            {t("office.secret.copy")}
          </button>
          <button type="button" className="office-button solid" onClick={onClose}>
            {t("office.secret.done")}
          </button>
        </div>
      </div>
    </Panel>
  );
}

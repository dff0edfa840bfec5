import { type ReactNode, useMemo } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Failure } from "#office/screen/failure.ts";
import { FormError } from "./controls.tsx";
import { Panel } from "./panel.tsx";

/** Asks once before what cannot be taken back. The button says what happens. */
export function Confirm({
  title,
  text,
  children,
  action,
  busy,
  failure,
  onConfirm,
  onClose,
}: {
  title: string;
  text: string;
  /** What is read before it is confirmed, below the text. */
  children?: ReactNode;
  action: string;
  busy: boolean;
  failure: Failure | undefined;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { t } = useTexts();
  // There is no field to stand beside, so what was refused of one is the message.
  const refused = useMemo(
    () => failure && { ...failure, detail: Object.values(failure.fields)[0] ?? failure.detail },
    [failure],
  );
  return (
    <Panel title={title} onClose={onClose}>
      <div className="office-form">
        <p>{text}</p>
        {children}
        <FormError failure={refused} />
        <div className="buttons">
          <button type="button" className="button" onClick={onClose}>
            {t("office.cancel")}
          </button>
          <button type="button" className="button solid" disabled={busy} onClick={onConfirm}>
            {action}
          </button>
        </div>
      </div>
    </Panel>
  );
}

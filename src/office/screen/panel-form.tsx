import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { FormError } from "./controls.tsx";
import type { Failure } from "./failure.ts";

/**
 * The form of a panel: its fields, what was refused, and the button that says what happens. The first field that is wrong
 * takes the focus.
 */
export function PanelForm({
  action,
  busy,
  failure,
  onSubmit,
  onClose,
  children,
}: {
  action: string;
  busy: boolean;
  failure: Failure | undefined;
  onSubmit: (form: FormData) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTexts();
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failure]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form ref={ref} className="office-form" onSubmit={submit} noValidate>
      {/* What is said beside its field is not said twice. */}
      {failure?.detail && <FormError failure={failure} />}
      {children}
      <div className="buttons">
        <button type="button" className="office-button" onClick={onClose}>
          {t("office.cancel")}
        </button>
        <button type="submit" className="office-button solid" disabled={busy}>
          {action}
        </button>
      </div>
    </form>
  );
}

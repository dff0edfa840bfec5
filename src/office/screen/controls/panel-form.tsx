import type { ReactNode } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { bySubmit, Form, type FormFailure, Submit } from "#ui/form/form.tsx";

/** The form of a panel: its fields, and the button that says what happens. */
export function PanelForm({
  action,
  busy,
  disabled,
  failure,
  onSubmit,
  onClose,
  children,
}: {
  action: string;
  busy: boolean;
  disabled?: boolean;
  failure: FormFailure | undefined;
  onSubmit: (form: FormData) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTexts();
  return (
    <Form className="office-form" failure={failure} busy={busy} onSubmit={bySubmit(onSubmit)}>
      {children}
      <div className="buttons">
        <button type="button" className="button" onClick={onClose}>
          {t("office.cancel")}
        </button>
        <Submit className="button solid" {...(disabled && { disabled })}>
          {action}
        </Submit>
      </div>
    </Form>
  );
}

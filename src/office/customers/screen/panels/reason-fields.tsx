import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { type Reason, reasons } from "#office/customers/choices.ts";
import { Select, TextArea } from "#ui/form/select.tsx";

/** Why, in one of a few words, and a note for the team. */
export function ReasonFields({ first }: { first: Reason }) {
  const { t } = useTexts();
  const [reason, setReason] = useState<string>(first);
  return (
    <>
      <Select
        name="Reason"
        label={t("office.reason.label")}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        options={reasons.map((name) => [name, t(`office.reason.${name}`)])}
      />
      <TextArea name="Note" label={t("office.note")} maxLength={500} />
    </>
  );
}

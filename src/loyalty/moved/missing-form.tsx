import { useTexts } from "#i18n/use-texts.tsx";
import { type Moved, maxMissingText } from "#loyalty/calls.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Field } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { PageForm } from "#ui/form/page-form.tsx";

const intent = "missing";

/** "Something is missing": opens a case in the back office, which sees what the old club had beside what is here. */
export function MissingForm({ moved, refused }: { moved: Moved; refused: Refused | undefined }) {
  const { t } = useTexts();
  if (moved.CaseOpen) return <p role="status">{t("member.movedCase")}</p>;
  return (
    <details open={refused?.intent === intent || undefined} className="max-w-[26rem] grow">
      <summary className="inline-flex min-h-11 list-none items-center">
        <span className="underlined">{t("member.movedMissing")}</span>
      </summary>
      <PageForm intent={intent} refused={refused} className="mt-2 space-y-5">
        <Field name="Text" label={t("member.movedWhat")} maxLength={maxMissingText} autoComplete="off" />
        <Submit className="button">{t("member.movedSend")}</Submit>
      </PageForm>
    </details>
  );
}

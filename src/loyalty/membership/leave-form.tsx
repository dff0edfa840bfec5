import { useTexts } from "#i18n/use-texts.tsx";
import type { Refused } from "#platform/api/form.ts";
import { Submit } from "#ui/form.tsx";
import { IdempotentForm } from "#ui/idempotent-form.tsx";

/** A link at the very end. It explains what leaving means before it shows the button. */
export function LeaveForm({ idempotencyKey, refused }: { idempotencyKey: string; refused: Refused | undefined }) {
  const { t } = useTexts();
  return (
    <section aria-label={t("member.leave")} className="print:hidden">
      <details open={refused?.intent === "leave" || undefined}>
        <summary className="inline-flex min-h-11 list-none items-center text-soft">
          <span className="underlined">{t("member.leaveOpen")}</span>
        </summary>
        <p className="mt-2 max-w-[38rem]">{t("member.leaveText")}</p>
        <IdempotentForm intent="leave" idempotencyKey={idempotencyKey} refused={refused} className="mt-4">
          <Submit className="button button-outline">{t("member.leaveConfirm")}</Submit>
        </IdempotentForm>
      </details>
    </section>
  );
}

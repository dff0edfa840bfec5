import { useTexts } from "#i18n/use-texts.tsx";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Submit } from "#ui/form/form.tsx";
import { PageForm } from "#ui/form/page-form.tsx";
import { useKeptPoints } from "./kept-points.ts";

/** A link at the very end. It explains what leaving means before it shows the button. */
export function LeaveForm(props: { customer: LoyaltyCustomer; idempotencyKey: string; refused: Refused | undefined }) {
  const { idempotencyKey, refused } = props;
  const { t } = useTexts();
  const keptPoints = useKeptPoints(props.customer);
  return (
    <section aria-label={t("member.leave")} className="print:hidden">
      <details open={refused?.intent === "leave" || undefined}>
        <summary className="inline-flex min-h-11 list-none items-center text-soft">
          <span className="underlined">{t("member.leaveOpen")}</span>
        </summary>
        <p className="mt-2 max-w-[38rem]">
          {t("member.leaveText")} {keptPoints}
        </p>
        <PageForm intent="leave" idempotencyKey={idempotencyKey} refused={refused} className="mt-4">
          <Submit className="button">{t("member.leaveConfirm")}</Submit>
        </PageForm>
      </details>
    </section>
  );
}

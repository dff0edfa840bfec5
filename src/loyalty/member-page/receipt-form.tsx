import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { tabParameter } from "#loyalty/member-tabs.ts";
import { pageLink } from "#loyalty/page-link.ts";
import { receiptFragment } from "#loyalty/paths.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Field } from "#ui/form/field.tsx";
import { Submit } from "#ui/form/form.tsx";
import { PageForm } from "#ui/form/page-form.tsx";
import { Section } from "#ui/section.tsx";
import { StatusMessage } from "#ui/status-message.tsx";

const intent = "receipt";

/** What a receipt brought; its points may need a review, or arrive later. */
export interface Claimed {
  points: number;
  arrivesAt: string | null;
  waiting: boolean;
}

/** Adds a receipt that named no customer, by the code printed on it; the receipt's QR code brings it along. */
export function ReceiptForm(props: { code: string; claimed: Claimed | undefined; refused: Refused | undefined }) {
  const { code, claimed, refused } = props;
  const { t, number, day } = useTexts();
  const [search] = useSearchParams();
  // After a sign-in the address has lost its fragment.
  useEffect(() => {
    if (code) document.getElementById(receiptFragment)?.scrollIntoView();
  }, [code]);
  const describeClaimed = ({ points, arrivesAt, waiting }: Claimed) => {
    if (waiting) return t("member.receiptWaits");
    const values = { count: points, formatted: number(points) };
    return arrivesAt
      ? t("member.receiptPending", { ...values, date: day(arrivesAt) })
      : t("member.receiptAdded", values);
  };
  const unknown = refused?.intent === intent && refused.problem?.status === 404;
  return (
    <Section id={receiptFragment} title={t("member.receipt")} text={t("member.receiptText")}>
      <StatusMessage message={claimed && describeClaimed(claimed)} moment={undefined} />
      <PageForm
        intent={intent}
        action={pageLink(search, { [tabParameter]: "history" }, receiptFragment)}
        refused={refused}
        quiet={unknown}
        className="max-w-[26rem] space-y-5"
      >
        <Field
          name="ClaimCode"
          label={t("member.receiptCode")}
          initial={code}
          autoComplete="off"
          maxLength={32}
          error={unknown ? t("member.receiptUnknown") : undefined}
        />
        <Submit className="button">{t("member.receiptSubmit")}</Submit>
      </PageForm>
    </Section>
  );
}

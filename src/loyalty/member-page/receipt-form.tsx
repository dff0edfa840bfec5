import { useTexts } from "#i18n/use-texts.tsx";
import type { Refused } from "#platform/api/form.ts";
import { Field } from "#ui/field.tsx";
import { Form, Submit } from "#ui/form.tsx";
import { Section } from "#ui/section.tsx";

const intent = "receipt";

/** Adds a receipt that named nobody, by the code printed on it; the receipt's QR code brings it along. */
export function ReceiptForm({ code, refused }: { code: string; refused: Refused | undefined }) {
  const { t } = useTexts();
  const unknown = refused?.intent === intent && refused.problem?.status === 404;
  return (
    <Section id="receipt" title={t("member.receipt")} text={t("member.receiptText")}>
      <Form intent={intent} refused={refused} quiet={unknown} className="max-w-[26rem] space-y-5">
        <Field
          name="ClaimCode"
          label={t("member.receiptCode")}
          initial={code}
          autoComplete="off"
          maxLength={32}
          error={unknown ? t("member.receiptUnknown") : undefined}
        />
        <Submit className="button button-outline">{t("member.receiptSubmit")}</Submit>
      </Form>
    </Section>
  );
}

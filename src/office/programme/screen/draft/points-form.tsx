import { moneyDecimals } from "#i18n/club-day.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { numberRules } from "#loyalty/programme/versions/differences.ts";
import { ruleNames } from "#office/programme/screen/use-words.ts";
import { Field } from "#ui/form/field.tsx";
import type { Editing } from "./editing.ts";
import { NumberField } from "./number-field.tsx";
import { TextsFields } from "./texts-fields.tsx";

const referralFields = [
  ["points", "office.programme.referralPoints"],
  ["days", "office.programme.referralDays"],
  ["perYear", "office.programme.referralPerYear"],
] as const;

/** Gift, rate, when points arrive, how long points and statuses last, which sales are reviewed, what staff may adjust alone, what a recommendation brings, and whom customers ask. */
export function PointsForm({ rules, change, errorOf }: Editing) {
  const { t } = useTexts();
  return (
    <div className="programme-form">
      <section className="programme-part">
        <div className="programme-row">
          {numberRules.map((rule) => (
            <NumberField
              key={rule}
              label={t(`office.programme.field.${ruleNames[rule]}`)}
              value={rules[rule]}
              decimals={rule === "reviewAmountCents" || rule === "adjustCustomerCents" ? moneyDecimals() : 0}
              error={errorOf(rule)}
              onChange={(value) => change({ [rule]: value })}
            />
          ))}
        </div>
      </section>
      <section className="programme-part">
        <h2>{t("office.programme.referral")}</h2>
        <p>{t("office.programme.referralText")}</p>
        <div className="programme-row">
          {referralFields.map(([part, label]) => (
            <NumberField
              key={part}
              label={t(label)}
              value={rules.referral[part]}
              error={errorOf(`referral.${part}`)}
              onChange={(value) => change({ referral: { ...rules.referral, [part]: value } })}
            />
          ))}
        </div>
      </section>
      <section className="programme-part">
        <h2>{t("office.programme.contact")}</h2>
        <div className="programme-row">
          <Field
            name="contactEmail"
            label={t("office.programme.contactEmail")}
            type="email"
            maxLength={200}
            value={rules.contactEmail ?? ""}
            error={errorOf("contactEmail")}
            onChange={({ target }) => change({ contactEmail: target.value || null })}
          />
          <Field
            name="contactPhone"
            label={t("office.programme.contactPhone")}
            maxLength={40}
            value={rules.contactPhone ?? ""}
            error={errorOf("contactPhone")}
            onChange={({ target }) => change({ contactPhone: target.value || null })}
          />
        </div>
        <TextsFields
          label={t("office.programme.contactHours")}
          texts={rules.contactHours ?? { fr: "", en: "", de: "" }}
          maxLength={200}
          errorOf={() => undefined}
          onChange={(contactHours) => change({ contactHours })}
        />
      </section>
    </div>
  );
}

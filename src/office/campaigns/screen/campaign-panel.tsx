import { useState } from "react";
import { type Locale, offeredLocales } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { LineRule } from "#loyalty/programme/line-rule.ts";
import * as calls from "#office/campaigns/calls.ts";
import { LineRuleFields } from "#office/programme/screen/draft/line-rule-fields.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { Field } from "#ui/form/field.tsx";
import { Select } from "#ui/form/select.tsx";
import { DaysAndHours } from "./days-and-hours.tsx";
import { PriceCheck, usePriceCheck } from "./price-check.tsx";

type Page = ResponseBody<typeof calls.listCampaigns>;
/** What a campaign gives: the field, and its label. */
const kinds = {
  Multiplier: "office.campaigns.multiplier",
  ExtraPoints: "office.campaigns.extraPoints",
  VoucherAmount: "office.campaigns.voucherAmount",
} as const;
type Kind = keyof typeof kinds;
/** What an empty least amount means. */
const minimumHints = {
  Multiplier: "office.campaigns.minimumHint",
  ExtraPoints: "office.campaigns.minimumExtraHint",
  VoucherAmount: "office.campaigns.voucherMinimumHint",
} as const;
const suffix = { fr: "Fr", en: "En", de: "De" } as const;

/** A new campaign. Once launched it is never changed. */
export function CampaignPanel({ page, onDone, onClose }: { page: Page; onDone: () => void; onClose: () => void }) {
  const { t } = useTexts();
  const { act, busy, failure: notAdded } = useAct(calls.addCampaign);
  const [kind, setKind] = useState<Kind>("Multiplier");
  const isVoucher = kind === "VoucherAmount";
  const [unit, setUnit] = useState("Points");
  const [rule, setRule] = useState<LineRule | null>(null);
  const [percent, setPercent] = useState("10");
  const fieldsOf = (form: FormData) => {
    // What was left empty is not sent: it means everybody.
    for (const [name, value] of [...form]) if (value === "") form.delete(name);
    const weekdays = form.getAll("Weekdays");
    for (const name of ["Kind", "Unit", t("office.lines.only"), t("office.lines.never")]) form.delete(name);
    if (weekdays.length > 0) form.set("Weekdays", weekdays.join());
    if (rule) form.set("LineRule", JSON.stringify(rule));
    return form;
  };
  const check = usePriceCheck(fieldsOf);
  const refused = check.failure ?? notAdded;
  // That nothing is given is said at the first of the three fields: the form shows one of them.
  const missing = refused?.fields["Multiplier"];
  const failure = refused && { ...refused, fields: { ...refused.fields, ...(missing && { [kind]: missing }) } };
  const launch = async (form: FormData) => {
    check.forget();
    if (await act(fieldsOf(form))) onDone();
  };
  return (
    <Panel title={t("office.campaigns.add")} note={t("office.campaigns.panelText")} onClose={onClose}>
      <PanelForm
        action={t("office.campaigns.launch")}
        busy={busy}
        failure={failure}
        onSubmit={launch}
        onClose={onClose}
      >
        {offeredLocales().map((locale) => (
          <LanguageFields key={locale} locale={locale} />
        ))}
        <Select
          name="Kind"
          label={t("office.campaigns.kind")}
          value={kind}
          onChange={(event) => setKind(event.target.value as Kind)}
          options={[
            ["Multiplier", t("office.campaigns.kindTimes")],
            ["ExtraPoints", t("office.campaigns.kindExtra")],
            ["VoucherAmount", t("office.campaigns.kindVoucher")],
          ]}
        />
        <Field key={kind} name={kind} inputMode="decimal" label={t(kinds[kind])} />
        {isVoucher && (
          <Field
            name="VoucherDays"
            inputMode="numeric"
            initial="60"
            label={t("office.campaigns.voucherDays")}
            hint={t("office.campaigns.voucherHint")}
          />
        )}
        <Field
          name="MinimumAmount"
          inputMode="decimal"
          label={t("office.campaigns.minimumField")}
          hint={t(minimumHints[kind])}
        />
        <LineRuleFields
          label={t(isVoucher ? "office.campaigns.voucherLinesField" : "office.campaigns.linesField")}
          rule={rule}
          lineCodes={page.LineCodes}
          errorOf={(part) => failure?.fields[`LineRule.${part}`]}
          onChange={setRule}
        />
        {isVoucher ? (
          <Field
            name="LimitAmount"
            inputMode="decimal"
            label={t("office.campaigns.voucherLimitMoney")}
            hint={t("office.campaigns.voucherLimitHint")}
          />
        ) : (
          <>
            <Select
              name="Unit"
              label={t("office.campaigns.unit")}
              value={unit}
              onChange={(event) => setUnit(event.target.value)}
              options={[
                ["Points", t("office.campaigns.unitPoints")],
                ["Amount", t("office.campaigns.unitMoney")],
              ]}
            />
            <Field
              key={`Limit${unit}`}
              name={`Limit${unit}`}
              inputMode="decimal"
              label={t("office.campaigns.limitField")}
              hint={t("office.campaigns.limitHint")}
            />
            <Field
              key={`MemberLimit${unit}`}
              name={`MemberLimit${unit}`}
              inputMode="decimal"
              label={t("office.campaigns.memberLimitField")}
            />
          </>
        )}
        <Field name="From" type="date" label={t("office.campaigns.from")} initial={page.Today} min={page.Today} />
        <Field name="To" type="date" label={t("office.campaigns.to")} min={page.Today} />
        {!isVoucher && <DaysAndHours />}
        <Select
          name="IdSegment"
          label={t("office.campaigns.segmentField")}
          hint={t(isVoucher ? "office.campaigns.voucherSegmentHint" : "office.campaigns.segmentHint")}
          options={[
            ["", t("office.campaigns.anySegment")],
            ...page.Segments.map(({ IdSegment, Name }) => [String(IdSegment), Name] as const),
          ]}
        />
        <Field
          name="BirthdayDays"
          inputMode="numeric"
          label={t("office.campaigns.birthdayField")}
          hint={t("office.campaigns.birthdayHint")}
        />
        <Select
          name="IdLoyaltyTier"
          label={t("office.campaigns.tierField")}
          options={[
            ["", t("office.campaigns.anyTier")],
            ...page.Tiers.map(({ IdLoyaltyTier, Name }) => [String(IdLoyaltyTier), Name] as const),
          ]}
        />
        {!isVoucher && (
          <Select
            name="IdShop"
            label={t("office.figures.shop")}
            options={[
              ["", t("office.figures.everywhere")],
              ...page.Shops.map(({ IdShop, Name }) => [String(IdShop), Name] as const),
            ]}
          />
        )}
        <Field
          name="IdleMonths"
          inputMode="numeric"
          label={t("office.campaigns.idleField")}
          hint={t("office.campaigns.idleHint")}
        />
        <fieldset className="programme-lines">
          <legend>{t("office.campaigns.judge")}</legend>
          <p className="note">{t("office.campaigns.judgeNote")}</p>
          <Field
            name="ControlPercent"
            inputMode="numeric"
            label={t("office.campaigns.control")}
            hint={t("office.campaigns.controlHint")}
            value={percent}
            onChange={({ target }) => setPercent(target.value)}
          />
          {Number(percent) === 0 && (
            <Field name="ControlNote" label={t("office.campaigns.controlNote")} maxLength={200} />
          )}
          <Select
            name="Metric"
            label={t("office.campaigns.metric")}
            options={(["revenue", "purchases", "returning"] as const).map((one) => [
              one,
              t(`office.result.metric.${one}`),
            ])}
          />
          <Field
            name="MeasuredDays"
            inputMode="numeric"
            initial="14"
            label={t("office.campaigns.measuredDays")}
            hint={t("office.campaigns.measuredHint")}
          />
        </fieldset>
        <PriceCheck check={check} />
      </PanelForm>
    </Panel>
  );
}

function LanguageFields({ locale }: { locale: Locale }) {
  const { t } = useTexts();
  const language = t(`office.lang.${locale}`);
  const [name, text] = [`Name${suffix[locale]}`, `Text${suffix[locale]}`];
  return (
    <>
      <Field name={name} label={t("office.campaigns.nameIn", { language })} lang={locale} maxLength={60} />
      <Field name={text} label={t("office.campaigns.textIn", { language })} lang={locale} maxLength={160} />
    </>
  );
}

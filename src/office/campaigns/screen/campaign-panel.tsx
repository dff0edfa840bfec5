import { useState } from "react";
import { locales } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/campaigns/calls.ts";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { Field } from "#ui/form/field.tsx";
import { Select } from "#ui/form/select.tsx";

type Page = ResponseBody<typeof calls.listCampaigns>;
const suffix = { fr: "Fr", en: "En", de: "De" } as const;

/** A new campaign. Once launched it is never changed. */
export function CampaignPanel({ page, onDone, onClose }: { page: Page; onDone: () => void; onClose: () => void }) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.addCampaign);
  const [kind, setKind] = useState("Multiplier");
  const launch = async (form: FormData) => {
    // What was left empty is not sent: it means everybody.
    for (const [name, value] of [...form]) if (value === "") form.delete(name);
    form.delete("Kind");
    if (await act(form)) onDone();
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
        {locales.map((locale) => (
          <LanguageFields key={locale} locale={locale} />
        ))}
        <Select
          name="Kind"
          label={t("office.campaigns.kind")}
          value={kind}
          onChange={(event) => setKind(event.target.value)}
          options={[
            ["Multiplier", t("office.campaigns.kindTimes")],
            ["ExtraPoints", t("office.campaigns.kindExtra")],
          ]}
        />
        <Field
          key={kind}
          name={kind}
          inputMode="decimal"
          label={t(kind === "Multiplier" ? "office.campaigns.multiplier" : "office.campaigns.extraPoints")}
        />
        <Field
          name="MinimumAmount"
          inputMode="decimal"
          label={t("office.campaigns.minimumField")}
          hint={t("office.campaigns.minimumHint")}
        />
        <Field name="From" type="date" label={t("office.campaigns.from")} initial={page.Today} min={page.Today} />
        <Field name="To" type="date" label={t("office.campaigns.to")} min={page.Today} />
        <Select
          name="IdLoyaltyTier"
          label={t("office.campaigns.tierField")}
          options={[
            ["", t("office.campaigns.anyTier")],
            ...page.Tiers.map(({ IdLoyaltyTier, Name }) => [String(IdLoyaltyTier), Name] as const),
          ]}
        />
        <Select
          name="IdShop"
          label={t("office.figures.shop")}
          options={[
            ["", t("office.figures.everywhere")],
            ...page.Shops.map(({ IdShop, Name }) => [String(IdShop), Name] as const),
          ]}
        />
        <Field
          name="IdleMonths"
          inputMode="numeric"
          label={t("office.campaigns.idleField")}
          hint={t("office.campaigns.idleHint")}
        />
      </PanelForm>
    </Panel>
  );
}

function LanguageFields({ locale }: { locale: (typeof locales)[number] }) {
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

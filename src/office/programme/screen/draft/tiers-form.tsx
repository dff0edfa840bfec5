import { offeredLocales } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { mostTiers, type Rules } from "#loyalty/programme/rules.ts";
import { type Editing, replaced, without } from "./editing.ts";
import { NumberField } from "./number-field.tsx";
import { TextsFields } from "./texts-fields.tsx";

type Tier = Rules["tiers"][number];
const empty = { fr: "", en: "", de: "" };

/** Each status: its threshold, its rate, its name and what it brings. */
export function TiersForm({ rules, change, errorOf, nextId }: Editing & { nextId: number }) {
  const { t, locale } = useTexts();
  const { tiers } = rules;
  const highest = tiers.at(-1)?.pointsRequired ?? 0;
  const add = () =>
    change({
      tiers: [
        ...tiers,
        {
          // After every id that a version, or this draft, has used.
          id: Math.max(nextId, ...tiers.map(({ id }) => id + 1)),
          pointsRequired: highest + 1_000,
          multiplierHundredths: 100,
          name: empty,
          benefits: { fr: [], en: [], de: [] },
        },
      ],
    });
  return (
    <div className="programme-form">
      {tiers.map((tier, index) => (
        <section key={tier.id} className="programme-part" aria-label={tier.name[locale]}>
          <div className="office-section">
            <h2>{tier.name[locale] || t("office.programme.newTier")}</h2>
            {tiers.length > 1 && (
              <button type="button" className="office-link" onClick={() => change({ tiers: without(tiers, index) })}>
                {t("office.programme.remove")}
              </button>
            )}
          </div>
          <TierFields
            tier={tier}
            field={`tiers.${index}`}
            errorOf={errorOf}
            onChange={(changes) => change({ tiers: replaced(tiers, index, changes) })}
          />
        </section>
      ))}
      {tiers.length < mostTiers && (
        <button type="button" className="button" onClick={add}>
          {t("office.programme.addTier")}
        </button>
      )}
    </div>
  );
}

function TierFields({
  tier,
  field,
  errorOf,
  onChange,
}: {
  tier: Tier;
  field: string;
  errorOf: Editing["errorOf"];
  onChange: (changes: Partial<Tier>) => void;
}) {
  const { t } = useTexts();
  const lines = Math.max(...offeredLocales().map((locale) => tier.benefits[locale].length));
  const line = (n: number) => ({
    fr: tier.benefits.fr[n] ?? "",
    en: tier.benefits.en[n] ?? "",
    de: tier.benefits.de[n] ?? "",
  });
  const writeLines = (all: (typeof empty)[]) =>
    onChange({
      benefits: {
        fr: all.map(({ fr }) => fr),
        en: all.map(({ en }) => en),
        de: all.map(({ de }) => de),
      },
    });
  const all = Array.from({ length: lines }, (_, n) => line(n));
  return (
    <>
      <div className="programme-row">
        <NumberField
          label={t("office.programme.threshold")}
          value={tier.pointsRequired}
          error={errorOf(`${field}.pointsRequired`)}
          onChange={(pointsRequired) => onChange({ pointsRequired })}
        />
        <NumberField
          label={t("office.programme.rate")}
          decimals={2}
          value={tier.multiplierHundredths}
          error={errorOf(`${field}.multiplierHundredths`)}
          onChange={(multiplierHundredths) => onChange({ multiplierHundredths })}
        />
      </div>
      <TextsFields
        label={t("office.programme.name")}
        texts={tier.name}
        maxLength={40}
        errorOf={(locale) => errorOf(`${field}.name.${locale}`)}
        onChange={(name) => onChange({ name })}
      />
      {all.map((texts, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a benefit is its place in the list.
        <div key={n} className="programme-line">
          <TextsFields
            label={t("office.programme.benefit", { number: n + 1 })}
            texts={texts}
            maxLength={120}
            errorOf={(locale) => errorOf(`${field}.benefits.${locale}.${n}`)}
            onChange={(changed) => writeLines(replaced(all, n, changed))}
          />
          <button
            type="button"
            className="office-link"
            aria-label={t("office.programme.removeBenefit", { number: n + 1 })}
            onClick={() => writeLines(without(all, n))}
          >
            {t("office.programme.remove")}
          </button>
        </div>
      ))}
      <button type="button" className="office-link" onClick={() => writeLines([...all, empty])}>
        {t("office.programme.addBenefit")}
      </button>
    </>
  );
}

import { moneyDecimals } from "#i18n/club-day.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { mostRewards } from "#loyalty/programme/rules.ts";
import { type Editing, replaced, without } from "./editing.ts";
import { LineRuleFields } from "./line-rule-fields.tsx";
import { NumberField } from "./number-field.tsx";
import { TextsFields } from "./texts-fields.tsx";

const empty = { fr: "", en: "", de: "" };

/** What points can be turned into. */
export function RewardsForm({ rules, change, errorOf, nextId }: Editing & { nextId: number }) {
  const { t, locale } = useTexts();
  const { rewards } = rules;
  const add = () =>
    change({
      rewards: [
        ...rewards,
        {
          id: Math.max(nextId, ...rewards.map(({ id }) => id + 1)),
          ...{
            points: 0,
            amountCents: 0,
            validDays: 90,
            minimumBasketCents: null,
            usableOn: null,
            name: empty,
            description: empty,
          },
        },
      ],
    });
  return (
    <div className="programme-form">
      {rewards.map((reward, index) => {
        const field = `rewards.${index}`;
        const edit = (changes: Partial<typeof reward>) => change({ rewards: replaced(rewards, index, changes) });
        return (
          <section key={reward.id} className="programme-part" aria-label={reward.name[locale]}>
            <div className="office-section">
              <h2>{reward.name[locale] || t("office.programme.newReward")}</h2>
              <button
                type="button"
                className="office-link"
                onClick={() => change({ rewards: without(rewards, index) })}
              >
                {t("office.programme.remove")}
              </button>
            </div>
            <div className="programme-row">
              <NumberField
                label={t("office.programme.cost")}
                value={reward.points}
                error={errorOf(`${field}.points`)}
                onChange={(points) => edit({ points })}
              />
              <NumberField
                label={t("office.programme.value")}
                decimals={moneyDecimals()}
                value={reward.amountCents}
                error={errorOf(`${field}.amountCents`)}
                onChange={(amountCents) => edit({ amountCents })}
              />
              <NumberField
                label={t("office.programme.validDays")}
                value={reward.validDays}
                error={errorOf(`${field}.validDays`)}
                onChange={(validDays) => edit({ validDays })}
              />
              <NumberField
                label={t("office.programme.basket")}
                decimals={moneyDecimals()}
                value={reward.minimumBasketCents ?? reward.amountCents}
                error={errorOf(`${field}.minimumBasketCents`)}
                onChange={(cents) => edit({ minimumBasketCents: cents === reward.amountCents ? null : cents })}
              />
            </div>
            <LineRuleFields
              label={t("office.lines.usableOn")}
              rule={reward.usableOn}
              lineCodes={rules.lineCodes}
              errorOf={(part) => errorOf(`${field}.usableOn.${part}`)}
              onChange={(usableOn) => edit({ usableOn })}
            />
            <TextsFields
              label={t("office.programme.name")}
              texts={reward.name}
              maxLength={60}
              errorOf={(language) => errorOf(`${field}.name.${language}`)}
              onChange={(name) => edit({ name })}
            />
            <TextsFields
              label={t("office.programme.description")}
              texts={reward.description}
              maxLength={200}
              errorOf={(language) => errorOf(`${field}.description.${language}`)}
              onChange={(description) => edit({ description })}
            />
          </section>
        );
      })}
      {rewards.length < mostRewards && (
        <button type="button" className="button" onClick={add}>
          {t("office.programme.addReward")}
        </button>
      )}
    </div>
  );
}

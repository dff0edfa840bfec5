import { amountOf, centsOf } from "#brand/amounts.ts";
import { moneyDecimals } from "#i18n/club-day.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { priceTypes } from "#loyalty/programme/line-rule.ts";
import { type Condition, type Fact, factNames, kindOf } from "#loyalty/segments/segment.ts";
import { Field } from "#ui/form/field.tsx";
import { Select } from "#ui/form/select.tsx";
import { type Choices, useOptions } from "./use-options.ts";

/** One condition: what is asked about, and what it is compared with. */
export function ConditionFields({
  condition,
  number,
  choices,
  onChange,
}: {
  condition: Condition;
  number: number;
  choices: Choices;
  onChange: (condition: Condition) => void;
}) {
  const { t } = useTexts();
  const optionsOf = useOptions(choices);
  const { fact, in: chosen = [], shopId, code, priceType } = condition;
  const { range, window, choice, goods } = kindOf(fact);
  const set = (changes: Partial<Condition>) => {
    const parts = Object.entries({ ...condition, ...changes }).filter(([, part]) => part !== undefined);
    onChange(Object.fromEntries(parts) as unknown as Condition);
  };
  const optional = (value: string) => (value === "" ? undefined : value);
  const any = [["", t("office.segments.anything")]] as const;
  return (
    <div className="programme-row">
      <Select
        name={`fact ${number}`}
        label={t("office.segments.fact", { number })}
        value={fact}
        options={factNames.map((name) => [name, t(`office.segments.fact.${name}`)])}
        onChange={({ target }) => onChange(emptyOf(target.value as Fact))}
      />
      {choice && (
        <Checks
          label={t(choice === "channel" ? "office.segments.allOf" : "office.segments.oneOf", {
            fact: t(`office.segments.fact.${fact}`),
          })}
          options={optionsOf(choice)}
          chosen={chosen}
          onChange={(values) => set({ in: values })}
        />
      )}
      {range &&
        (["min", "max"] as const).map((end) => (
          <RangeField
            key={end}
            label={t(range === "days" ? `office.segments.${end}Days` : `office.segments.${end}`)}
            name={`${end} ${number}`}
            money={range === "money"}
            value={condition[end]}
            onChange={(value) => set({ [end]: value })}
          />
        ))}
      {window && (
        <RangeField
          label={t(fact === "expiring" ? "office.segments.nextDays" : "office.segments.days")}
          name={`days ${number}`}
          value={condition.days}
          onChange={(days) => set({ days })}
        />
      )}
      {goods && (
        <>
          <Select
            name={`shop ${number}`}
            label={t("office.segments.shop")}
            value={shopId === undefined ? "" : String(shopId)}
            options={[...any, ...optionsOf("shop")]}
            onChange={({ target }) => set({ shopId: target.value === "" ? undefined : Number(target.value) })}
          />
          <Select
            name={`code ${number}`}
            label={t("office.segments.code")}
            value={code ?? ""}
            options={[...any, ...choices.Codes.map(({ Code, Name }) => [Code, Name] as const)]}
            onChange={({ target }) => set({ code: optional(target.value) })}
          />
          <Select
            name={`type ${number}`}
            label={t("office.segments.priceType")}
            value={priceType ?? ""}
            options={[...any, ...priceTypes.map((type) => [type, t(`office.priceType.${type}`)] as const)]}
            onChange={({ target }) => set({ priceType: priceTypes.find((type) => type === target.value) })}
          />
        </>
      )}
    </div>
  );
}

/** A condition about another fact has nothing to compare it with yet. */
const emptyOf = (fact: Fact): Condition => (kindOf(fact).choice ? { fact, in: [] } : { fact });

/** Any number of choices from a list. */
function Checks({
  label,
  options,
  chosen,
  onChange,
}: {
  label: string;
  options: readonly (readonly [value: string, label: string])[];
  chosen: readonly string[];
  onChange: (values: string[]) => void;
}) {
  return (
    <fieldset className="programme-lines segment-checks">
      <legend>{label}</legend>
      <div className="programme-buttons">
        {options.map(([value, words]) => (
          <label key={value} className="office-check">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
              }
            />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A whole number, or an amount in the main unit of the currency; empty: it does not matter. */
function RangeField({
  label,
  name,
  money = false,
  value,
  onChange,
}: {
  label: string;
  name: string;
  money?: boolean;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}) {
  const shown = value === undefined ? "" : money ? amountOf(value).replace(/\.0+$/, "") : String(value);
  const read = (text: string) =>
    money ? centsOf(moneyDecimals() > 0 ? `${text}.${"0".repeat(moneyDecimals())}` : text) : Number(text);
  return (
    <Field
      name={name}
      label={label}
      inputMode="numeric"
      autoComplete="off"
      value={shown}
      onChange={({ target }) => {
        if (/^\d{0,6}$/.test(target.value)) onChange(target.value === "" ? undefined : read(target.value));
      }}
    />
  );
}

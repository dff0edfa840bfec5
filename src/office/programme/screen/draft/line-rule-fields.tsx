import { amountOf, centsOf, isAmount } from "#brand/amounts.ts";
import { moneyDecimals } from "#i18n/club-day.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { type LineRule, priceTypes } from "#loyalty/programme/line-rule.ts";
import type { LineCode } from "#loyalty/programme/rules.ts";
import { Select } from "#ui/form/select.tsx";
import { NumberField } from "./number-field.tsx";

/** Gift cards never count: they are no choice. */
const choices = priceTypes.filter((type) => type !== "giftcard");

/** Which lines a rule is about: everything ticked and nothing chosen is every line. */
export function LineRuleFields({
  label,
  rule,
  lineCodes,
  errorOf,
  onChange,
}: {
  label: string;
  rule: LineRule | null;
  lineCodes: readonly LineCode[];
  errorOf: (part: string) => string | undefined;
  onChange: (rule: LineRule | null) => void;
}) {
  const { t } = useTexts();
  const types = rule?.priceTypes ?? choices;
  const least = rule?.minimumLineAmount;
  const set = (changes: LineRule) => {
    const parts = Object.entries({ ...rule, ...changes }).filter(([, part]) => part !== undefined);
    onChange(parts.length > 0 ? Object.fromEntries(parts) : null);
  };
  const wrong = errorOf("priceTypes");
  return (
    <fieldset className="programme-lines">
      <legend>{label}</legend>
      <div className="programme-buttons">
        {choices.map((type) => (
          <label key={type} className="office-check">
            <input
              type="checkbox"
              checked={types.includes(type)}
              onChange={({ target }) => {
                const ticked = choices.filter((one) => (one === type ? target.checked : types.includes(one)));
                set({ priceTypes: ticked.length === choices.length ? undefined : ticked });
              }}
            />
            {t(`office.priceType.${type}`)}
          </label>
        ))}
      </div>
      {wrong && <p className="message">{wrong}</p>}
      <div className="programme-row">
        {(["anyCode", "noCode"] as const).map((part) => (
          <Codes
            key={part}
            label={t(part === "anyCode" ? "office.lines.only" : "office.lines.never")}
            chosen={rule?.[part] ?? []}
            lineCodes={lineCodes}
            error={errorOf(part)}
            onChange={(codes) => set({ [part]: codes.length > 0 ? codes : undefined })}
          />
        ))}
        <NumberField
          label={t("office.lines.minimum")}
          decimals={moneyDecimals()}
          value={least !== undefined && isAmount(least) ? centsOf(least) : 0}
          error={errorOf("minimumLineAmount")}
          onChange={(cents) => set({ minimumLineAmount: cents > 0 ? amountOf(cents) : undefined })}
        />
      </div>
    </fieldset>
  );
}

/** Codes that were chosen, each with a button that removes it, and a list to add another. */
function Codes({
  label,
  chosen,
  lineCodes,
  error,
  onChange,
}: {
  label: string;
  chosen: readonly string[];
  lineCodes: readonly LineCode[];
  error: string | undefined;
  onChange: (codes: string[]) => void;
}) {
  const { t, locale } = useTexts();
  const nameOf = (code: string) => lineCodes.find((one) => one.code === code)?.name[locale] || code;
  const others = lineCodes.filter(({ code }) => code !== "" && !chosen.includes(code));
  return (
    <div>
      <Select
        name={label}
        label={label}
        error={error}
        value=""
        options={[["", t("office.lines.choose")], ...others.map(({ code }) => [code, nameOf(code)] as const)]}
        onChange={({ target }) => target.value && onChange([...chosen, target.value])}
      />
      {chosen.map((code) => (
        <button
          key={code}
          type="button"
          className="office-link"
          onClick={() => onChange(chosen.filter((one) => one !== code))}
        >
          {t("office.lines.remove", { name: nameOf(code) })}
        </button>
      ))}
    </div>
  );
}

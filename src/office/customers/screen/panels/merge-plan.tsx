import type { TextId } from "#i18n/texts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { previewMerge } from "#office/customers/calls.ts";
import { type MergeChoices, type MergeField, mergeSides } from "#office/customers/choices.ts";
import { Label } from "#office/screen/controls/controls.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import type { ResponseBody } from "#platform/api/api.ts";

export type PlannedMerge = ResponseBody<typeof previewMerge>;

/** What the survivor will have. */
export function MergePlan({ planned: { Points, Vouchers } }: { planned: PlannedMerge }) {
  const { t, number } = useTexts();
  const { signed } = useFormats();
  const rows: [string, number][] = [
    [t("office.merge.moved"), Points.Moved],
    [t("office.merge.gift"), -Points.GiftTaken],
    [t("office.merge.vouchers"), Vouchers],
    [t("office.merge.debt"), Points.Debt],
  ];
  return (
    <table className="data-table" aria-live="polite">
      <tbody>
        {rows
          .filter(([, value]) => value !== 0)
          .map(([words, value]) => (
            <tr key={words}>
              <td>{words}</td>
              <td className="number">{value < 0 ? signed(value) : number(value)}</td>
            </tr>
          ))}
      </tbody>
      <tfoot>
        <tr>
          <td>{t("office.merge.after")}</td>
          <td className="number">{number(Points.Available)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

const fieldTexts: Record<MergeField, TextId> = {
  Name: "office.merge.field.name",
  Email: "office.merge.field.email",
  MobilePhone: "office.merge.field.phone",
  Birthday: "office.merge.field.birthday",
  Consent: "office.merge.field.consent",
  Language: "office.merge.field.language",
};

/** The choices as fields of the API. */
export const fieldsOf = (choices: Partial<MergeChoices>) =>
  Object.fromEntries(Object.entries(choices).map(([field, from]) => [`${field}From`, from])) as {
    [Field in MergeField as `${Field}From`]?: MergeChoices[Field];
  };

type PlannedField = PlannedMerge["Fields"][number];

/** Of every detail in which the two accounts differ, whose value stays; without `onChoose` as it was chosen. */
export function MergeFields({
  planned,
  choices = {},
  onChoose,
}: {
  planned: PlannedMerge;
  /** What was chosen since, before the response. */
  choices?: Partial<MergeChoices>;
  onChoose?: (field: MergeField, from: MergeChoices[MergeField]) => void;
}) {
  const { t } = useTexts();
  const shown = useValue();
  const verified = { survivor: planned.Survivor.EmailVerified, other: planned.Other.EmailVerified };
  return planned.Fields.filter(({ Survivor, Other }) => Survivor !== Other).map((field) => (
    <fieldset key={field.Field} className="office-found">
      <legend>{t(fieldTexts[field.Field])}</legend>
      {mergeSides
        .filter((side) => onChoose || side === field.From)
        .map((side) => {
          const value = (
            <span className="break">
              {shown(field, side)}{" "}
              {field.Field === "Email" && (
                <Label tone={verified[side] ? "good" : "soft"}>
                  {t(verified[side] ? "office.customer.confirmed" : "office.customer.unverified")}
                </Label>
              )}
            </span>
          );
          if (!onChoose) return <p key={side}>{value}</p>;
          return (
            <label key={side}>
              <input
                type="radio"
                name={`${field.Field}From`}
                value={side}
                checked={(choices[field.Field] ?? field.From) === side}
                onChange={() => onChoose(field.Field, side)}
              />
              {value}
            </label>
          );
        })}
    </fieldset>
  ));
}

/** A value in words. */
function useValue() {
  const { t, date } = useTexts();
  return (field: PlannedField, side: MergeChoices[MergeField]): string => {
    const value = side === "other" ? field.Other : field.Survivor;
    if (!value) return t(field.Field === "Consent" ? "office.merge.noConsent" : "office.merge.noValue");
    if (field.Field === "Birthday") return date(value);
    if (field.Field === "Language") return t(`office.lang.${value as "fr" | "en" | "de"}`);
    if (field.Field !== "Consent") return value;
    return value
      .split(",")
      .map((subject) => t(`office.subject.${subject as "newsletter" | "sms"}`))
      .join(", ");
  };
}

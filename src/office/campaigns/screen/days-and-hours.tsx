import { useId } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { Field, useFieldError } from "#ui/form/field.tsx";
import { useWeekday } from "./use-campaign-words.ts";

/** The days of the week and the hours in which a campaign counts; none chosen: always. */
export function DaysAndHours() {
  const { t } = useTexts();
  const id = useId();
  const weekday = useWeekday();
  const wrong = useFieldError("Weekdays");
  return (
    <fieldset className="programme-lines">
      <legend>{t("office.campaigns.weekdays")}</legend>
      <div className="programme-buttons">
        {[1, 2, 3, 4, 5, 6, 7].map((day) => (
          <label key={day} className="office-check">
            <input
              type="checkbox"
              name="Weekdays"
              value={day}
              aria-invalid={wrong ? true : undefined}
              aria-describedby={wrong && id}
            />
            {weekday(day)}
          </label>
        ))}
      </div>
      {wrong && (
        <p id={id} className="message">
          {wrong}
        </p>
      )}
      <p className="note">{t("office.campaigns.weekdaysHint")}</p>
      <div className="programme-row">
        <Field name="FromHour" inputMode="numeric" label={t("office.campaigns.fromHour")} />
        <Field name="ToHour" inputMode="numeric" label={t("office.campaigns.toHour")} />
      </div>
    </fieldset>
  );
}

import { useTexts } from "#i18n/use-texts.tsx";
import type { Rules } from "#loyalty/programme/rules.ts";
import { type Editing, replaced } from "./editing.ts";
import { NumberField } from "./number-field.tsx";
import { TextsFields } from "./texts-fields.tsx";

/** How points are earned besides purchases. The product sees by itself that an event happened, so none can be invented. */
export function EventsForm({ rules, change, errorOf, known }: Editing & { known: Rules["events"] }) {
  const { t, locale } = useTexts();
  const { events } = rules;
  const all = [...events, ...known.filter(({ id }) => !events.some((event) => event.id === id))];
  const offer = (event: Rules["events"][number], on: boolean) =>
    change({
      events: on ? [...events, event].sort((a, b) => a.id - b.id) : events.filter(({ id }) => id !== event.id),
    });
  return (
    <div className="programme-form">
      {all
        .toSorted((a, b) => a.id - b.id)
        .map((event) => {
          const index = events.findIndex(({ id }) => id === event.id);
          const field = `events.${index}`;
          const edit = (changes: Partial<typeof event>) => change({ events: replaced(events, index, changes) });
          return (
            <section key={event.id} className="programme-part" aria-label={event.name[locale]}>
              <div className="office-section">
                <h2>{event.name[locale] || t("office.programme.part.events")}</h2>
                <label className="office-check">
                  <input type="checkbox" checked={index >= 0} onChange={({ target }) => offer(event, target.checked)} />
                  {t("office.programme.offered")}
                </label>
              </div>
              {index >= 0 && (
                <>
                  {/* Those of joining are the welcome gift, under Points. */}
                  {event.proof !== "welcome" && (
                    <div className="programme-row">
                      <NumberField
                        label={t("office.programme.eventPoints")}
                        value={event.points}
                        error={errorOf(`${field}.points`)}
                        onChange={(points) => edit({ points })}
                      />
                    </div>
                  )}
                  {(["name", "description", "hint"] as const).map((text) => (
                    <TextsFields
                      key={text}
                      label={t(`office.programme.${text}`)}
                      texts={event[text]}
                      maxLength={text === "name" ? 60 : 200}
                      errorOf={(language) => errorOf(`${field}.${text}.${language}`)}
                      onChange={(texts) => edit({ [text]: texts })}
                    />
                  ))}
                </>
              )}
            </section>
          );
        })}
    </div>
  );
}

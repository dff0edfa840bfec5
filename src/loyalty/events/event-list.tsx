import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import type { listEvents } from "#loyalty/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import type { Refused } from "#platform/api/form.ts";
import { RefusedText, Submit } from "#ui/form.tsx";
import { Icon } from "#ui/icon.tsx";
import { IdempotentForm } from "#ui/idempotent-form.tsx";
import { Section } from "#ui/section.tsx";

type ClubEvent = ResponseBody<typeof listEvents>["Events"][number];

export function EventList(props: { events: ClubEvent[]; idempotencyKey: string; refused: Refused | undefined }) {
  const { t, number, date } = useTexts();
  const path = useLocalePath();
  return (
    <Section title={t("member.events")}>
      <ul className="-mt-2">
        {props.events.map((event) => {
          const id = String(event.IdLoyaltyProgramEvent);
          const mine = props.refused?.values["IdLoyaltyProgramEvent"] === id ? props.refused : undefined;
          return (
            <li
              key={event.IdLoyaltyProgramEvent}
              className="flex items-center justify-between gap-4 border-line border-b py-4"
            >
              <div className="min-w-0">
                <h3 className="font-sans text-[1rem] leading-normal tracking-normal">{event.Name}</h3>
                <p className="text-[0.875rem] text-soft">
                  {event.State === "locked" ? event.Hint : event.State === "available" ? event.Description : null}
                  {event.State === "obtained" &&
                    event.ObtainedAt &&
                    t("member.eventDone", { date: date(event.ObtainedAt) })}
                </p>
                {mine && event.State !== "available" && <RefusedText refused={mine} />}
                {/* An address is confirmed by the link, which is sent again above; the others are completed among the details. */}
                {event.State === "locked" && event.Frequency === "once" && (
                  <Link
                    className="inline-flex min-h-11 items-center text-[0.875rem] print:hidden"
                    to={event.Proof === "email_confirmed" ? "#rewards" : path(pagePaths.informations)}
                  >
                    <span className="underlined">
                      {t(event.Proof === "email_confirmed" ? "account.resend" : "member.eventGo")}
                    </span>
                  </Link>
                )}
              </div>
              {event.State === "available" ? (
                <IdempotentForm
                  intent="event"
                  subject={event.IdLoyaltyProgramEvent}
                  idempotencyKey={props.idempotencyKey}
                  refused={mine}
                  className="shrink-0"
                >
                  <input type="hidden" name="IdLoyaltyProgramEvent" value={event.IdLoyaltyProgramEvent} />
                  <Submit className="button button-solid button-small">
                    +{number(event.Points)}
                    <span className="sr-only">
                      {t("card.points", { count: event.Points })}, {event.Name}
                    </span>
                  </Submit>
                </IdempotentForm>
              ) : (
                <span
                  className={`tabular-nums flex shrink-0 items-center gap-2 ${event.State === "locked" ? "text-soft" : "text-good"}`}
                >
                  {event.State === "obtained" && <Icon name="check" className="size-4" />}+{number(event.Points)}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

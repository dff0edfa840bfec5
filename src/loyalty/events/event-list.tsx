import { Link, useSearchParams } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import type { listEvents } from "#loyalty/calls.ts";
import { tabParameter } from "#loyalty/member-tabs.ts";
import { pageLink } from "#loyalty/page-link.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Submit } from "#ui/form/form.tsx";
import { PageForm, RefusedText } from "#ui/form/page-form.tsx";
import { Icon } from "#ui/icon.tsx";
import { Section } from "#ui/section.tsx";
import { StatusMessage } from "#ui/status-message.tsx";

/** Where a browser without script is after the form was sent. */
const sectionId = "events";

type ClubEvent = ResponseBody<typeof listEvents>["Events"][number];

export function EventList(props: {
  events: ClubEvent[];
  idempotencyKey: string;
  refused: Refused | undefined;
  /** The points of the event that was obtained just now. */
  received: number | undefined;
}) {
  const { t, number } = useTexts();
  const path = useLocalePath();
  const [search] = useSearchParams();
  const obtained = props.events.filter(({ State }) => State === "obtained");
  return (
    <Section id={sectionId} title={t("member.events")}>
      <StatusMessage
        message={
          props.received === undefined ? undefined : t("member.eventObtained", { points: number(props.received) })
        }
        moment="event"
      />
      <ul className="-mt-2 grid grid-cols-1 gap-x-10 md:grid-cols-2">
        {props.events.map((event) => {
          const id = String(event.IdLoyaltyProgramEvent);
          const mine = props.refused?.values["IdLoyaltyProgramEvent"] === id ? props.refused : undefined;
          // What is done is one sentence below, unless it was refused just now.
          if (event.State === "obtained" && !mine) return null;
          return (
            <li
              key={event.IdLoyaltyProgramEvent}
              className="flex flex-wrap content-start items-center justify-between gap-4 border-line border-b py-4"
            >
              <div className="min-w-0 grow basis-24">
                <h3 className="font-medium font-sans text-base leading-normal tracking-normal">{event.Name}</h3>
                <p className="text-sm text-soft">
                  {event.State === "locked" ? event.Hint : event.State === "available" ? event.Description : null}
                </p>
                {mine && event.State !== "available" && <RefusedText refused={mine} />}
                {/* An address is confirmed by the link, which is sent again above; the others are completed among the details. */}
                {event.State === "locked" && event.Frequency === "once" && (
                  <Link
                    className="inline-flex min-h-11 items-center text-sm print:hidden"
                    to={
                      event.Proof === "email_confirmed"
                        ? `?${tabParameter}=vouchers#rewards`
                        : path(pagePaths.informations)
                    }
                  >
                    <span className="underlined">
                      {t(event.Proof === "email_confirmed" ? "account.resend" : "member.eventGo")}
                    </span>
                  </Link>
                )}
              </div>
              {event.State === "available" ? (
                <PageForm
                  intent="event"
                  subject={event.IdLoyaltyProgramEvent}
                  idempotencyKey={props.idempotencyKey}
                  action={pageLink(search, { [tabParameter]: "benefits" }, sectionId)}
                  refused={mine}
                  className="shrink-0"
                >
                  <input type="hidden" name="IdLoyaltyProgramEvent" value={event.IdLoyaltyProgramEvent} />
                  <Submit className="button small">
                    {t("member.eventObtain", { points: number(event.Points) })}
                    <span className="sr-only">, {event.Name}</span>
                  </Submit>
                </PageForm>
              ) : (
                <span className="tabular-nums shrink-0 text-soft">+{number(event.Points)}</span>
              )}
            </li>
          );
        })}
      </ul>
      {obtained.length > 0 && (
        <p className="events-done mt-4 flex gap-3 text-sm text-soft">
          <Icon name="check" className="mt-0.5 size-4 shrink-0 text-success" />
          <span>
            {t("member.eventsDone")} {obtained.map(({ Name, Points }) => `${Name} +${number(Points)}`).join(" · ")}
          </span>
        </p>
      )}
    </Section>
  );
}

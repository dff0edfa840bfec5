import { useTexts } from "#i18n/use-texts.tsx";
import type { listSessions } from "#identity/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Submit } from "#ui/form/form.tsx";
import { Done, PageForm } from "#ui/form/page-form.tsx";

type Sessions = ResponseBody<typeof listSessions>["Sessions"];

export function DeviceList({
  sessions,
  refused,
  done,
}: {
  sessions: Sessions;
  refused: Refused | undefined;
  done: boolean;
}) {
  const { t, date, time } = useTexts();
  const moment = (at: string) => ({ date: date(at), time: time(at) });
  return (
    <>
      <ul className="border-line border-t">
        {sessions.map((session) => {
          const device = session.Device ?? t("informations.unknownDevice");
          return (
            <li
              key={session.IdSession}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b py-4"
            >
              <div className="min-w-0">
                <p>{device}</p>
                {/* The server notes a session's use once an hour. */}
                {!session.Current && (
                  <p className="text-sm text-soft">{t("informations.deviceSeen", moment(session.LastSeenAt))}</p>
                )}
                <p className="text-sm text-soft">
                  {[
                    t("informations.deviceSince", moment(session.CreatedAt)),
                    session.Network
                      ? t("informations.deviceNetwork", { network: session.Network })
                      : t("informations.deviceNetworkUnknown"),
                  ].join(" · ")}
                </p>
              </div>
              {session.Current ? (
                <p className="text-sm text-success">{t("informations.thisDevice")}</p>
              ) : (
                <PageForm intent="device" refused={refused} className="">
                  <input type="hidden" name="id" value={session.IdSession} />
                  <Submit className="button small">
                    {t("informations.endDevice")} <span className="sr-only">{device}</span>
                  </Submit>
                </PageForm>
              )}
            </li>
          );
        })}
      </ul>
      <div className="mt-4 space-y-4">
        <Done text={done && "informations.devicesDone"} />
        {sessions.length > 1 && (
          <PageForm intent="other-devices" refused={refused}>
            <Submit className="button">{t("informations.endOthers")}</Submit>
          </PageForm>
        )}
      </div>
    </>
  );
}

import { Link } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { Label, RowAction } from "#office/screen/controls/controls.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import * as calls from "#office/webhooks/calls.ts";
import { FormMessage } from "#ui/form/form.tsx";
import type { Endpoint, Open } from "./webhooks.data.ts";

const tones = { active: "good", paused: "gold", gone: "bad", removed: "soft" } as const;

/** An endpoint, with what can be done about it. */
export function EndpointRow({
  endpoint,
  onOpen,
  onDone,
}: {
  endpoint: Endpoint;
  onOpen: (open: Open) => void;
  onDone: (words: string) => void;
}) {
  const { t } = useTexts();
  const { dayOfYear } = useFormats();
  const pause = useAct(calls.pauseEndpoint);
  const resume = useAct(calls.resumeEndpoint);
  const test = useAct(calls.sendTest);
  const resend = useAct(calls.resend);
  const input = { IdEndpoint: String(endpoint.IdEndpoint) };
  const busy = [pause, resume, test, resend].some((one) => one.busy);
  const failure = [pause, resume, test, resend].find((one) => one.failure)?.failure;
  const { Url: url, State: state } = endpoint;
  const enabled = state === "active" || state === "paused";
  const run = async (act: { act: (given: typeof input) => Promise<unknown> }, words: string) => {
    if (await act.act(input)) onDone(words);
  };
  return (
    <tr className={enabled ? undefined : "past"}>
      <td className="wrap">
        {url}
        <br />
        <span className="note">{endpoint.OwnerEmail}</span>
        <FormMessage failure={failure} />
      </td>
      <td className="wrap">{endpoint.Events ? endpoint.Events.join(", ") : t("office.webhook.allEvents")}</td>
      <td>
        <Label tone={tones[state]}>{t(`office.webhook.${state}`)}</Label>
        {enabled && endpoint.PreviousSecretEndsAt && (
          <>
            <br />
            <span className="note">
              {t("office.webhook.twoSecrets", { date: dayOfYear(endpoint.PreviousSecretEndsAt) })}
            </span>
          </>
        )}
      </td>
      <td className="number">{endpoint.Waiting}</td>
      <td className="number">{endpoint.Dead}</td>
      <td className="buttons">
        <span className="row many">
          <Link className="office-link" to={`?endpoint=${endpoint.IdEndpoint}`}>
            {t("office.webhook.log")}
            <span className="sr-only">, {url}</span>
          </Link>
          {enabled && (
            <>
              <RowAction
                label={t("office.webhook.test")}
                of={url}
                disabled={busy}
                onClick={() => run(test, t("office.webhook.testDone"))}
              />
              <RowAction
                label={t("office.webhook.events")}
                of={url}
                onClick={() => onOpen({ form: "events", endpoint })}
              />
              {state === "active" ? (
                <RowAction
                  label={t("office.webhook.pause")}
                  of={url}
                  disabled={busy}
                  onClick={() => run(pause, t("office.webhook.pauseDone"))}
                />
              ) : (
                <RowAction
                  label={t("office.webhook.resume")}
                  of={url}
                  disabled={busy}
                  onClick={() => run(resume, t("office.webhook.resumeDone"))}
                />
              )}
              {endpoint.Dead > 0 && (
                <RowAction
                  label={t("office.webhook.resendAll")}
                  of={url}
                  disabled={busy}
                  onClick={() => run(resend, t("office.webhook.resendAllDone"))}
                />
              )}
              <RowAction
                label={t("office.webhook.secret")}
                of={url}
                onClick={() => onOpen({ form: "rotate", endpoint })}
              />
              <RowAction label={t("office.remove")} of={url} bad onClick={() => onOpen({ form: "remove", endpoint })} />
            </>
          )}
        </span>
      </td>
    </tr>
  );
}

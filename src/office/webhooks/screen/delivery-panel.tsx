import { useEffect, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { useWithProof } from "#office/screen/controls/use-act.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { failureOf } from "#office/screen/failure.ts";
import type { listDeliveries } from "#office/webhooks/calls.ts";
import { readDelivery } from "#office/webhooks/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";

export type Delivery = ResponseBody<typeof listDeliveries>["Deliveries"][number];

/** The status that was answered, or why there was no answer. */
export const answerOf = ({ Status, Error: error }: Pick<Delivery, "Status" | "Error">) =>
  Status === null ? (error ?? "") : String(Status);

/** What was sent, and what was answered each time. */
export function DeliveryPanel({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const { t } = useTexts();
  const { moment } = useFormats();
  const withProof = useWithProof();
  const [found, setFound] = useState<ResponseBody<typeof readDelivery>>();
  const [failed, setFailed] = useState<string>();
  const { IdDelivery: id } = delivery;
  useEffect(() => {
    withProof(() => browserCall(readDelivery, { IdDelivery: String(id) })).then(setFound, (error) =>
      setFailed(failureOf(error).detail ?? t("office.network")),
    );
  }, [id, t, withProof]);
  return (
    <Panel title={delivery.Type} note={`evt_${delivery.IdEvent} · ${delivery.Url}`} onClose={onClose}>
      {failed && (
        <p role="alert" className="message">
          {failed}
        </p>
      )}
      {!found && !failed && <p className="note">{t("office.loading")}</p>}
      {found && (
        <div className="office-form">
          <section>
            <h3>{t("office.delivery.payload")}</h3>
            <pre className="office-pre">{JSON.stringify(found.Payload, null, 2)}</pre>
          </section>
          <section>
            <h3>{t("office.delivery.tries")}</h3>
            {found.Attempts.length === 0 && <p className="note">{t("office.delivery.noTry")}</p>}
            <ol className="office-tries">
              {found.Attempts.map((attempt) => (
                <li key={attempt.At}>
                  <p>
                    {moment(attempt.At)} · {answerOf(attempt)}{" "}
                    <span className="note">{t("office.delivery.ms", { count: attempt.Milliseconds })}</span>
                  </p>
                  {attempt.Answer && <pre className="office-pre">{attempt.Answer}</pre>}
                </li>
              ))}
            </ol>
          </section>
        </div>
      )}
    </Panel>
  );
}

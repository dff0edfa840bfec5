import { useTexts } from "#i18n/use-texts.tsx";
import type { listDecided } from "#office/customers/calls.ts";
import { Label } from "#office/screen/controls/controls.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { Pager } from "#office/screen/controls/pager.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { CustomerLink, Noted } from "./request-cells.tsx";
import { useAsked } from "./use-asked.ts";

type Body = ResponseBody<typeof listDecided>;
type DecidedRequest = Body["Requests"][number];

const tones = { approved: "good", declined: "bad", withdrawn: "soft" } as const;

/** What became of requests: the outcome first, so that it is seen on a phone too. */
export function DecidedRequests({ Requests, NextCursor }: Body) {
  const { t } = useTexts();
  const asked = useAsked();
  return (
    <>
      <List
        label={t("office.approvals.show.decided")}
        rows={Requests}
        columns={[
          { heading: t("office.approvals.outcome"), value: ({ State }) => t(`office.approvals.is.${State}`) },
          {
            heading: t("office.approvals.customer"),
            value: ({ Customer }) => (Customer ? `${Customer.Lastname} ${Customer.Firstname}` : null),
          },
          { heading: t("office.approvals.what"), value: asked },
          { heading: t("office.approvals.asked"), value: ({ AskedBy }) => AskedBy },
          { heading: t("office.approvals.why"), value: ({ Reason }) => t(`office.reason.${Reason}`) },
        ]}
        empty={t("office.approvals.noneDecided")}
        paged={NextCursor !== null}
        row={(request) => <DecidedRow key={request.IdRequest} request={request} />}
      />
      <Pager next={NextCursor} />
    </>
  );
}

function DecidedRow({ request }: { request: DecidedRequest }) {
  const { t } = useTexts();
  const { moment } = useFormats();
  const asked = useAsked();
  const { Customer, Other, State } = request;
  return (
    <tr>
      <td className="line">
        <Label tone={tones[State]}>{t(`office.approvals.is.${State}`)}</Label>
        <br />
        <span className="note">
          {t("office.event.by", { name: request.DecidedBy })}
          <br />
          {moment(request.DecidedAt)}
        </span>
      </td>
      <td>
        {Customer ? <CustomerLink of={Customer} /> : <span className="note">{t("office.approvals.erased")}</span>}
        {Other && (
          <>
            <br />
            <CustomerLink of={Other} />
          </>
        )}
      </td>
      <td className="wrap">
        <Noted note={request.CustomerText}>{asked(request)}</Noted>
      </td>
      <td className="line">
        <Noted note={moment(request.AskedAt)}>{request.AskedBy}</Noted>
        {request.Mine && (
          <>
            <br />
            <Label>{t("office.approvals.mine")}</Label>
          </>
        )}
      </td>
      <td>
        <Noted note={request.Note}>{t(`office.reason.${request.Reason}`)}</Noted>
      </td>
    </tr>
  );
}

import { Link } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import type { listDecided } from "#office/customers/calls.ts";
import { Label } from "#office/screen/controls.tsx";
import { Empty } from "#office/screen/page.tsx";
import { Pager } from "#office/screen/pager.tsx";
import { Table } from "#office/screen/table.tsx";
import { useFormats } from "#office/screen/use-formats.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { useAsked } from "./use-asked.ts";

type Body = ResponseBody<typeof listDecided>;
type DecidedRequest = Body["Requests"][number];

/** What became of requests: the outcome first, so that it is seen on a phone too. */
export function DecidedRequests({ Requests, NextCursor }: Body) {
  const { t } = useTexts();
  return (
    <>
      {Requests.length === 0 ? (
        <Empty>{t("office.approvals.noneDecided")}</Empty>
      ) : (
        <Table
          label={t("office.approvals.show.decided")}
          heads={[
            t("office.approvals.outcome"),
            t("office.approvals.customer"),
            t("office.approvals.what"),
            t("office.approvals.asked"),
            t("office.approvals.why"),
          ]}
        >
          {Requests.map((request) => (
            <DecidedRow key={request.IdRequest} request={request} />
          ))}
        </Table>
      )}
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
        <Label tone={State === "approved" ? "good" : "bad"}>{t(`office.approvals.is.${State}`)}</Label>
        <br />
        <span className="note">
          {t("office.event.by", { name: request.DecidedBy })}
          <br />
          {moment(request.DecidedAt)}
        </span>
      </td>
      <td>
        {Customer ? (
          <Link to={`/customer?id=${Customer.IdCustomer}`}>
            {Customer.Firstname} {Customer.Lastname}
          </Link>
        ) : (
          <span className="note">{t("office.approvals.erased")}</span>
        )}
        {Other && (
          <>
            <br />
            <Link to={`/customer?id=${Other.IdCustomer}`}>
              {Other.Firstname} {Other.Lastname}
            </Link>
          </>
        )}
      </td>
      <td className="wrap">
        {asked(request)}
        {request.CustomerText && (
          <>
            <br />
            <span className="note">{request.CustomerText}</span>
          </>
        )}
      </td>
      <td className="line">
        {request.AskedBy}
        <br />
        <span className="note">{moment(request.AskedAt)}</span>
        {request.Mine && (
          <>
            <br />
            <Label>{t("office.approvals.mine")}</Label>
          </>
        )}
      </td>
      <td>
        {t(`office.reason.${request.Reason}`)}
        {request.Note && (
          <>
            <br />
            <span className="note">{request.Note}</span>
          </>
        )}
      </td>
    </tr>
  );
}

import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/customers/calls.ts";
import { ConfirmAct } from "#office/screen/confirm-act.tsx";
import { FormError, Label } from "#office/screen/controls.tsx";
import { Empty, PageHead } from "#office/screen/page.tsx";
import { Pager } from "#office/screen/pager.tsx";
import { useAct } from "#office/screen/use-act.tsx";
import { useDone } from "#office/screen/use-done.tsx";
import { useFormats } from "#office/screen/use-formats.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client.ts";
import { DecidedRequests } from "./decided-requests.tsx";
import { MergeApproval } from "./merge-approval.tsx";
import { useAsked } from "./use-asked.ts";

const lists = ["waiting", "decided"] as const;

/** Of the two lists the one that is shown. */
export async function loadApprovals({ request }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams;
  const cursor = params.get("cursor");
  const page = cursor ? { Cursor: cursor } : {};
  return params.get("show") === "decided"
    ? { decided: await browserCall(calls.listDecided, page) }
    : { waiting: await browserCall(calls.listApprovals, page) };
}

type Body = ResponseBody<typeof calls.listApprovals>;
type WaitingRequest = Body["Requests"][number];

/** What waits for a second person, and what became of what was asked. */
export function Approvals() {
  const { t } = useTexts();
  const { waiting, decided } = useLoaderData<typeof loadApprovals>();
  const shown = decided ? "decided" : "waiting";
  return (
    <>
      <PageHead title={t("office.menu.approvals")} note={t("office.approvals.note")} />
      <nav className="office-filters" aria-label={t("office.show")}>
        {lists.map((list) => (
          <Link
            key={list}
            to={list === "waiting" ? "?" : `?show=${list}`}
            aria-current={list === shown ? "true" : undefined}
          >
            {t(`office.approvals.show.${list}`)}
          </Link>
        ))}
      </nav>
      {waiting && <WaitingRequests {...waiting} />}
      {decided && <DecidedRequests {...decided} />}
    </>
  );
}

/** Whoever asked sees it, and cannot decide. */
function WaitingRequests({ Requests, NextCursor }: Body) {
  const { t } = useTexts();
  const { revalidate } = useRevalidator();
  const { act, busy, failure } = useAct(calls.declineRequest);
  const { open, setOpen, close, clear, finish, status } = useDone<WaitingRequest>();
  const asked = useAsked();
  const decline = async ({ IdRequest }: WaitingRequest) => {
    clear();
    if (await act({ IdRequest })) finish(t("office.approvals.declined"));
    // Somebody else may have decided it.
    else await revalidate();
  };
  // Whether it is done or refused, the list is read again.
  const leave = () => {
    close();
    void revalidate();
  };
  return (
    <>
      {status}
      <FormError failure={failure} />
      {Requests.length === 0 ? (
        <Empty>{t("office.approvals.none")}</Empty>
      ) : (
        <div className="office-scroll">
          <table className="office-table">
            <thead>
              <tr>
                <th scope="col">{t("office.approvals.asked")}</th>
                <th scope="col">{t("office.approvals.customer")}</th>
                <th scope="col">{t("office.approvals.what")}</th>
                <th scope="col">{t("office.approvals.why")}</th>
                <th scope="col">
                  <span className="sr-only">{t("office.actions")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {Requests.map((request) => (
                <RequestRow
                  key={request.IdRequest}
                  request={request}
                  busy={busy}
                  onDecide={(yes) => (yes ? setOpen(request) : decline(request))}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager next={NextCursor} />
      {open?.Other && (
        // A merge is approved where both accounts and what it does are seen.
        <MergeApproval
          key={open.IdRequest}
          idRequest={open.IdRequest}
          idCustomer={open.IdCustomer}
          idOther={open.Other.IdCustomer}
          onDone={() => finish(t("office.merge.done"))}
          onClose={leave}
        />
      )}
      {open && !open.Other && (
        <ConfirmAct
          key={open.IdRequest}
          line={calls.approveRequest}
          input={{ IdRequest: open.IdRequest }}
          title={t("office.approvals.confirm")}
          text={[
            t("office.approvals.asks", {
              name: open.AskedBy,
              customer: `${open.Firstname} ${open.Lastname}`,
              what: asked(open),
            }),
            t(open.Kind === "erase" ? "office.doText.eraseNow" : "office.approvals.atOnce"),
          ].join(" ")}
          action={t("office.approvals.approve")}
          onDone={() => finish(t("office.approvals.approved"))}
          onClose={leave}
        />
      )}
    </>
  );
}

function RequestRow({
  request,
  busy,
  onDecide,
}: {
  request: WaitingRequest;
  busy: boolean;
  onDecide: (yes: boolean) => void;
}) {
  const { t } = useTexts();
  const { moment } = useFormats();
  const asked = useAsked();
  const name = `${request.Firstname} ${request.Lastname}`;
  return (
    <tr>
      <td>
        {request.AskedBy}
        <br />
        <span className="note">{moment(request.AskedAt)}</span>
      </td>
      <td>
        <Link to={`/customer?id=${request.IdCustomer}`}>{name}</Link>
        {request.Other && (
          <>
            <br />
            <Link to={`/customer?id=${request.Other.IdCustomer}`}>
              {request.Other.Firstname} {request.Other.Lastname}
            </Link>
          </>
        )}
      </td>
      <td>
        {asked(request)}
        {request.CustomerText && (
          <>
            <br />
            <span className="note">{request.CustomerText}</span>
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
      <td className="buttons">
        {request.Mine ? (
          <Label>{t("office.approvals.mine")}</Label>
        ) : (
          <span className="row">
            {[true, false].map((yes) => {
              const words = t(yes ? "office.approvals.approve" : "office.approvals.decline");
              return (
                <button
                  key={words}
                  type="button"
                  className="office-link"
                  aria-label={`${words}, ${name}, ${asked(request)}`}
                  disabled={busy}
                  onClick={() => onDecide(yes)}
                >
                  {words}
                </button>
              );
            })}
          </span>
        )}
      </td>
    </tr>
  );
}

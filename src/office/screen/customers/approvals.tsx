import { useState } from "react";
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/customers/calls.ts";
import { FormError, Label } from "#office/screen/controls.tsx";
import { Empty, PageHead } from "#office/screen/page.tsx";
import { Pager } from "#office/screen/pager.tsx";
import { useAct } from "#office/screen/use-act.tsx";
import { useFormats } from "#office/screen/use-formats.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client.ts";
import { MergeApproval } from "./merge-approval.tsx";
import { useAsked } from "./use-asked.ts";

export async function loadApprovals({ request }: LoaderFunctionArgs) {
  const cursor = new URL(request.url).searchParams.get("cursor");
  return browserCall(calls.listApprovals, cursor ? { Cursor: cursor } : {});
}

type WaitingRequest = ResponseBody<typeof calls.listApprovals>["Requests"][number];

/** What waits for a second person. Whoever asked sees it, and cannot decide. */
export function Approvals() {
  const { t } = useTexts();
  const { Requests, NextCursor } = useLoaderData<typeof loadApprovals>();
  const { revalidate } = useRevalidator();
  const approve = useAct(calls.approveRequest);
  const decline = useAct(calls.declineRequest);
  const [done, setDone] = useState<string>();
  const [merging, setMerging] = useState<{ idRequest: number; idCustomer: number; idOther: number }>();
  const decide = async ({ IdRequest, IdCustomer, Other }: WaitingRequest, yes: boolean) => {
    setDone(undefined);
    // A merge is approved where both accounts and what it does are seen.
    if (yes && Other) return setMerging({ idRequest: IdRequest, idCustomer: IdCustomer, idOther: Other.IdCustomer });
    const answer = await (yes ? approve : decline).act({ IdRequest });
    if (answer) setDone(t(yes ? "office.approvals.approved" : "office.approvals.declined"));
    await revalidate();
  };
  const merged = () => {
    setMerging(undefined);
    setDone(t("office.merge.done"));
    void revalidate();
  };
  return (
    <>
      <PageHead title={t("office.menu.approvals")} note={t("office.approvals.note")} />
      <div aria-live="polite">{done && <p className="office-done">{done}</p>}</div>
      <FormError failure={approve.failure ?? decline.failure} />
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
                  busy={approve.busy || decline.busy}
                  onDecide={(yes) => decide(request, yes)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager next={NextCursor} />
      {merging && (
        <MergeApproval key={merging.idRequest} {...merging} onDone={merged} onClose={() => setMerging(undefined)} />
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

import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/customers/calls.ts";
import { requestKinds } from "#office/customers/choices.ts";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { FormError, Label, RowAction } from "#office/screen/controls/controls.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { Pager } from "#office/screen/controls/pager.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { DecidedRequests } from "./decided-requests.tsx";
import { MergeApproval } from "./merge-approval.tsx";
import { CustomerLink, Noted } from "./request-cells.tsx";
import { useAsked } from "./use-asked.ts";

const lists = ["waiting", "decided"] as const;

/** Of the two lists the one that is shown. */
export async function loadApprovals({ request }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams;
  const cursor = params.get("cursor");
  const page = cursor ? { Cursor: cursor } : {};
  const kind = requestKinds.find((name) => name === params.get("kind"));
  return params.get("show") === "decided"
    ? { decided: await browserCall(calls.listDecided, page) }
    : { waiting: await browserCall(calls.listApprovals, { ...page, ...(kind && { Kind: kind }) }), kind };
}

type Body = ResponseBody<typeof calls.listApprovals>;
type WaitingRequest = Body["Requests"][number];

const noChoices = {};

/** What waits for a second person, and what became of what was asked. */
export function Approvals() {
  const { t } = useTexts();
  const { waiting, decided, kind } = useLoaderData<typeof loadApprovals>();
  const shown = decided ? "decided" : "waiting";
  return (
    <>
      <PageHead title={t("office.menu.approvals")} note={t("office.approvals.note")} />
      <nav className="tabs" aria-label={t("office.show")}>
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
      {kind && (
        <p>
          {t("office.approvals.only", { kind: t(`office.inbox.kind.${kind}`) })}{" "}
          <Link to="?">{t("office.showAll")}</Link>
        </p>
      )}
      {waiting && <WaitingRequests {...waiting} />}
      {decided && <DecidedRequests {...decided} />}
    </>
  );
}

/** The person who asked sees it, and cannot decide. */
function WaitingRequests({ Requests, NextCursor }: Body) {
  const { t } = useTexts();
  const { revalidate } = useRevalidator();
  const { act, busy, failure } = useAct(calls.declineRequest);
  const { open, setOpen, close, clear, finish, status } = useDone<WaitingRequest>();
  const asked = useAsked();
  const withdrawal = useAct(calls.withdrawRequest);
  const withdraw = async ({ IdRequest }: WaitingRequest) => {
    clear();
    if (await withdrawal.act({ IdRequest })) finish(t("office.approvals.withdrawn"));
    else await revalidate();
  };
  const decline = async ({ IdRequest }: WaitingRequest) => {
    clear();
    if (await act({ IdRequest })) finish(t("office.approvals.declined"));
    // Another person may have decided it.
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
      <FormError failure={failure ?? withdrawal.failure} />
      <List
        label={t("office.approvals.show.waiting")}
        rows={Requests}
        columns={[
          { heading: t("office.approvals.asked"), value: ({ AskedBy }) => AskedBy, by: ({ AskedAt }) => AskedAt },
          { heading: t("office.approvals.customer"), value: ({ Firstname, Lastname }) => `${Lastname} ${Firstname}` },
          { heading: t("office.approvals.what"), value: asked },
          { heading: t("office.approvals.why"), value: ({ Reason }) => t(`office.reason.${Reason}`) },
        ]}
        empty={t("office.approvals.none")}
        actions={t("office.actions")}
        paged={NextCursor !== null}
        row={(request) => (
          <RequestRow
            key={request.IdRequest}
            request={request}
            busy={busy || withdrawal.busy}
            onWithdraw={() => withdraw(request)}
            onDecide={(yes) => (yes ? setOpen(request) : decline(request))}
          />
        )}
      />
      <Pager next={NextCursor} />
      {open?.Other && (
        // A merge is approved where both accounts and what it does are seen.
        <MergeApproval
          key={open.IdRequest}
          idRequest={open.IdRequest}
          idCustomer={open.IdCustomer}
          idOther={open.Other.IdCustomer}
          choices={open.Choices ?? noChoices}
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
  onWithdraw,
  onDecide,
}: {
  request: WaitingRequest;
  busy: boolean;
  onWithdraw: () => void;
  onDecide: (yes: boolean) => void;
}) {
  const { t } = useTexts();
  const { moment } = useFormats();
  const asked = useAsked();
  return (
    <tr>
      <td>
        <Noted note={moment(request.AskedAt)}>{request.AskedBy}</Noted>
      </td>
      <td>
        <CustomerLink of={request} />
        {request.Other && (
          <>
            <br />
            <CustomerLink of={request.Other} />
          </>
        )}
      </td>
      <td>
        <Noted note={request.CustomerText}>{asked(request)}</Noted>
      </td>
      <td>
        <Noted note={request.Note}>{t(`office.reason.${request.Reason}`)}</Noted>
      </td>
      <td className="buttons">
        {request.Mine ? (
          <span className="row">
            <Label>{t("office.approvals.mine")}</Label>
            <RowAction
              label={t("office.approvals.withdraw")}
              of={`${request.Firstname} ${request.Lastname}, ${asked(request)}`}
              disabled={busy}
              onClick={onWithdraw}
            />
          </span>
        ) : (
          <span className="row">
            {(["approve", "decline"] as const).map((choice) => (
              <RowAction
                key={choice}
                label={t(`office.approvals.${choice}`)}
                of={`${request.Firstname} ${request.Lastname}, ${asked(request)}`}
                disabled={busy}
                onClick={() => onDecide(choice === "approve")}
              />
            ))}
          </span>
        )}
      </td>
    </tr>
  );
}

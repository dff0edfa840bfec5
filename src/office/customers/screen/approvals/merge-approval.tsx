import { useEffect, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/customers/calls.ts";
import type { MergeChoices } from "#office/customers/choices.ts";
import { fieldsOf, MergeFields, MergePlan, type PlannedMerge } from "#office/customers/screen/panels/merge-plan.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { type Failure, failureOf } from "#office/screen/failure.ts";
import { browserCall } from "#platform/api/client/client.ts";

/** Both accounts of a merge and what it would do now, for the second person, who approves it here. */
export function MergeApproval({
  idRequest,
  idCustomer,
  idOther,
  choices,
  onDone,
  onClose,
}: {
  idRequest: number;
  idCustomer: number;
  idOther: number;
  choices: Partial<MergeChoices>;
  onDone: () => void;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.approveRequest);
  const [planned, setPlanned] = useState<PlannedMerge>();
  const [notRead, setNotRead] = useState<Failure>();
  useEffect(() => {
    const pair = { IdCustomer: idCustomer, IdOther: idOther };
    browserCall(calls.previewMerge, { ...pair, ...fieldsOf(choices) }).then(setPlanned, (error: unknown) =>
      setNotRead(failureOf(error)),
    );
  }, [idCustomer, idOther, choices]);
  const approve = async () => {
    if (await act({ IdRequest: idRequest })) onDone();
  };
  return (
    <Panel title={t("office.do.merge")} onClose={onClose}>
      <PanelForm
        action={t("office.approvals.approve")}
        busy={busy || !planned}
        failure={failure ?? (notRead && { ...notRead, detail: notRead.detail ?? t("office.network") })}
        onSubmit={approve}
        onClose={onClose}
      >
        {planned && (
          <>
            <dl className="office-facts">
              <Account name={t("office.merge.stays")} account={planned.Survivor} />
              <Account name={t("office.merge.other")} account={planned.Other} />
            </dl>
            <MergeFields planned={planned} />
            <MergePlan planned={planned} />
          </>
        )}
        <p>{t("office.merge.text")}</p>
      </PanelForm>
    </Panel>
  );
}

function Account({ name, account }: { name: string; account: PlannedMerge["Other"] }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {account.Firstname} {account.Lastname}
        <br />
        <span className="note break">{account.Email}</span>
      </dd>
    </>
  );
}

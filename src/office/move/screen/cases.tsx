import { useEffect, useState } from "react";
import { useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { CustomerLink } from "#office/customers/screen/approvals/request-cells.tsx";
import { closeMoveCase, listMoveCases, readMoveCase } from "#office/move/calls.ts";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { RowAction } from "#office/screen/controls/controls.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { useWithProof } from "#office/screen/controls/use-act.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { failureOf } from "#office/screen/failure.ts";
import { PageHead } from "#office/screen/page.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { Table } from "#ui/table.tsx";

export const loadMoveCases = () => browserCall(listMoveCases);
type Case = ResponseBody<typeof listMoveCases>["Cases"][number];
const nameOf = ({ Firstname, Lastname }: Case) => `${Firstname} ${Lastname}`;

/** Customers who miss something since their club moved here. */
export function MoveCases() {
  const { t } = useTexts();
  const { moment } = useFormats();
  const { Cases } = useLoaderData<typeof loadMoveCases>();
  const { open, setOpen, close, finish, status } = useDone<{ one: Case; closing: boolean }>();
  return (
    <>
      <PageHead title={t("office.moveCase.title")} note={t("office.moveCase.note")} />
      {status}
      <List
        label={t("office.moveCase.title")}
        rows={Cases}
        columns={[
          { heading: t("office.audit.when"), value: ({ At }) => moment(At), by: ({ At }) => At },
          { heading: t("office.approvals.customer"), value: nameOf },
          { heading: t("office.moveCase.missing"), value: ({ Text }) => Text },
        ]}
        actions={t("office.actions")}
        empty={t("office.moveCase.none")}
        row={(one) => (
          <tr key={one.IdCase}>
            <td>{moment(one.At)}</td>
            <td>
              <CustomerLink of={one} />
            </td>
            <td className="wrap">{one.Text}</td>
            <td className="buttons">
              <span className="row">
                <RowAction
                  label={t("office.moveCase.compare")}
                  of={nameOf(one)}
                  onClick={() => setOpen({ one, closing: false })}
                />
                <RowAction
                  label={t("office.moveCase.close")}
                  of={nameOf(one)}
                  onClick={() => setOpen({ one, closing: true })}
                />
              </span>
            </td>
          </tr>
        )}
      />
      {open && !open.closing && <CasePanel key={open.one.IdCase} one={open.one} onClose={close} />}
      {open?.closing && (
        <ConfirmAct
          key={open.one.IdCase}
          line={closeMoveCase}
          input={{ IdCase: open.one.IdCase }}
          title={t("office.moveCase.confirm")}
          text={t("office.moveCase.confirmText")}
          action={t("office.moveCase.close")}
          onDone={() => finish(t("office.moveCase.closed"))}
          onClose={close}
        />
      )}
    </>
  );
}

/** The old club's rows beside ours. */
function CasePanel({ one, onClose }: { one: Case; onClose: () => void }) {
  const { t } = useTexts();
  const withProof = useWithProof();
  const [found, setFound] = useState<ResponseBody<typeof readMoveCase>>();
  const [failed, setFailed] = useState<string>();
  const { IdCase } = one;
  useEffect(() => {
    withProof(() => browserCall(readMoveCase, { IdCase })).then(setFound, (error) =>
      setFailed(failureOf(error).detail ?? t("office.network")),
    );
  }, [IdCase, t, withProof]);
  const records = found?.Records.map(({ Source, SourceId }) => `${Source} ${SourceId}`).join(", ");
  return (
    <Panel title={nameOf(one)} note={records} onClose={onClose}>
      {failed && (
        <p role="alert" className="message">
          {failed}
        </p>
      )}
      {!found && !failed && <p className="note">{t("office.loading")}</p>}
      {found && <Comparison found={found} />}
    </Panel>
  );
}

function Comparison({ found }: { found: ResponseBody<typeof readMoveCase> }) {
  const { t, number, money, day } = useTexts();
  const until = (moment: string | null) => (moment ? t("office.moveCase.until", { date: day(moment) }) : "");
  const rows = [
    ...found.Lots.map((lot) => ({
      key: `lot ${lot.LotId}`,
      what: t("office.moveCase.lot", { id: lot.LotId }),
      there: `${number(lot.Points)} ${until(lot.ExpiresAt)}`,
      here: lot.Pending ? t("office.moveCase.pending") : number(lot.Remaining),
    })),
    ...found.Vouchers.map((voucher) => ({
      key: `voucher ${voucher.Code}`,
      what: t("office.moveCase.voucher", { code: voucher.Code }),
      there: `${money(voucher.Amount.Amount)} ${until(voucher.ExpiresAt)}`,
      here: t(voucher.Open ? "office.moveCase.open" : "office.moveCase.over"),
    })),
  ];
  return (
    <div className="office-form">
      <Table
        label={t("office.moveCase.compare")}
        headings={[t("office.inbox.what"), t("office.moveCase.there"), t("office.moveCase.here")]}
      >
        {rows.map(({ key, what, there, here }) => (
          <tr key={key}>
            <td>{what}</td>
            <td>{there}</td>
            <td>{here}</td>
          </tr>
        ))}
        <tr>
          <td>{t("office.moveCase.cards")}</td>
          <td colSpan={2}>{found.Cards.join(", ")}</td>
        </tr>
        <tr>
          <td>{t("office.moveCase.tier")}</td>
          <td colSpan={2}>{found.Tier && `${found.Tier.Name} ${until(found.Tier.Until)}`}</td>
        </tr>
        <tr>
          <td>{t("office.moveCase.history")}</td>
          <td colSpan={2}>{number(found.History)}</td>
        </tr>
      </Table>
      <section>
        <h3>{t("office.moveCase.rejected")}</h3>
        {found.Rejected.length === 0 ? (
          <p className="note">{t("office.moveCase.noneRejected", { days: found.KeptDays })}</p>
        ) : (
          <ul>
            {found.Rejected.map(({ File, Line, Column, Value, Reason }) => (
              <li key={`${File} ${Line} ${Column}`}>
                {File} {Line}: {Column} <code>{Value}</code> {t(`office.move.reason.${Reason}`)}
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

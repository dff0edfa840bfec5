import { useTexts } from "#i18n/use-texts.tsx";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { Label, RowAction } from "#office/screen/controls/controls.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { type readShop, revokeTill } from "#office/shops/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { Empty } from "#ui/empty.tsx";
import { Table } from "#ui/table.tsx";

type Till = ResponseBody<typeof readShop>["Tills"][number];

/** The paired devices of a shop, and those that were. */
export function Tills({ tills }: { tills: readonly Till[] }) {
  const { t } = useTexts();
  const { dayOfYear, moment } = useFormats();
  const { open, setOpen, close, finish, status } = useDone<Till>();
  return (
    <section aria-labelledby="tills">
      <h2 id="tills">{t("office.shops.tills")}</h2>
      {status}
      {tills.length === 0 ? (
        <Empty>{t("office.tills.none")}</Empty>
      ) : (
        <Table
          label={t("office.shops.tills")}
          headings={[
            t("office.tills.name"),
            t("office.tills.pairedAt"),
            t("office.tills.seenAt"),
            t("office.team.state"),
          ]}
          actions={t("office.actions")}
        >
          {tills.map((till) => (
            <tr key={till.Till} className={till.RevokedAt ? "past" : undefined}>
              <td>
                {till.Name} <span className="note">{till.Till}</span>
              </td>
              <td>{dayOfYear(till.PairedAt)}</td>
              <td>{till.SeenAt ? moment(till.SeenAt) : t("office.never")}</td>
              <td>
                {till.RevokedAt ? (
                  <Label>{t("office.tills.revoked", { date: dayOfYear(till.RevokedAt) })}</Label>
                ) : (
                  <Label tone="good">{t("office.tills.paired")}</Label>
                )}
              </td>
              <td className="buttons">
                {!till.RevokedAt && (
                  <RowAction label={t("office.revoke")} of={till.Name} bad onClick={() => setOpen(till)} />
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {open && (
        <ConfirmAct
          line={revokeTill}
          input={{ Till: open.Till }}
          title={t("office.tills.revokeTitle", { name: open.Name })}
          text={t("office.tills.revokeText")}
          action={t("office.tills.revokeAction")}
          onDone={() => finish(t("office.tills.revokeDone", { name: open.Name }))}
          onClose={close}
        />
      )}
    </section>
  );
}

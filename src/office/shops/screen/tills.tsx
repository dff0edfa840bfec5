import { useTexts } from "#i18n/use-texts.tsx";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { Label, RowAction } from "#office/screen/controls/controls.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { type readShop, revokeTill } from "#office/shops/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";

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
      <List
        label={t("office.shops.tills")}
        rows={tills}
        columns={[
          { heading: t("office.tills.name"), value: ({ Name, Till: prefix }) => `${Name} ${prefix}` },
          {
            heading: t("office.tills.pairedAt"),
            value: ({ PairedAt }) => dayOfYear(PairedAt),
            by: ({ PairedAt }) => PairedAt,
          },
          {
            heading: t("office.tills.seenAt"),
            value: ({ SeenAt }) => SeenAt && moment(SeenAt),
            by: ({ SeenAt }) => SeenAt,
          },
          {
            heading: t("office.team.state"),
            value: ({ RevokedAt }) => t(RevokedAt ? "office.revoke" : "office.tills.paired"),
          },
        ]}
        actions={t("office.actions")}
        empty={t("office.tills.none")}
        row={(till) => (
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
        )}
      />
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

import { Link } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { RowAction } from "#office/screen/controls/controls.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { Pager } from "#office/screen/controls/pager.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { type Conflict, CustomerName } from "./conflict.tsx";
import { ClockPanel, PointsPanel, ReturnPanel } from "./decision-panels.tsx";

/** Receipts that wait for a person, with what there is to decide about each. */
export function Conflicts({
  conflicts,
  next,
  ofAllShops = false,
}: {
  conflicts: readonly Conflict[];
  next: string | null;
  ofAllShops?: boolean;
}) {
  const { t, number } = useTexts();
  const { day, time } = useFormats();
  const exactMoney = useExactMoney();
  const { open, setOpen, close, finish, status } = useDone<Conflict>();
  const panel = { onDone: finish, onClose: close };
  return (
    <section aria-labelledby="conflicts">
      <h2 id="conflicts">{t("office.conflict.title")}</h2>
      {status}
      <List<Conflict>
        label={t("office.conflict.title")}
        rows={conflicts}
        columns={[
          { heading: t("office.audit.when"), value: ({ At }) => day(At), by: ({ At }) => At },
          ...(ofAllShops ? [{ heading: t("office.role.shop"), value: ({ ShopName }: Conflict) => ShopName }] : []),
          { heading: t("office.conflict.receipt"), value: ({ ReceiptNumber }) => ReceiptNumber },
          { heading: t("office.conflict.what"), value: ({ Reason }) => t(`office.conflict.${Reason}`) },
          { heading: t("office.conflict.customer"), value: ({ Customer }) => Customer },
          {
            heading: t("office.conflict.amount"),
            value: ({ Amount }) => (Amount === null ? null : Number(Amount)),
            number: true,
          },
          { heading: t("office.conflict.points"), value: ({ Points }) => Points, number: true },
        ]}
        empty={t("office.conflict.none")}
        actions={t("office.actions")}
        paged={next !== null}
        row={(one) => (
          <tr key={`${one.IdShop} ${one.Kind} ${one.ReceiptNumber}`}>
            <td className="line">
              {day(one.At)}
              <br />
              <span className="note">{time(one.At)}</span>
            </td>
            {ofAllShops && (
              <td>
                <Link to={`/shop?id=${one.IdShop}`}>{one.ShopName}</Link>
              </td>
            )}
            <td>
              {one.ReceiptNumber}
              {one.OriginalReceiptNumber && (
                <>
                  <br />
                  <span className="note">{t("office.conflict.of", { number: one.OriginalReceiptNumber })}</span>
                </>
              )}
            </td>
            <td className="wrap">
              {t(`office.conflict.${one.Reason}`)}
              {one.Reason === "points_waiting" && (
                <>
                  <br />
                  <span className="note">{t("office.conflict.points_why")}</span>
                </>
              )}
            </td>
            <td>
              <CustomerName conflict={one} />
            </td>
            <td className="number">{one.Amount === null ? "" : exactMoney(one.Amount)}</td>
            <td className="number">{one.Points === null ? "" : number(one.Points)}</td>
            <td className="buttons">
              <RowAction label={t("office.conflict.decide")} of={one.ReceiptNumber} onClick={() => setOpen(one)} />
            </td>
          </tr>
        )}
      />
      <Pager next={next} />
      {open?.Kind === "points" && <PointsPanel key={open.ReceiptNumber} conflict={open} {...panel} />}
      {open?.Kind === "clock" && <ClockPanel key={open.ReceiptNumber} conflict={open} {...panel} />}
      {(open?.Kind === "return" || open?.Kind === "exchange") && (
        <ReturnPanel key={open.ReceiptNumber} conflict={open} {...panel} />
      )}
    </section>
  );
}

import { Link } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { RowAction } from "#office/screen/controls/controls.tsx";
import { Pager } from "#office/screen/controls/pager.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { Empty } from "#ui/empty.tsx";
import { Table } from "#ui/table.tsx";
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
      {conflicts.length === 0 ? (
        <Empty>{t("office.conflict.none")}</Empty>
      ) : (
        <Table
          label={t("office.conflict.title")}
          headings={[
            t("office.audit.when"),
            ...(ofAllShops ? [t("office.role.shop")] : []),
            t("office.conflict.receipt"),
            t("office.conflict.what"),
            t("office.conflict.customer"),
            { number: t("office.conflict.amount") },
            { number: t("office.conflict.points") },
          ]}
          actions={t("office.actions")}
        >
          {conflicts.map((one) => (
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
          ))}
        </Table>
      )}
      <Pager next={next} />
      {open?.Kind === "points" && <PointsPanel key={open.ReceiptNumber} conflict={open} {...panel} />}
      {open?.Kind === "clock" && <ClockPanel key={open.ReceiptNumber} conflict={open} {...panel} />}
      {(open?.Kind === "return" || open?.Kind === "exchange") && (
        <ReturnPanel key={open.ReceiptNumber} conflict={open} {...panel} />
      )}
    </section>
  );
}

import { Link, useSearchParams } from "react-router";
import { amountOf, centsOf, sumCents } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { listReceipts } from "#office/receipts/calls.ts";
import { Label } from "#office/screen/controls/controls.tsx";
import { type Column, List } from "#office/screen/controls/list.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { Table } from "#ui/table.tsx";

export type Day = ResponseBody<typeof listReceipts>;
type Row = Day["Receipts"][number];

const filters = ["all", "no_card", "returns", "voided", "waiting"] as const;
type Filter = (typeof filters)[number];
const fits: Record<Filter, (row: Row) => boolean> = {
  all: () => true,
  no_card: ({ Kind, Customer }) => Kind === "sale" && Customer === null,
  returns: ({ Kind }) => Kind !== "sale",
  voided: ({ VoidedAt }) => VoidedAt !== null,
  waiting: ({ Waiting }) => Waiting,
};
const isOneOf = <Value extends string>(values: readonly Value[], value: string | null): value is Value =>
  values.some((one) => one === value);

/** The receipts of a day, the newest first, filtered by words; voided ones below the total. */
export function DayReceipts({ day, shopId }: { day: Day; shopId: number }) {
  const { t, number } = useTexts();
  const exactMoney = useExactMoney();
  const { signed, time } = useFormats();
  const [params] = useSearchParams();
  const asked = params.get("show");
  const show = isOneOf(filters, asked) ? asked : "all";
  const to = (changes: Record<string, string>) =>
    `?${new URLSearchParams({ ...Object.fromEntries(params), ...changes })}`;
  const columns: Column<Row>[] = [
    { heading: t("office.day.time"), value: ({ At }) => time(At) },
    { heading: t("office.day.receipt"), value: ({ ReceiptNumber }) => ReceiptNumber },
    { heading: t("office.day.till"), value: ({ TillName }) => TillName },
    { heading: t("office.day.seller"), value: ({ Seller }) => Seller },
    { heading: t("office.day.customer"), value: ({ Customer }) => Customer },
    {
      ...{ heading: t("office.day.amount"), number: true, value: ({ Amount }) => Number(Amount) },
      total: (rows) => exactMoney(amountOf(sumCents(rows.map(({ Amount }) => Amount)))),
    },
    {
      ...{ heading: t("office.day.points"), number: true, value: ({ Points }) => Points },
      total: (rows) => signed(rows.reduce((sum, { Points }) => sum + Points, 0)),
    },
  ];
  return (
    <section aria-labelledby="receipts">
      <div className="office-section">
        <h2 id="receipts">{t("office.day.receipts")}</h2>
        <nav className="tabs" aria-label={t("office.show")}>
          {filters.map((filter) => (
            <Link
              key={filter}
              to={to({ show: filter })}
              aria-current={filter === show ? "true" : undefined}
              preventScrollReset
            >
              {t(`office.day.show.${filter}`)} <small>{number(day.Receipts.filter(fits[filter]).length)}</small>
            </Link>
          ))}
        </nav>
      </div>
      <List
        label={t("office.day.receipts")}
        rows={day.Receipts.filter(fits[show]).toSorted((a, b) => (a.At < b.At ? 1 : -1))}
        columns={columns}
        empty={t("office.day.none")}
        csvName="receipts.csv"
        apart={{ heading: t("office.day.voidedApart"), is: ({ VoidedAt }) => VoidedAt !== null }}
        row={(row) => <ReceiptRow key={row.ReceiptNumber + row.Kind} row={row} shopId={shopId} />}
      />
    </section>
  );
}

function ReceiptRow({ row, shopId }: { row: Row; shopId: number }) {
  const { t } = useTexts();
  const exactMoney = useExactMoney();
  const { time, signed } = useFormats();
  const { ReceiptNumber, Kind, OriginalReceiptNumber, VoidedAt } = row;
  const link = (id: number, number: string) => `/receipt?${new URLSearchParams({ shop: String(id), number })}`;
  return (
    <tr className={VoidedAt ? "voided" : undefined}>
      <td>{time(row.At)}</td>
      <td className="nowrap">
        {Kind === "sale" ? <Link to={link(shopId, ReceiptNumber)}>{ReceiptNumber}</Link> : ReceiptNumber}
      </td>
      <td>{row.TillName}</td>
      <td className="nowrap">{row.Seller}</td>
      <td>
        {row.Customer ?? <span className="note">{t("office.day.noCard")}</span>}{" "}
        {row.CampaignName && <Label tone="gold">{row.CampaignName}</Label>}{" "}
        {OriginalReceiptNumber && (
          <Link className="note" to={link(row.OriginalIdShop ?? shopId, OriginalReceiptNumber)}>
            {t("office.event.ofReceipt", { number: OriginalReceiptNumber })}
          </Link>
        )}{" "}
        {VoidedAt && <Label tone="bad">{t("office.day.voidedAt", { time: time(VoidedAt) })}</Label>}
        {row.Waiting && <Label tone="gold">{t("office.day.waits")}</Label>}
      </td>
      <td className="number">{exactMoney(row.Amount)}</td>
      <td className="number">{row.Points === 0 ? "–" : signed(row.Points)}</td>
    </tr>
  );
}

/** What was counted at the end of the day, with what is missing or too much. */
export function DayCounts({ counts }: { counts: Day["Counts"] }) {
  const { t, number } = useTexts();
  const exactMoney = useExactMoney();
  const { time } = useFormats();
  const title = t("office.day.counts");
  if (counts.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <Table
        label={title}
        headings={[
          t("office.day.till"),
          t("office.day.seller"),
          { number: t("office.day.receipts") },
          { number: t("office.day.counted") },
          { number: t("office.day.difference") },
        ]}
      >
        {counts.map(({ TillName, By, At, Counted, Expected }) => (
          <tr key={TillName + At}>
            <td>{TillName}</td>
            <td>
              {By}, {time(At)}
            </td>
            <td className="number">
              {Counted.Count === Expected.Count
                ? number(Counted.Count)
                : t("office.day.countOf", { counted: number(Counted.Count), expected: number(Expected.Count) })}
            </td>
            <td className="number">{exactMoney(Counted.Amount)}</td>
            <td className="number">{exactMoney(amountOf(centsOf(Counted.Amount) - centsOf(Expected.Amount)))}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

/** Totals of tills or people; their sum is the shop's. */
export function DayTotals({
  title,
  heading,
  rows,
  total,
}: {
  title: string;
  heading: string;
  rows: { Name: string | null; Sales: number; Returns: number; Voids: number; Net: string }[];
  total: Day["Total"];
}) {
  const { t, number } = useTexts();
  const exactMoney = useExactMoney();
  const cells = ({ Sales, Returns, Voids, Net }: Omit<(typeof rows)[number], "Name">) => (
    <>
      <td className="number">{number(Sales)}</td>
      <td className="number">{number(Returns)}</td>
      <td className="number">{number(Voids)}</td>
      <td className="number">{exactMoney(Net)}</td>
    </>
  );
  return (
    <section>
      <h2>{title}</h2>
      <Table
        label={title}
        headings={[
          heading,
          { number: t("office.day.sales") },
          { number: t("office.day.returnsShort") },
          { number: t("office.day.voidsShort") },
          { number: t("office.day.net") },
        ]}
      >
        {rows.map((row) => (
          <tr key={row.Name}>
            <td>{row.Name ?? t("office.receipt.noSeller")}</td>
            {cells(row)}
          </tr>
        ))}
        <tr className="total">
          <td>{t("office.receipt.total")}</td>
          {cells(total)}
        </tr>
      </Table>
    </section>
  );
}

import { type ReactNode, useId, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { type CsvCell, csvLines, csvStart } from "#platform/api/csv.ts";
import { Empty } from "#ui/empty.tsx";
import { Table } from "#ui/table.tsx";
import { saveFile } from "./save-file.ts";

export interface Column<Row> {
  heading: string;
  /** What a filter finds and the file holds, and what the list is sorted by. */
  value: (row: Row) => CsvCell;
  /** What the list is sorted by where words would not do, such as a moment. */
  by?: (row: Row) => CsvCell;
  number?: true;
  /** Below the column, of the rows that are shown. */
  total?: (rows: readonly Row[]) => ReactNode;
}

/** A filter helps from so many rows on. */
const filterFrom = 8;

/** A filter forgives missing accents. */
const textOf = (value: CsvCell) =>
  String(value ?? "")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase();
const isEmpty = (value: CsvCell) => value === null || value === "";
/** Empty ones last in both directions, numbers by their size, words as the reader's language sorts them. */
function order(a: CsvCell, b: CsvCell, descending: boolean, locale: string): number {
  if (isEmpty(a) || isEmpty(b)) return Number(isEmpty(a)) - Number(isEmpty(b));
  const rising =
    typeof a === "number" && typeof b === "number"
      ? a - b
      : String(a).localeCompare(String(b), locale, { numeric: true });
  return descending ? -rising : rising;
}

/**
 * A list of the back office: a press on a heading sorts it, a word filters it, totals stand below, and what is shown can be had as
 * a file. Of a list in pages this is about the page, which it says.
 */
export function List<Row>(props: {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** A row of the table, with its key. */
  row: (row: Row) => ReactNode;
  /** Without any rows. */
  empty: string;
  /** What readers hear above the column of actions. */
  actions?: string;
  stacked?: boolean;
  /** There are other pages. */
  paged?: boolean;
  /** The file of what is shown; absent where the server makes one of everything. */
  csvName?: string;
  /** Rows that count nowhere, below the others. */
  apart?: { heading: string; is: (row: Row) => boolean };
  /** Before the first row of this kind. */
  divided?: { heading: string; is: (row: Row) => boolean };
}) {
  const { t, locale, number } = useTexts();
  const { label, rows, columns, apart, divided } = props;
  const [sorted, setSorted] = useState<{ column: number; descending: boolean }>();
  const [filter, setFilter] = useState("");
  const filterId = useId();
  const statusId = useId();
  if (rows.length === 0) return <Empty>{props.empty}</Empty>;

  const words = textOf(filter).split(/\s+/).filter(Boolean);
  const fits = (row: Row) => {
    const text = columns.map(({ value }) => textOf(value(row))).join("\n");
    return words.every((word) => text.includes(word));
  };
  const column = sorted && columns[sorted.column];
  const by = column?.by ?? column?.value;
  const found = rows.filter(fits);
  const shown = sorted && by ? found.toSorted((a, b) => order(by(a), by(b), sorted.descending, locale)) : found;
  const counted = apart ? shown.filter((row) => !apart.is(row)) : shown;
  const uncounted = apart ? shown.filter(apart.is) : [];
  const width = columns.length + (props.actions ? 1 : 0);
  const press = (column: number) =>
    setSorted((known) => ({ column, descending: known?.column === column && !known.descending }));
  const save = () => {
    const cells = [
      columns.map(({ heading }) => heading),
      ...shown.map((row) => columns.map(({ value }) => value(row))),
    ];
    saveFile(new Blob([csvStart, csvLines(cells, locale)], { type: "text/csv" }), props.csvName ?? "");
  };
  const firstDivided = divided && !by ? counted.find(divided.is) : undefined;

  return (
    <>
      <div className="office-list-tools">
        {rows.length >= filterFrom && (
          <p>
            <label htmlFor={filterId}>{t("office.list.filter")}</label>
            <input
              id={filterId}
              type="search"
              autoComplete="off"
              value={filter}
              aria-describedby={statusId}
              onChange={(event) => setFilter(event.target.value)}
            />
            <span id={statusId} role="status" className="note">
              {words.length > 0 && t("office.list.shown", { count: shown.length, all: number(rows.length) })}
              {props.paged && (words.length > 0 || by) && ` ${t("office.list.page")}`}
            </span>
          </p>
        )}
        {props.csvName && (
          <button
            type="button"
            className="office-link"
            aria-label={t("office.figures.csvOf", { what: label })}
            onClick={save}
          >
            {t("office.csv")}
          </button>
        )}
      </div>
      {shown.length === 0 ? (
        <Empty>{t("office.list.none")}</Empty>
      ) : (
        <Table
          label={label}
          headings={columns.map(({ heading, number: isNumber }, column) => ({
            head: heading,
            number: isNumber,
            sorted: sorted?.column === column ? (sorted.descending ? "descending" : "ascending") : undefined,
            onSort: () => press(column),
          }))}
          {...(props.actions && { actions: props.actions })}
          {...(props.stacked !== undefined && { stacked: props.stacked })}
        >
          {counted.flatMap((row) => [
            ...(row === firstDivided ? [<Divider key="divider" width={width} heading={divided?.heading ?? ""} />] : []),
            props.row(row),
          ])}
          {columns.some(({ total }) => total) && counted.length > 1 && (
            <tr className="total">
              {columns.map(({ heading, number: isNumber, total }, column) => (
                <td key={heading} className={isNumber ? "number" : undefined}>
                  {total ? total(counted) : column === 0 && t("office.list.total", { count: counted.length })}
                </td>
              ))}
              {props.actions && <td />}
            </tr>
          )}
          {uncounted.length > 0 && <Divider width={width} heading={apart?.heading ?? ""} />}
          {uncounted.map(props.row)}
        </Table>
      )}
    </>
  );
}

function Divider({ width, heading }: { width: number; heading: string }) {
  return (
    <tr className="divider">
      <th scope="rowgroup" colSpan={width}>
        {heading}
      </th>
    </tr>
  );
}

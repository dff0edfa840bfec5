import type { ReactNode } from "react";

/** The words above the columns, for the style sheet: on a phone they stand before each cell. */
const headingsOf = (headings: readonly string[]) =>
  Object.fromEntries(headings.map((head, index) => [`--head-${index + 1}`, JSON.stringify(head)]));

/**
 * A table's frame: it scrolls by itself where it is too wide. The last column may be for actions: such a table is
 * stacked on a phone, with the actions below each row's cells.
 */
export function Table({
  label,
  headings,
  actions,
  stacked = actions !== undefined,
  children,
}: {
  /** For readers; the heading above it. */
  label: string;
  /** The words above the columns; `number` stands above metrics. */
  headings: readonly (string | { number: string })[];
  /** What readers hear above the column of actions. */
  actions?: string;
  /** On a phone each row is a list of its cells, so that no column is out of sight. */
  stacked?: boolean;
  children: ReactNode;
}) {
  const words = headings.map((head) => (typeof head === "string" ? head : head.number));
  return (
    <div className="scroll">
      <table
        className={stacked ? "data-table stacked" : "data-table"}
        aria-label={label}
        style={stacked ? headingsOf(words) : undefined}
      >
        <thead>
          <tr>
            {headings.map((head) =>
              typeof head === "string" ? (
                <th key={head} scope="col">
                  {head}
                </th>
              ) : (
                <th key={head.number} scope="col" className="number">
                  {head.number}
                </th>
              ),
            )}
            {actions && (
              <th scope="col">
                <span className="sr-only">{actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

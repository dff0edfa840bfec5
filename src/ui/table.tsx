import type { ReactNode } from "react";

/** The words above the columns, for the style sheet: on a phone they stand before each cell. */
const wordsAbove = (headings: readonly string[]) =>
  Object.fromEntries(headings.map((head, index) => [`--head-${index + 1}`, JSON.stringify(head)]));

/** Above a column: words, `number` above metrics, or a button that sorts by it. */
export type Heading =
  | string
  | { number: string }
  | {
      head: string;
      number?: boolean | undefined;
      sorted?: "ascending" | "descending" | undefined;
      onSort: () => void;
    };

const wordsOf = (heading: Heading) =>
  typeof heading === "string" ? heading : "head" in heading ? heading.head : heading.number;

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
  headings: readonly Heading[];
  /** What readers hear above the column of actions. */
  actions?: string;
  /** On a phone each row is a list of its cells, so that no column is out of sight. */
  stacked?: boolean;
  children: ReactNode;
}) {
  const words = headings.map(wordsOf);
  return (
    <div className="scroll">
      <table
        className={stacked ? "data-table stacked" : "data-table"}
        aria-label={label}
        style={stacked ? wordsAbove(words) : undefined}
      >
        <thead>
          <tr>
            {headings.map((heading) => {
              const sorts = typeof heading === "object" && "head" in heading ? heading : undefined;
              return (
                <th
                  key={wordsOf(heading)}
                  scope="col"
                  className={typeof heading === "object" && heading.number ? "number" : undefined}
                  aria-sort={sorts?.sorted}
                >
                  {sorts ? (
                    <button type="button" onClick={sorts.onSort}>
                      {sorts.head}
                    </button>
                  ) : (
                    wordsOf(heading)
                  )}
                </th>
              );
            })}
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

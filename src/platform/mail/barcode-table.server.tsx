import type { ReactNode } from "react";

/** Pixels of a bar's module: an email at 390 px has room for a voucher's code at twice the size. */
const modulePx = 2;
const heightPx = 84;
/** Blank on either side, in modules: without it a scanner finds no first bar. */
const quietModules = 10;

/** On a narrower phone a module is one pixel, which is two or three of the screen's own. */
export const barcodeSheet = `@media (max-width: 389px) {
${[1, 2, 3, 4].map((width) => `  .b${width} { width: ${width}px !important; }`).join("\n")}
  .b${quietModules} { width: ${quietModules}px !important; }
}`;

/**
 * A barcode of table cells: a mail program shows it also while it keeps pictures back, and a scanner reads it from the
 * screen. White around it, also where the email is dark.
 */
export function BarcodeTable({ bars, children }: { bars: readonly number[]; children: ReactNode }) {
  const table = { role: "presentation", border: 0, cellPadding: 0, cellSpacing: 0 } as const;
  const cell = (modules: number, key: string | number, dark: boolean) => (
    <td
      key={key}
      className={`b${modules}`}
      width={modules * modulePx}
      height={heightPx}
      style={{ padding: 0, fontSize: 0, lineHeight: 0, backgroundColor: dark ? "#000000" : "#ffffff" }}
    />
  );
  return (
    <table {...table} className="label" align="center" style={{ backgroundColor: "#ffffff" }}>
      <tbody>
        <tr>
          <td align="center" style={{ padding: "16px 0" }}>
            <table {...table} aria-hidden="true" style={{ borderCollapse: "collapse", backgroundColor: "#ffffff" }}>
              <tbody>
                <tr>
                  {cell(quietModules, "before", false)}
                  {/* Bars and gaps alternate: what stands where never changes. */}
                  {bars.map((width, index) => cell(width, index, index % 2 === 0))}
                  {cell(quietModules, "after", false)}
                </tr>
              </tbody>
            </table>
            {children}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

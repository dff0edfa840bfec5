import { useTexts } from "#i18n/use-texts.tsx";
import type { previewMerge } from "#office/customers/calls.ts";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import type { ResponseBody } from "#platform/api/api.ts";

export type PlannedMerge = ResponseBody<typeof previewMerge>;

/** What the survivor will have. */
export function MergePlan({ planned: { Points, Vouchers } }: { planned: PlannedMerge }) {
  const { t, number } = useTexts();
  const { signed } = useFormats();
  const rows: [string, number][] = [
    [t("office.merge.moved"), Points.Moved],
    [t("office.merge.gift"), -Points.GiftTaken],
    [t("office.merge.vouchers"), Vouchers],
    [t("office.merge.debt"), Points.Debt],
  ];
  return (
    <table className="office-table" aria-live="polite">
      <tbody>
        {rows
          .filter(([, value]) => value !== 0)
          .map(([words, value]) => (
            <tr key={words}>
              <td>{words}</td>
              <td className="number">{value < 0 ? signed(value) : number(value)}</td>
            </tr>
          ))}
      </tbody>
      <tfoot>
        <tr>
          <td>{t("office.merge.after")}</td>
          <td className="number">{number(Points.Available)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

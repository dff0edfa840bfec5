import { useTexts } from "#i18n/use-texts.tsx";
import type { GoodsLine } from "./goods.ts";
import type { Catalogue } from "./use-catalogue.ts";

/** What a line says of itself: its price type and a category. */
export function LineFacts({
  catalogue,
  line,
  number,
  onChange,
}: {
  catalogue: Catalogue;
  line: GoodsLine;
  number: number;
  onChange: (line: GoodsLine) => void;
}) {
  const { t } = useTexts();
  const { PriceType, Codes, ...rest } = line;
  const { PriceTypes, Codes: codes } = catalogue;
  return (
    <div className="till-line-facts">
      <select
        className="field"
        aria-label={t("till.priceType", { number })}
        value={PriceType ?? "full"}
        onChange={({ target }) => {
          const chosen = PriceTypes.find((one) => one.PriceType === target.value && target.value !== "full");
          onChange({ ...rest, ...(chosen && { PriceType: chosen.PriceType }), ...(Codes && { Codes }) });
        }}
      >
        {PriceTypes.map((one) => (
          <option key={one.PriceType} value={one.PriceType}>
            {one.Name}
          </option>
        ))}
      </select>
      {codes.length > 0 && (
        <select
          className="field"
          aria-label={t("till.code", { number })}
          value={Codes?.[0] ?? ""}
          onChange={({ target }) =>
            onChange({ ...rest, ...(PriceType && { PriceType }), ...(target.value && { Codes: [target.value] }) })
          }
        >
          <option value="">{t("till.noCode")}</option>
          {codes.map(({ Code, Name }) => (
            <option key={Code} value={Code}>
              {Name}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

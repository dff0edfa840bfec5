import { useTexts } from "#i18n/use-texts.tsx";
import { useFormats } from "#office/screen/use-formats.ts";

/** What a request asks for, in words. */
export function useAsked() {
  const { t, money } = useTexts();
  const { signed } = useFormats();
  return ({
    Kind,
    Points,
    Value,
  }: {
    Kind: "points" | "voucher" | "erase";
    Points: number;
    Value: { Amount: string };
  }) =>
    Kind === "points"
      ? t("office.request.points", { points: signed(Points) })
      : Kind === "voucher"
        ? t("office.request.voucher", { amount: money(Value.Amount) })
        : t("office.request.erase");
}

import { useTexts } from "#i18n/use-texts.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";

interface Asked {
  Kind: "points" | "voucher" | "erase" | "merge";
  Points: number;
  Value: { Amount: string };
  Other: { Firstname: string; Lastname: string } | null;
}

/** What a request asks for, in words. */
export function useAsked() {
  const { t, money } = useTexts();
  const { signed } = useFormats();
  return ({ Kind, Points, Value, Other }: Asked): string => {
    switch (Kind) {
      case "points":
        return t("office.request.points", { points: signed(Points) });
      case "voucher":
        return t("office.request.voucher", { amount: money(Value.Amount) });
      case "erase":
        return t("office.request.erase");
      case "merge":
        return Other
          ? t("office.request.merge", { name: `${Other.Firstname} ${Other.Lastname}` })
          : t("office.request.mergeGone");
    }
  };
}

import { locales } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { channels, type kindOf, months, thisMonth, voucherChoices } from "#loyalty/segments/segment.ts";

export interface Choices {
  Tiers: { IdLoyaltyTier: number; Name: string }[];
  Shops: { IdShop: number; Name: string }[];
  Codes: { Code: string; Name: string }[];
}

/** What a condition may choose from, with the name of each. */
export function useOptions({ Tiers, Shops }: Choices) {
  const { t, locale } = useTexts();
  const monthName = (month: string) =>
    month === thisMonth
      ? t("office.segments.thisMonth")
      : new Date(2_000, Number(month) - 1, 1).toLocaleDateString(locale, { month: "long" });
  return (choice: NonNullable<ReturnType<typeof kindOf>["choice"]>): (readonly [string, string])[] => {
    switch (choice) {
      case "tier":
        return Tiers.map(({ IdLoyaltyTier, Name }) => [String(IdLoyaltyTier), Name]);
      case "shop":
        return Shops.map(({ IdShop, Name }) => [String(IdShop), Name]);
      case "month":
        return months.map((month) => [month, monthName(month)]);
      case "language":
        return locales.map((one) => [one, t(`office.lang.${one}`)]);
      case "channel":
        return channels.map((one) => [one, t(`office.segments.choice.${one}`)]);
      case "voucher":
        return voucherChoices.map((one) => [one, t(`office.segments.choice.${one}`)]);
    }
  };
}

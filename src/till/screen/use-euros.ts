import { useMemo } from "react";
import { tags } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";

/** An amount with its cents, as a till shows every one: "50,00 €". */
export function useEuros(): (amount: number | string) => string {
  const { locale } = useTexts();
  const format = useMemo(() => new Intl.NumberFormat(tags[locale], { style: "currency", currency: "EUR" }), [locale]);
  return (amount) => format.format(Number(amount));
}

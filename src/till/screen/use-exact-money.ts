import { useTexts } from "#i18n/use-texts.tsx";

/** An amount with its decimals, as a till shows every one: "50,00 €". */
export function useExactMoney(): (amount: number | string) => string {
  const { money } = useTexts();
  return (amount) => (Number(amount) < 0 ? "−" : "") + money(Math.abs(Number(amount)), true);
}

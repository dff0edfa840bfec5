import { useTexts } from "#i18n/use-texts.tsx";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";

/** Until when the points of a customer who leaves, or has left, are kept; empty without points. */
export function useKeptPoints(customer: LoyaltyCustomer): string {
  const { t, number, date } = useTexts();
  const { Available, Expiring } = customer.Points;
  if (!Expiring) return "";
  const { Points, Date: day } = Expiring;
  return Points >= Available
    ? t("member.formerExpires", { count: Points, date: date(day) })
    : t("member.formerExpiresFirst", { count: Points, formatted: number(Points), date: date(day) });
}

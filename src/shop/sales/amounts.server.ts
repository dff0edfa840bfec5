/** Amounts in euros with VAT: decimal text in the API, whole cents inside. */
export const amountPattern = /^\d{1,6}(\.\d{2})?$/;

export function centsOf(amount: string): number {
  const [euros = "0", cents = "00"] = amount.split(".");
  return Number(euros) * 100 + Number(cents);
}

export function amountOf(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}

/** Amounts are text with exactly the decimals of the club's currency: two for euros, none for yen. */
export const amountOf = (cents: number, decimals = 2): string => (cents / 10 ** decimals).toFixed(decimals);

/** In the smallest unit of the currency, to add and compare. */
export const centsOf = (amount: string, decimals = 2): number => Math.round(Number(amount) * 10 ** decimals);

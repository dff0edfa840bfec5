/** Why points moved. A reissue and a gift are vouchers that cost no points; a cancelled voucher gives its points back. */
export const entryKinds = [
  ...(["welcome", "event", "grant", "purchase"] as const),
  ...(["reward", "expiry", "return", "settle"] as const),
  ...(["reissue", "gift", "adjust", "cancel"] as const),
] as const;

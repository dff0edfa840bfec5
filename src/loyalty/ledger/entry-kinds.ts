/** Why points moved. A reissue and a gift are vouchers that cost no points. */
export const entryKinds = [
  ...(["welcome", "event", "grant", "purchase"] as const),
  ...(["reward", "expiry", "return", "settle"] as const),
  ...(["reissue", "gift", "adjust"] as const),
] as const;

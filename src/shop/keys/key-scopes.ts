/** What a key may do, in the order of lists. Each has its text, `office.scope.…`. */
export const keyScopes = ["identify", "sell", "return", "join", "report", "events", "sub", "consent"] as const;
export type KeyScope = (typeof keyScopes)[number];
/** What a till needs to sell. */
export const usualScopes: readonly KeyScope[] = ["identify", "sell", "return"];

/** What a key may do, in the order of the list. Each has its words, `office.scope.…`. */
export const keyScopes = ["identify", "sell", "return", "join", "report", "events"] as const;

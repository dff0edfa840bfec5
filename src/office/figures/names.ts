/** The figures that head the page: of the club, and of one shop. */
export const clubHeads = ["members", "active_share", "issued", "spent", "lapsed", "outstanding"] as const;
export const shopHeads = ["sales", "sales_share", "issued_purchase", "vouchers_used", "joined", "returns"] as const;

/** Every figure. Each has its name and its definition in `messages/`, as `office.figure.…` and `office.definition.…`. */
export const figureNames = [
  ...clubHeads,
  ...(["joined", "left", "erased", "merged"] as const),
  ...(["issued_purchase", "issued_welcome", "issued_event", "issued_gesture"] as const),
  ...(["taken_back", "corrected", "forfeited", "waived"] as const),
  ...(["vouchers_obtained", "vouchers_given", "vouchers_reissued", "vouchers_used", "vouchers_lapsed"] as const),
  ...(["vouchers_cancelled", "pending"] as const),
  ...(["sales", "sales_share", "returns"] as const),
] as const;
export type FigureName = (typeof figureNames)[number];

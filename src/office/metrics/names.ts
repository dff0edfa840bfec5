/** The key metrics, first on the page: of the club, and of one shop. */
export const keyMetrics = ["members", "active_share", "issued", "spent", "lapsed", "outstanding"] as const;
export const shopKeyMetrics = [
  "sales",
  "sales_share",
  "issued_purchase",
  "vouchers_used",
  "joined",
  "returns",
] as const;

/** Those that one shop has by itself. */
export const shopMetrics = [...shopKeyMetrics, "basket", "repeat_share"] as const;

/** Every metric. Each has its name and its definition in `messages/`, as `office.figure.…` and `office.definition.…`. */
export const metricNames = [
  ...keyMetrics,
  ...(["joined", "left", "erased", "merged"] as const),
  ...(["issued_purchase", "issued_welcome", "issued_event", "issued_referral", "issued_gesture"] as const),
  ...(["taken_back", "corrected", "forfeited", "waived"] as const),
  ...(["vouchers_obtained", "vouchers_given", "vouchers_reissued", "vouchers_used", "vouchers_lapsed"] as const),
  ...(["vouchers_cancelled", "pending"] as const),
  ...(["sales", "sales_share", "basket", "repeat_share", "returns"] as const),
] as const;
export type MetricName = (typeof metricNames)[number];

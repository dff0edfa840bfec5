/** What moves the three accounts of a month's book, in the order in which it is read. */
export const movements = {
  points: [
    ...["issued_purchase", "issued_welcome", "issued_event", "issued_grant", "issued_adjust", "issued_import"],
    "issued_referral",
    ...["spent", "cancelled", "lapsed", "taken_back", "corrected", "forfeited"],
  ],
  pending: ["added", "arrived", "taken_back", "forfeited"],
  vouchers: [
    ...["issued_reward", "issued_gift", "issued_reissue", "issued_import_voucher"],
    ...["used", "used_after_end", "cancelled", "expired", "forfeited", "merged"],
  ],
} as const;

export type AccountName = keyof typeof movements;
export const accountNames = Object.keys(movements) as AccountName[];

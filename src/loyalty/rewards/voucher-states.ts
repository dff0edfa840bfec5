/** The states of a voucher, in the wire's own spelling. */
export const voucherStates = ["available", "used", "expired", "cancelled"] as const;
export type VoucherState = (typeof voucherStates)[number];

/** What the list of vouchers can be filtered by. Which vouchers each selects: rewards.server.ts#vouchersRead. */
export const voucherFilters = ["all", ...voucherStates] as const;
export type VoucherFilter = (typeof voucherFilters)[number];

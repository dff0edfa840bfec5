import { createContext } from "react";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { cardDialog } from "#loyalty/paths.ts";

interface Voucher {
  IdCustomerReward: number;
  Name: string;
  Code: string;
  ExpiresAt: string;
  LoyaltyRewardState: string;
}

/** What a page can show in full screen, and whose it is. */
export const CodesContext = createContext<{ name: string; card?: LoyaltyCustomer["Card"]; vouchers: Voucher[] }>({
  name: "",
  vouchers: [],
});

export const voucherDialog = ({ IdCustomerReward }: Pick<Voucher, "IdCustomerReward">) =>
  `${cardDialog}-${IdCustomerReward}`;

import { createContext } from "react";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";

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

/** The id of the card's dialog, and the fragment that opens it. */
export const cardDialog = "till";

export const voucherDialog = ({ IdCustomerReward }: Pick<Voucher, "IdCustomerReward">) => `till-${IdCustomerReward}`;

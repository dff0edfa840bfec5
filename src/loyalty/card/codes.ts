import { createContext } from "react";
import type { LoyaltyCustomer } from "#loyalty/loyalty-customer.ts";

interface Voucher {
  IdCustomerReward: number;
  Name: string;
  Code: string;
  LoyaltyRewardState: string;
}

/** The id of the card's dialog, and the fragment that opens it. */
export const cardDialog = "till";

export const voucherDialog = ({ IdCustomerReward }: Pick<Voucher, "IdCustomerReward">) => `till-${IdCustomerReward}`;

/** What a page can show in full screen, and whose it is: the card, and the vouchers that can be used. */
export function codesOf(name: string, card: LoyaltyCustomer["Card"], vouchers: Voucher[]) {
  const list: { id: string; label?: string; code: string }[] = card ? [{ id: cardDialog, code: card.Number }] : [];
  for (const voucher of vouchers)
    if (voucher.LoyaltyRewardState === "available")
      list.push({ id: voucherDialog(voucher), label: voucher.Name, code: voucher.Code });
  return { name, list };
}

export const CodesContext = createContext(codesOf("", null, []));

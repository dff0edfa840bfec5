import {
  auditAction,
  type CustomerActionContext,
  forStaff,
  lockForAction,
} from "#office/customers/server/customer-action.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { attachSale } from "#shop/sales/claim/claim.server.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";
import { isOwnCard } from "#staff/own-card.server.ts";

/** Gives a receipt that named no customer to a member: the same rule as a claim. No one does it for their own card. */
export async function attachReceipt(
  tx: Queries,
  publicUrl: string,
  { customerId, receipt }: { customerId: number; receipt: ReceiptKey },
  action: CustomerActionContext,
) {
  if (await isOwnCard(tx, [action.caller.staffId], customerId)) throw new Refusal("own_card");
  const attached = await forStaff(attachSale(tx, publicUrl, customerId, receipt, action.now));
  await lockForAction(tx, customerId);
  const { Earned } = attached.Points;
  await auditAction(tx, action, {
    ...{ action: "receipt_attached", customerId },
    after: { ofShop: receipt.shopId, ofReceipt: receipt.number, earned: Earned },
  });
  return { Earned, Waiting: "Waiting" in attached };
}

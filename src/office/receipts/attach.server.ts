import { lockDayOf, readGiving } from "#office/customers/server/adjustments/adjustments.server.ts";
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

/**
 * Gives a receipt that named no customer to a member: the same rule as a claim. No one does it for their own card. Points
 * beyond what the person may give in a day need a review by another one.
 */
export async function attachReceipt(
  tx: Queries,
  publicUrl: string,
  { customerId, receipt }: { customerId: number; receipt: ReceiptKey },
  action: CustomerActionContext,
) {
  const { now, caller } = action;
  const { staffId } = caller;
  if (await isOwnCard(tx, [staffId], customerId)) throw new Refusal("own_card");
  await lockDayOf(tx, staffId);
  const giving = () => readGiving(tx, customerId, staffId, now);
  const mostPoints = async () => (await giving()).mostPoints;
  const attached = await forStaff(attachSale(tx, publicUrl, customerId, receipt, { now, mostPoints }));
  await lockForAction(tx, customerId);
  const { Earned } = attached.Points;
  const valueCents = (await giving()).value.cents(Earned, Math.ceil);
  await auditAction(tx, action, {
    ...{ action: "receipt_attached", customerId },
    after: { ofShop: receipt.shopId, ofReceipt: receipt.number, earned: Earned, valueCents },
  });
  return { Earned, Waiting: "Waiting" in attached };
}

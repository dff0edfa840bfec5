import { clubDay } from "#i18n/club-day.ts";
import * as campaigns from "#office/campaigns/calls.ts";
import * as customers from "#office/customers/calls.ts";
import * as programme from "#office/programme/calls.ts";
import * as shops from "#office/shops/calls.ts";
import * as shop from "#shop/calls.ts";
import type { Group } from "./value-group.server.ts";
import type { Account, Sale } from "./value-record.server.ts";

/** The manager releases the points of a sale, and corrects the time of one that the till dated in the future. */
export async function release({ attempt, people }: Group, sale: Sale) {
  const { manager, sellers } = people;
  const receipt = { IdShop: sale.shopId, ReceiptNumber: sale.number, Reason: "Seen" };
  await attempt(`the manager releases the points of ${sale.number}`, async () => {
    await (await manager.call())(shops.decidePoints, { ...receipt, Decision: "release" });
    const own = sale.seller === sellers.manager || sale.seller === sellers.invented;
    if (sale.review === "waiting") sale.review = own ? "own" : "released";
  });
  const SoldAt = new Date(sale.postedAt.getTime() - 30 * 24 * 3_600_000).toISOString();
  await attempt(`the manager dates ${sale.number} 30 days back`, async () =>
    (await manager.call())(shops.decideClock, { ...receipt, Decision: "correct", SoldAt }),
  );
}

export async function recordOwnCard({ attempt, nameOf, ownCards, people }: Group, account: Account) {
  await attempt(`the manager records ${nameOf(account)} as the assistant's own card`, async () => {
    const IdStaff = people.sellers.assistant.staffId ?? 0;
    await (await people.manager.call())(shops.recordCard, { IdStaff, CardNumber: account.card });
    ownCards.add(account.email);
  });
}

/** More points by a campaign and by a version of the programme, without a second person. */
export async function launchAlone({ attempt, people }: Group) {
  const { clock, marketing } = people;
  const call = await marketing.call();
  const later = (minutes: number) => new Date(clock.now.getTime() + minutes * 60_000);
  const texts = { NameFr: "A", NameEn: "A", NameDe: "A", TextFr: "A", TextEn: "A", TextDe: "A" };
  const days = { From: clubDay(clock.now), To: clubDay(later(20_000)) };
  await attempt("marketing launches and approves a campaign", async () => {
    const { IdCampaign } = await call(campaigns.addCampaign, { ...texts, ...days, Multiplier: "10" });
    await call(campaigns.approveCampaign, { IdCampaign });
  });
  await attempt("marketing publishes a version with ten times the points, available at once", async () => {
    const { Current, Draft } = await call(programme.readRules);
    const Rules = JSON.stringify({ ...Current.Rules, pointsPerEuro: 10, pendingDays: 0 });
    const { Revision } = await call(programme.saveDraft, { Revision: Draft?.Revision ?? 0, Label: "More", Rules });
    const StartsAt = later(2).toISOString();
    await call(programme.askToPublish, { Revision, StartsAt });
    const asked = await call(programme.readRules);
    await call(programme.publish, { Revision: asked.Draft?.Revision ?? 0, StartsAt });
  });
}

/** Points and vouchers as a favour need a role that no one in the group has. */
export async function giveFavours({ attempt, people }: Group, account: Account) {
  const asked = { IdCustomer: account.id, Reason: "other", CustomerText: "Merci" } as const;
  for (const person of [people.manager, people.marketing]) {
    const call = await person.call();
    await attempt("staff adds points", () => call(customers.adjustPoints, { ...asked, Points: 250 }));
    await attempt("staff gives a voucher", () => call(customers.giveVoucher, { ...asked, IdLoyaltyReward: 1 }));
  }
}

/**
 * A customer outside the group buys in another shop, with a voucher. The partner guesses the receipt's number, returns it and
 * uses the voucher that is issued again. What the partner gets is added to the gain.
 */
export async function guessReceipt({ attempt, people, stolen }: Group) {
  const { addMember, clock, newNumber, otherShop, sellers } = people;
  const member = await addMember(250);
  const number = otherShop.newNumber();
  const sale = { ReceiptNumber: number, CardNumber: member.card, Amount: "60.00" };
  await otherShop.sell({ ...sale, VoucherCodes: await member.obtain() });
  const call = await sellers.partner.call();
  const proofs = [
    {},
    { OriginalAmount: "49.99", OriginalDay: clubDay(clock.now) },
    { OriginalClaimCode: "A22222222222" },
    { CardNumber: member.card, EntryMode: "typed" as const },
  ];
  for (const proof of proofs)
    await attempt(`partner returns ${number} of another shop with ${JSON.stringify(proof)}`, async () => {
      const original = { OriginalReceiptNumber: number, OriginalIdShop: otherShop.shopId, ...proof };
      const { Refunds, ReissuedVouchers } = await call(shop.postReturn, { ReceiptNumber: newNumber(), ...original });
      stolen.push(
        ...Refunds.map(({ Amount }) => Amount),
        ...ReissuedVouchers.flatMap((one) => ("Code" in one ? one.Value : [])),
      );
    });
}

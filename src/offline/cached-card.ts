import { logoutCookieName, readCookie } from "#identity/session/cookies.ts";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { listCustomerRewards, readLoyalty } from "#loyalty/calls.ts";
import type { Voucher } from "#loyalty/rewards/voucher-list.tsx";
import { type Call, CallFailed } from "#platform/api/client/client.ts";
import { fabricOf } from "#ui/fabric/fabric.tsx";
import { cacheNameOf, cacheStorage, cardKey, deleteCachedCards, findCardCache, isTooOld } from "./card-cache.ts";

export interface CachedCard {
  /** When it was read from the server. */
  asOf: string;
  name: string;
  customer: LoyaltyCustomer;
  vouchers: Voucher[];
}

/** What is left of a card that is too old to be shown. */
export interface ExpiredCard {
  asOf: string;
  expired: true;
}

/** The key of what is left of an expired card. */
const expiredKey = `${cardKey}/expired`;
const logoutPending = () => readCookie(document.cookie, logoutCookieName) === "1";

/** Reads card and vouchers from the server and caches them; after a failure the cached ones stay. */
export async function cacheCard(call: Call, person: { IdCustomer: number; name: string }): Promise<void> {
  try {
    const { CustomerRewards: vouchers } = await call(listCustomerRewards, { LoyaltyRewardState: "available" });
    // Read last, since it names the customer: in another tab another person may have signed in meanwhile.
    const customer = await call(readLoyalty);
    if (customer.IdCustomer !== person.IdCustomer || logoutPending()) return await deleteCachedCards();
    if (!customer.Card) return await deleteCachedCards();
    const cache = await cacheStorage()?.open(cacheNameOf(customer.IdCustomer));
    const before: CachedCard | undefined = await (await cache?.match(cardKey))?.json();
    const rose = (of: (customer: LoyaltyCustomer) => number | undefined) =>
      before !== undefined && (of(before.customer) ?? 0) < (of(customer) ?? 0);
    if (rose(({ Tier }) => Tier?.Rank)) markMoment("status", customer.Tier);
    else if (rose(({ Points }) => Points.Available)) markMoment("points");
    const card: CachedCard = { asOf: new Date().toISOString(), name: person.name, customer, vouchers };
    await cache?.put(cardKey, Response.json(card));
    await deleteCachedCards(customer.IdCustomer);
  } catch (error) {
    // A 401 means signed out elsewhere: the cached card is deleted too. Any other failure, as without a network, is ignored.
    if (error instanceof CallFailed && error.status === 401) await deleteCachedCards();
  }
}

/** For the style sheet: a new status, or points that arrived since the last visit. Its animations are shorter. */
function markMoment(moment: "status" | "points", tier?: LoyaltyCustomer["Tier"]): void {
  const { dataset } = document.documentElement;
  if (tier) {
    dataset["status"] = tier.Name;
    dataset["fabric"] = fabricOf(tier.Rank);
  }
  dataset["moment"] = moment;
  setTimeout(() => delete dataset["moment"], 1_000);
}

/** The card to show without a network. One that is too old is deleted but for its date. */
export async function readCachedCard(): Promise<CachedCard | ExpiredCard | undefined> {
  const cache = logoutPending() ? undefined : await findCardCache();
  if (!cache) {
    await deleteCachedCards();
    return undefined;
  }
  const card: CachedCard | undefined = await (await cache.match(cardKey))?.json();
  if (!card) return (await cache.match(expiredKey))?.json();
  if (!isTooOld(card.asOf)) return card;
  const expired: ExpiredCard = { asOf: card.asOf, expired: true };
  await cache.put(expiredKey, Response.json(expired));
  await cache.delete(cardKey);
  return expired;
}

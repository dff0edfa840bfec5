import { pagePaths } from "#identity/paths.ts";
import { logoutCookieName, readCookie } from "#identity/session/cookies.ts";
import { listCustomerRewards, readLoyalty } from "#loyalty/calls.ts";
import type { LoyaltyCustomer } from "#loyalty/loyalty-customer.ts";
import type { Voucher } from "#loyalty/rewards/voucher-list.tsx";
import { type Call, CallFailed } from "#platform/api/client.ts";
import { cacheNameOf, cacheStorage, deleteCachedCards, findCachedCard } from "./card-cache.ts";

export interface CachedCard {
  /** When it was read from the server. */
  asOf: string;
  name: string;
  customer: LoyaltyCustomer;
  vouchers: Voucher[];
}

/** The key of the card within its cache. */
const cacheKey = `${pagePaths.account}/kept-card`;
const logoutPending = () => readCookie(document.cookie, logoutCookieName) === "1";

/** Reads card and vouchers from the server and caches them; after a failure the cached ones stay. */
export async function cacheCard(call: Call, person: { IdCustomer: number; name: string }): Promise<void> {
  try {
    const { CustomerRewards: vouchers } = await call(listCustomerRewards, { LoyaltyRewardState: "available" });
    // Read last, since it names the customer: in another tab somebody else may have signed in meanwhile.
    const customer = await call(readLoyalty);
    if (customer.IdCustomer !== person.IdCustomer || logoutPending()) return await deleteCachedCards();
    if (!customer.Card) return await deleteCachedCards();
    const cache = await cacheStorage()?.open(cacheNameOf(customer.IdCustomer));
    const before: CachedCard | undefined = await (await cache?.match(cacheKey))?.json();
    if ((before?.customer.Tier?.Rank ?? 9) < (customer.Tier?.Rank ?? 0)) markNewStatus();
    const card: CachedCard = { asOf: new Date().toISOString(), name: person.name, customer, vouchers };
    await cache?.put(cacheKey, Response.json(card));
    await deleteCachedCards(customer.IdCustomer);
  } catch (error) {
    // A 401 means signed out elsewhere: the cached card is deleted too. Any other failure, as without a network, is ignored.
    if (error instanceof CallFailed && error.status === 401) await deleteCachedCards();
  }
}

/** For the style sheet: the card's animation is shorter. */
function markNewStatus(): void {
  const { dataset } = document.documentElement;
  dataset["moment"] = "status";
  setTimeout(() => delete dataset["moment"], 1_000);
}

export async function readCachedCard(): Promise<CachedCard | undefined> {
  const name = logoutPending() ? undefined : await findCachedCard();
  if (name === undefined) {
    await deleteCachedCards();
    return undefined;
  }
  return (await (await cacheStorage()?.open(name))?.match(cacheKey))?.json();
}

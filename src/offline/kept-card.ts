import { listCustomerRewards, readLoyalty } from "#loyalty/calls.ts";
import type { Voucher } from "#loyalty/rewards/voucher-list.tsx";
import type { Standing } from "#loyalty/standing.ts";
import { type Call, CallFailed } from "#platform/api/client.ts";
import { cardOf, forgetCards, storage, theKeptCard } from "./card-storage.ts";

export interface KeptCard {
  /** When the server said so. */
  asOf: string;
  name: string;
  customer: Standing;
  vouchers: Voucher[];
}

const address = "/account/kept-card";
const logoutPending = () => /(^|; )auth\.logout=1/.test(document.cookie);

/** Asks for card and vouchers as they are now, and keeps them; what cannot be had leaves what was kept before. */
export async function keepCard(call: Call, person: { IdCustomer: number; name: string }): Promise<void> {
  try {
    const { CustomerRewards: vouchers } = await call(listCustomerRewards, { LoyaltyRewardState: "available" });
    // Asked last, since it says whose answers these are: in another tab somebody else may have signed in meanwhile.
    const customer = await call(readLoyalty);
    if (customer.IdCustomer !== person.IdCustomer || logoutPending()) return await forgetCards();
    if (!customer.Card) return await forgetCards();
    const cache = await storage()?.open(cardOf(customer.IdCustomer));
    const card: KeptCard = { asOf: new Date().toISOString(), name: person.name, customer, vouchers };
    await cache?.put(address, Response.json(card));
    await forgetCards(customer.IdCustomer);
  } catch (error) {
    // Signed out elsewhere: then nothing is kept here either. Any other failure is a till's weather.
    if (error instanceof CallFailed && error.status === 401) await forgetCards();
  }
}

export async function readKeptCard(): Promise<KeptCard | undefined> {
  const name = logoutPending() ? undefined : await theKeptCard();
  if (name === undefined) {
    await forgetCards();
    return undefined;
  }
  return (await (await storage()?.open(name))?.match(address))?.json();
}
